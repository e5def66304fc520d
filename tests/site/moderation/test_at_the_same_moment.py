"""What moderators decide while a request of the same person is under way, which has read them before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import time, timedelta
from functools import partial

import pytest
from allauth.account.adapter import get_adapter
from django.db import connection, transaction
from django.utils import timezone

from accounts import relations, sanctions
from accounts.forms import DisplayForm
from accounts.joining import guests
from accounts.models import Sanction, User
from games.engine.protocol import RuleViolation
from games.matchmaking import planned, tables
from games.matchmaking.tables import TableSetup, rematch
from games.moderation import people
from games.pairing.jobs import Pairing
from games.pairing.models import Wait
from games.pairing.search import Search
from games.pairing.services import wait
from games.play.commands import resign
from games.play.models import Match, Seat
from tests.meeting import endings
from tests.people import client_of, person, running_match

pytestmark = pytest.mark.django_db(transaction=True)

CASUAL = TableSetup("shifting-stones", 3, rated=False)
SEARCH = Search("shifting-stones", seats=(2,), rated=False)


@pytest.fixture(autouse=True, params=[pytest.param("sqlite"), pytest.param("postgresql", marks=pytest.mark.services)])
def _database(request: pytest.FixtureRequest) -> None:
    if connection.vendor != request.param:
        pytest.skip(f"the database is {connection.vendor}")


@pytest.fixture
def bob() -> User:
    """Somebody as a request has read them just before they are suspended."""
    return person("bob")


def tomorrow() -> Match:
    return planned.plan_table(person(), CASUAL, timezone.now() + timedelta(days=1))


def finished(bob: User) -> Match:
    match = running_match([bob, person()])
    resign(match.pk, 0, "resignation")
    return match


DOINGS: dict[str, Callable[[User], Callable[[], object]]] = {
    "open": lambda bob: partial(tables.open_table, bob, CASUAL),
    "join": lambda bob: partial(tables.join, tables.open_table(person(), CASUAL).pk, bob),
    "plan": lambda bob: partial(planned.plan_table, bob, CASUAL, timezone.now() + timedelta(days=1)),
    "come": lambda bob: partial(planned.come, tomorrow().pk, bob),
    "rematch": lambda bob: partial(rematch, finished(bob).pk, bob),
    "wait": lambda bob: partial(wait, bob, SEARCH),
}


@pytest.mark.parametrize("doing", DOINGS)
def test_who_was_suspended_a_moment_ago_does_not_sit_down(bob: User, doing: str) -> None:
    do = DOINGS[doing](bob)
    people.suspend(None, bob, None, "Rating transfer")
    assert not bob.held, "as the request has read it"
    with pytest.raises(RuleViolation) as refused:
        do()
    assert refused.value.code == "suspended"
    assert not Seat.objects.filter(user=bob, match__status=Match.Status.OPEN).exists()


def test_who_is_suspended_while_waiting_is_paired_with_nobody(bob: User) -> None:
    mine, other = (wait(it, replace(SEARCH, speed="days")) for it in (bob, person()))
    with transaction.atomic():
        sanctions.impose(bob, Sanction.Kind.SUSPENSION, "Rating transfer")
    Pairing().run_due(timezone.now())
    mine.refresh_from_db()
    other.refresh_from_db()
    assert (mine.state, other.match, Match.objects.count()) == (Wait.State.WITHDRAWN, None, 0)


def test_a_suspension_that_comes_while_an_earlier_one_ends_holds(bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = relations.lock_people

    def imposed_just_before(keys: object) -> None:
        monkeypatch.undo()
        sanctions.impose(bob, Sanction.Kind.SUSPENSION, "by another, for whose lock this one waits")
        lock(keys)  # type: ignore[arg-type]  # whatever it is given

    monkeypatch.setattr(sanctions, "lock_people", imposed_just_before)
    sanctions.release(bob)
    bob.refresh_from_db()
    assert bob.held


def test_suspended_and_let_go_at_once_stays_suspended() -> None:
    for _ in range(8):
        someone = person()
        endings([partial(people.suspend, None, someone, None, "Spam"), *[partial(sanctions.release, someone)] * 7])
        someone.refresh_from_db()
        assert someone.held


def test_a_guest_who_was_suspended_a_moment_ago_does_not_escape_by_logging_in(bob: User) -> None:
    guest = person("Guest-Calm-Owl", guest=True)
    people.suspend(None, guest, None, "Rating transfer")
    assert not guest.held, "as the request has read it"
    guests.take_over(guest, bob)
    bob.refresh_from_db()
    assert bob.held


def test_settings_that_are_saved_then_change_nothing_else(bob: User) -> None:
    form = DisplayForm({"time_zone": "Europe/Rome", "language": "it", "theme": "dark"}, instance=bob)
    User.objects.filter(pk=bob.pk).update(shows_presence=False)
    people.close_account(None, bob, "Rating transfer")
    assert form.is_valid()
    form.save()
    bob = User.objects.get(pk=bob.pk)
    assert (bob.time_zone, bob.language, bob.theme) == ("Europe/Rome", "it", "dark")
    assert (bob.shows_presence, bob.is_active) == (False, False)


def test_a_password_that_is_changed_then_opens_no_closed_account(bob: User) -> None:
    people.close_account(None, bob, "Rating transfer")
    get_adapter().set_password(bob, "another long wooden table")
    bob = User.objects.get(pk=bob.pk)
    assert bob.check_password("another long wooden table")
    assert not bob.is_active


def test_whatever_stores_a_whole_user_lets_nobody_go(bob: User) -> None:
    people.suspend(None, bob, None, "Rating transfer")
    User.objects.filter(pk=bob.pk).update(is_active=False)
    bob.email = "bob@elsewhere.example"
    bob.save()
    bob = User.objects.get(pk=bob.pk)
    assert (bob.email, bob.held, bob.is_active) == ("bob@elsewhere.example", True, False)


# --- clocks -----------------------------------------------------------------------------------------------------------


def test_clocks_of_suspended_people_go_on_as_they_are(bob: User) -> None:
    client = client_of(bob)
    people.suspend(None, bob, None, "Rating transfer")
    for change in ({"sleep_from": "20:00", "sleep_until": "06:00"}, {"free_weekends": "on"}):
        page = client.post("/settings/play/", {"hints": "on", **change})
        assert page.status_code == 422
        assert "Your account is suspended. Reason: Rating transfer" in page.content.decode()
    assert client.post("/settings/play/", {}).status_code == 302, "hints are no clock"
    bob.refresh_from_db()
    assert (bob.hints, bob.sleep_from, bob.free_weekends) == (False, None, False)


@pytest.mark.parametrize("rest", [{"sleep_from": time(23), "sleep_until": time(7)}, {"free_weekends": True}])
def test_suspended_people_keep_the_zone_by_which_their_clocks_rest(rest: dict[str, object]) -> None:
    bob = person("bob", **rest)
    people.suspend(None, bob, None, "Rating transfer")
    form = {"time_zone": "Europe/Rome", "language": "", "theme": "dark"}
    assert "Your account is suspended" in client_of(bob).post("/settings/profile/", form).content.decode()
    assert client_of(bob).post("/settings/profile/", {**form, "time_zone": "UTC"}).status_code == 302
    bob.refresh_from_db()
    assert (bob.time_zone, bob.theme) == ("UTC", "dark")
