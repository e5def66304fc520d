"""What moderators decide about matches: ratings, records and series follow, and can be brought back."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import User
from games.engine import record
from games.engine.protocol import RuleViolation
from games.history.replay import first_difference
from games.matchmaking import planned
from games.matchmaking.invitations import decline_invitation
from games.matchmaking.series import begin_series
from games.matchmaking.tables import TableSetup
from games.moderation import matches, reversals
from games.moderation.models import Deed
from games.notifications.models import Kind, Notice
from games.play import commands as play
from games.play.models import Action, Match, Ruling, Seat
from games.play.records import record_of
from games.ratings import services
from games.ratings.models import Rating, RatingChange
from games.titles import games
from tests.people import as_stored, client_of, names, open_table, person, play_out, running_match

pytestmark = pytest.mark.django_db


def lost_by(loser: int, people: list[User], **fields: Any) -> Match:
    """Return a rated match, over because this seat has resigned."""
    match = running_match(people, **{"rated": True, **fields})
    Seat.objects.filter(match=match).update(acted=True)
    play.resign(match.pk, loser, f"resign-{match.pk:04}")
    match.refresh_from_db()
    return match


def ratings() -> dict[str, tuple[int, int]]:
    return {row.user.username: (row.rating, row.games) for row in Rating.objects.select_related("user")}


def changes() -> list[tuple[Any, ...]]:
    return list(RatingChange.objects.order_by("match", "seat").values_list("match", "seat", "before", "after", "place"))


def all_is_right() -> bool:
    """Return whether ratings add up and follow from the results, and every match follows from its actions."""
    assert sum(rating - 1_500_000 for rating, _games in ratings().values()) == 0
    assert services.first_difference() is None
    for match in Match.objects.exclude(started_at=None):
        assert first_difference(match) is None
    call_command("recompute_ratings", check=True, stdout=StringIO())
    return True


def test_an_awarded_match_changes_every_later_rating_to_the_thousandth(mod: User, ann: User, bob: User) -> None:
    first = lost_by(0, [ann, bob])
    lost_by(1, [ann, person("carl")])
    lost_by(0, [bob, person("dora")])
    before, written = ratings(), changes()
    matches.award(mod, first, [1, 2], "Bob gave Ann his moves")
    # Ann 1500 beats Bob 1500 with K 40: +20; she then wins again at 1520.
    assert RatingChange.objects.get(match=first, user=ann).after == 1_520_000
    assert RatingChange.objects.get(user=ann, before=1_520_000).after == 1_520_000 + 18_850
    assert all_is_right()
    matches.reinstate(mod, first, "It was a mistake")
    assert (ratings(), changes()) == (before, written)
    assert all_is_right()


def test_a_match_that_does_not_count_is_as_if_never_rated(mod: User, ann: User, bob: User) -> None:
    lost_by(0, [bob, person("dora")])
    before = ratings()
    match = lost_by(0, [ann, bob])
    deed = matches.abort(mod, match, "Both played for Bob")
    assert ratings() == {**before, "ann": (1_500_000, 0)}
    match.refresh_from_db()
    assert (match.status, match.seats.filter(place=None).count()) == (Match.Status.ABORTED, 2)
    assert all_is_right()
    reversals.undo(mod, deed, "They did not")
    match.refresh_from_db()
    assert (match.status, [seat.place for seat in match.seats.all()]) == (Match.Status.OVER, [2, 1])
    assert all_is_right()


def test_several_decisions_about_one_match_keep_how_it_was_played(mod: User, ann: User, bob: User) -> None:
    match = lost_by(0, [ann, bob])
    for places in ([1, 2], [1, 1]):
        matches.award(mod, match, places, "Because")
        assert all_is_right()
    matches.abort(mod, match, "After all")
    assert all_is_right()
    matches.award(mod, match, [1, 2], "No, it counts")
    assert Ruling.objects.get(match=match).played == {"places": [2, 1], "reason": "resign"}
    assert all_is_right()
    matches.reinstate(mod, match, "As it was")
    assert not Ruling.objects.exists()
    assert ratings()["bob"] == (1_520_000, 1)


def test_only_the_latest_decision_about_a_match_is_taken_back(mod: User, ann: User, bob: User) -> None:
    match, browser = lost_by(0, [ann, bob]), client_of(mod)
    first, second = (matches.award(mod, match, places, "Because") for places in ([1, 2], [1, 1]))
    page = browser.post(f"/moderation/log/{first.pk}/undo/", {"reason": "A mistake"}, follow=True).content.decode()
    assert "it has been taken back or changed since" in page
    assert [seat.place for seat in match.seats.all()] == [1, 1]
    assert f"/log/{first.pk}/undo/" not in page
    assert f"/log/{second.pk}/undo/" in page
    reversals.undo(mod, second, "A mistake")
    assert [seat.place for seat in match.seats.all()] == [2, 1]
    for deed in (first, second):
        with pytest.raises(RuleViolation) as refusal:
            reversals.undo(mod, deed, "Again")
        assert refusal.value.code == "final"
    assert "/undo/" not in browser.get("/moderation/log/").content.decode()


@pytest.mark.parametrize("game", games())
def test_a_match_played_to_its_end_is_decided_and_its_record_tells_it(mod: User, game: str) -> None:
    match = play_out(running_match([person(), person()], game=game, rated=True))
    places = [seat.place for seat in match.seats.order_by("number")]
    matches.award(mod, match, [2, 1] if places[0] == 1 else [1, 2], "Two seats, one person")
    assert all_is_right()
    told = record.read(record.write(record_of(as_stored(match))))
    assert told.ruling is not None
    assert told.ruling.places == ((2, 1) if places[0] == 1 else (1, 2))
    assert told.outcome is not None
    assert list(told.outcome.places) == places
    assert record.verify(told, match.rules) is None
    matches.abort(mod, match, "It does not count")
    annulled = record.read(record.write(record_of(as_stored(match))))
    assert annulled.ruling is not None
    assert annulled.ruling.places is None
    assert record.verify(annulled, match.rules) is None


def test_everybody_is_told_on_the_page_of_the_match_and_its_players_by_a_notice(
    mod: User, ann: User, bob: User
) -> None:
    match = lost_by(0, [ann, bob])
    matches.award(mod, match, [1, 2], "Bob gave Ann his moves")
    for reader in (ann, person("eve")):
        page = client_of(reader).get(match.get_absolute_url()).content.decode()
        assert "Moderators have decided this match: ann wins." in page
        assert "Bob gave Ann his moves" in page
    assert client_of(ann).get(f"/match/{match.slug}/replay/").status_code == 200
    assert client_of(ann).get("/archive/").status_code == 200
    assert client_of(ann).get("/@ann/").status_code == 200
    assert {notice.user for notice in Notice.objects.filter(kind=Kind.MODERATION)} == {ann, bob}
    matches.abort(mod, match, "Both of them")
    assert "Moderators have aborted this match" in client_of(bob).get(match.get_absolute_url()).content.decode()
    assert "Moderators have decided a match" in client_of(bob).get("/notices/").content.decode()


def test_a_running_match_is_aborted_for_good(mod: User, ann: User, bob: User) -> None:
    match = running_match([ann, bob], rated=True)
    deed = matches.abort(mod, match, "A bot plays for Bob")
    match.refresh_from_db()
    assert (match.status, match.reason) == (Match.Status.ABORTED, "moderators")
    assert all_is_right()
    with pytest.raises(RuleViolation) as refusal:
        reversals.undo(mod, deed, "No")
    assert refusal.value.code == "final"
    assert not match.seats.filter(to_move=True).exists()


def test_a_table_is_closed(mod: User, ann: User) -> None:
    match = open_table([ann], seats=2)
    matches.shut_table(mod, match, "The note insults people")
    match.refresh_from_db()
    assert match.status == Match.Status.CLOSED
    with pytest.raises(RuleViolation) as refusal:
        matches.shut_table(mod, match, "Again")
    assert refusal.value.code == "table-closed"
    assert Deed.objects.count() == 1


def test_whoever_is_invited_is_told_that_a_table_is_closed(mod: User, ann: User, bob: User) -> None:
    wish = TableSetup("shifting-stones", 3, rated=False, invited=(bob, person("carl"), person("dora")))
    match = planned.plan_table(ann, wish, timezone.now() + timedelta(days=2))
    planned.come(match.pk, wish.invited[1])
    decline_invitation(match.pk, wish.invited[2])
    matches.shut_table(mod, match, "The note insults people")
    told = Notice.objects.filter(kind=Kind.MODERATION, match=match)
    assert names(notice.user for notice in told.select_related("user").order_by("pk")) == ["ann", "bob", "carl"]
    assert "Moderators have closed a table" in client_of(bob).get("/notices/").content.decode()


def test_what_cannot_be_decided_is_refused_and_leaves_nothing(mod: User, ann: User, bob: User) -> None:
    running, alone = running_match([ann, bob]), running_match([ann])
    play.resign(alone.pk, 0, "resign-alone")
    over = lost_by(0, [ann, bob])
    before = (ratings(), Action.objects.count())
    for match, places, code in (
        (running, [1, 2], "not-over"),
        (alone, [1], "alone"),
        (over, [1], "places"),
        (over, [2, 2], "places"),
        (over, [1, 3], "places"),
        (over, [0, 1], "places"),
    ):
        with pytest.raises(RuleViolation) as refusal:
            matches.award(mod, match, places, "Because")
        assert refusal.value.code == code
    with pytest.raises(RuleViolation) as refusal:
        matches.reinstate(mod, over, "Because")
    assert refusal.value.code == "not-ruled"
    assert (ratings(), Action.objects.count()) == before
    assert not Deed.objects.exists()


def test_a_series_counts_anew(mod: User, ann: User, bob: User) -> None:
    first = open_table([ann, bob])
    begin_series(first, 2)
    from games.play.store import lock, writing

    with writing():
        locked = lock(first.pk)
        play.begin(locked.match, locked.seats)
    play.resign(first.pk, 0, "resign-series")
    first.refresh_from_db()
    series = first.in_series.series
    assert [player.wins for player in series.players.all()] == [0, 1]
    matches.award(mod, first, [1, 2], "Because")
    assert [player.wins for player in series.players.all()] == [1, 0]
    matches.abort(mod, first, "Because")
    assert [player.wins for player in series.players.all()] == [0, 0]
    matches.reinstate(mod, first, "Because")
    assert [player.wins for player in series.players.all()] == [0, 1]
    series.refresh_from_db()
    assert series.ended_at is None


def test_the_check_notices_a_result_that_nobody_has_decided(mod: User, ann: User, bob: User) -> None:
    match = lost_by(0, [ann, bob])
    matches.award(mod, match, [1, 2], "Because")
    Seat.objects.filter(match=match, number=0).update(place=2)
    assert "moderators have decided" in (first_difference(Match.objects.get(pk=match.pk)) or "")
    Seat.objects.filter(match=match, number=0).update(place=1)
    Ruling.objects.update(played={"places": [1, 2], "reason": "resign"})
    assert "that of the replay" in (first_difference(Match.objects.get(pk=match.pk)) or "")


@pytest.mark.parametrize("ends", ["before it is annulled", "meanwhile"])
def test_what_an_annulled_match_did_to_ratings_comes_back_although_an_account_has_ended(
    mod: User, ann: User, bob: User, ends: str
) -> None:
    lost_by(0, [bob, person("dora")])
    match = lost_by(0, [ann, bob])
    lost_by(1, [ann, person("carl")])
    before = {**ratings(), "bob": None}
    history = [row[1:] for row in changes() if row[0] == match.pk]
    if ends != "meanwhile":
        bob.delete()
    matches.abort(mod, match, "Both played for Bob")
    if ends == "meanwhile":
        bob.delete()
    matches.reinstate(mod, match, "They did not")
    assert {**ratings(), "bob": None} == before
    assert [row[1:] for row in changes() if row[0] == match.pk] == history
    call_command("recompute_ratings", check=True, stdout=StringIO())
    matches.award(mod, match, [1, 2], "They did")
    call_command("recompute_ratings", check=True, stdout=StringIO())
