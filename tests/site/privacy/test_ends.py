"""The end of an account is carried out: what goes, what stays, and that ratings and matches still add up."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from accounts.models import FormerName, User
from accounts.services import KEPT, check_free, rename
from games.chat.models import Unread
from games.matchmaking.models import Series
from games.matchmaking.tables import USUAL_CLOCKS
from games.notifications.models import Notice
from games.play import commands
from games.play.models import Match, Setback, Speed
from games.privacy import deletions
from games.privacy.jobs import Deletions
from games.ratings.models import Rating, RatingChange
from tests.people import client_of, person, running_match
from tests.site.bots.test_turns import against_bots
from tests.site.chat.rooms import say
from tests.site.config.world import dump
from tests.site.notifications.letters import delivered
from tests.site.privacy import inhabited
from tests.site.privacy.opening import made

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> User:
    return person("ann")


def ended(user: User) -> None:
    """Confirm the end of an account, and let a worker carry it out when the grace is over."""
    deletion = deletions.ask(user)
    deletion = deletions.confirm(deletion)
    delivered()
    assert deletion.due_at is not None
    with time_machine.travel(deletion.due_at, tick=False):
        assert Deletions().run_due(timezone.now()) == 1
        delivered()


def all_is_true() -> None:
    """Check that ratings and matches are what follows from the record."""
    call_command("recompute_ratings", "--check", stdout=StringIO())
    call_command("verify_matches", stdout=StringIO())


@pytest.fixture
def world() -> inhabited.Inhabited:
    return inhabited.build("wilhelmine")


def test_everything_somebody_had_goes_and_others_keep_what_is_theirs(
    world: inhabited.Inhabited, mailoutbox: list[EmailMessage]
) -> None:
    ann, bob = world.ann, world.bob
    made(ann)
    former, key = ann.username[:-1], ann.pk
    before = {row.user_id: row.rating for row in Rating.objects.filter(user=bob)}
    assert before
    ended(ann)
    _look_at_matches(world)
    all_is_true()

    # Two others still play a match that was left: until it is over an empty account stands for who left it.
    empty = User.objects.get(pk=key)
    assert empty.username.startswith("Deleted-")
    assert not empty.is_active
    needed = {"play.Seat.user", "ratings.Rating.user", "ratings.RatingChange.user", "privacy.Deletion.user"}
    assert set(inhabited.rows_about(empty)) == needed
    _nothing_names(world, former)
    assert mailoutbox[-1].subject == "Tessera: Your account has been deleted"

    _end_of_the_crowd(world)
    assert not User.objects.filter(pk=key).exists()
    all_is_true()
    _nothing_names(world, former)
    changes = RatingChange.objects.filter(match=world.crowd)
    assert {change.user_id for change in changes} == {None, bob.pk, world.eve.pk}
    assert sum(change.gain for change in changes) == 0
    assert len([mail for mail in mailoutbox if "deleted" in mail.subject]) == 2


def _look_at_matches(world: inhabited.Inhabited) -> None:
    for match in (world.rated, world.duel, world.crowd, world.table, world.planned, world.serial, world.ongoing):
        match.refresh_from_db()
    assert world.duel.is_over
    assert world.duel.seats.get(user=world.bob).place == 1
    assert world.ongoing.is_over
    assert world.crowd.is_running
    assert world.table.status == world.serial.status == Match.Status.CLOSED
    assert world.planned.is_planned
    assert world.planned.host == world.bob
    assert world.planned.note == ""
    assert Series.objects.get(matches__match=world.ongoing).ended_at is not None
    assert Notice.objects.filter(user=world.bob, match=world.duel, kind="over").exists()
    page = client_of(world.bob).get(reverse("replay", args=[world.rated.slug]))
    assert page.status_code == 200


def _nothing_names(world: inhabited.Inhabited, former: str) -> None:
    """Look through every row of every table for what was somebody's."""
    said = "\n".join(f"{table}: {row}" for table, rows in dump().items() for row in rows)
    for words in (f"'{former}'", world.ann.username, world.ann.email, inhabited.OURS, "to bob alone", "come and play"):
        assert [line for line in said.splitlines() if words in line] == []
    assert inhabited.THEIRS in said


def _end_of_the_crowd(world: inhabited.Inhabited) -> None:
    for person_left in (world.eve, world.bob):
        seat = world.crowd.seats.get(user=person_left)
        commands.resign(world.crowd.pk, seat.number, f"{person_left} leaves")
    world.crowd.refresh_from_db()
    assert world.crowd.is_over
    later = timezone.now() + timedelta(days=8)
    with time_machine.travel(later, tick=False):
        assert Deletions().run_due(later) == 1


@pytest.mark.parametrize(
    ("beside", "more"),
    [
        ((), {"game": "shifting-stones"}),
        ((), {"game": "small-islands"}),
        (("bob",), {"game": "card-chess", "speed": "days", "clock": USUAL_CLOCKS[Speed.DAYS][0]}),
        (("bob",), {"game": "small-islands", "clock": USUAL_CLOCKS[Speed.LIVE][0]}),
        (("bob", "eve"), {"game": "shifting-stones"}),
    ],
)
def test_any_match_that_runs_lets_its_player_go(ann: User, beside: tuple[str, ...], more: dict[str, Any]) -> None:
    match = running_match([ann, *map(person, beside)], **more)
    ended(ann)
    match.refresh_from_db()
    assert match.has_ended == (len(beside) < 2)
    for name in beside if match.is_running else ():
        commands.resign(match.pk, match.seats.get(user__username=name).number, f"{name} leaves")
    later = timezone.now() + deletions.GRACE + timedelta(days=1)
    with time_machine.travel(later, tick=False):
        Deletions().run_due(later)
    assert not User.objects.filter(pk=ann.pk).exists()


def test_a_match_against_bots_ends_with_the_account(ann: User) -> None:
    match = against_bots([ann])
    ended(ann)
    match.refresh_from_db()
    assert match.is_over
    assert not User.objects.filter(pk=ann.pk).exists()


def test_what_they_wrote_is_unread_for_nobody_any_more(ann: User) -> None:
    bob, eve, dan = person("bob"), person("eve"), person("dan")
    match = running_match([ann, bob, eve, dan])
    say(ann, match, "one")
    say(eve, match, "two")
    client_of(dan).get(f"/match/{match.slug}/chat/")
    say(ann, match, "three")
    ended(ann)
    assert dict(Unread.objects.values_list("user__username", "count")) == {"bob": 1}
    assert '<span class="number">1</span>' in client_of(bob).get("/lobby/").content.decode()


def test_a_name_that_moderators_took_away_outlives_the_account_without_its_person(ann: User) -> None:
    rename(ann, "berta", forced=True)
    rename(ann, "cleo")
    ended(ann)
    assert not User.objects.filter(pk=ann.pk).exists()
    assert {(kept.user, kept.name) for kept in FormerName.objects.all()} == {(None, "")}
    for name in ("ann", "Ann", "berta", "cleo"):
        with pytest.raises(ValidationError):
            check_free(name)
    with time_machine.travel(timezone.now() + 2 * KEPT):
        check_free("berta")
        check_free("cleo")
        with pytest.raises(ValidationError):
            check_free("ann")


def test_what_nobody_else_plays_on_is_removed_in_one_go(ann: User) -> None:
    match = running_match([ann, person("bob")], rated=True)
    ended(ann)
    assert not User.objects.filter(pk=ann.pk).exists()
    match.refresh_from_db()
    assert match.is_over
    assert [seat.name for seat in match.seats.all() if seat.user is None] == ["—"]
    all_is_true()


def test_pages_of_others_get_along_without_who_is_gone(world: inhabited.Inhabited) -> None:
    ended(world.ann)
    browser = client_of(world.bob)
    slugs = [match.slug for match in (world.rated, world.duel, world.crowd, world.planned, world.ongoing)]
    addresses = [reverse("match", args=[slug]) for slug in slugs]
    addresses += [reverse(name) for name in ("home", "lobby", "archive", "notices", "messages", "people", "my_matches")]
    addresses += [reverse("profile", args=["bob"]), reverse("series", args=[world.ongoing.slug])]
    assert {address: browser.get(address).status_code for address in addresses} == dict.fromkeys(addresses, 200)


def test_what_workers_did_not_finish_is_finished_by_the_next(
    world: inhabited.Inhabited, monkeypatch: pytest.MonkeyPatch
) -> None:
    deletion = deletions.confirm(deletions.ask(world.ann))
    due = deletion.due_at
    for place, part in (
        (deletions, "leave_everything"),
        (deletions, "forget_everything"),
        (deletions, "_remove"),
    ):
        assert due is not None
        with time_machine.travel(due, tick=False), monkeypatch.context() as patch:
            patch.setattr(place, part, None)
            assert Deletions().run_due(timezone.now()) == 0, part
        assert User.objects.get(pk=world.ann.pk).username == world.ann.username, part
        assert not deletions.take_back(world.ann), "it has begun"
        due = Setback.objects.get(job="deletions").not_before
    assert due is not None
    with time_machine.travel(due, tick=False):
        assert Deletions().run_due(timezone.now()) == 1
    assert not User.objects.filter(username=world.ann.username).exists()
    all_is_true()
