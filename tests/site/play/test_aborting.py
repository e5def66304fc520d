"""Aborting a match: alone while nobody has acted, by agreement later, and what it counts as."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from time_machine import Traveller

from accounts.models import User
from games.history.replay import first_difference
from games.notifications.models import Kind, Notice
from games.play import commands, timekeeping
from games.play.boards.endings import ending_in_words
from games.play.models import AbortReason, Match, Seat
from games.play.reducer.positions import legal_texts
from games.play.reducer.results import lone_abort
from games.play.reliability import Reliability, no_shows, reliability_of
from games.ratings import services as ratings_services
from tests.clocked import LIVE
from tests.people import act, bot_takes_turn, client_of, person, play_out, running_match

pytestmark = pytest.mark.django_db

LONG_AGO = timezone.now() - timedelta(days=10_000)


@pytest.fixture
def ann() -> User:
    return person("Ann")


@pytest.fixture
def bob() -> User:
    return person("Bob")


def shows(match: Match) -> list[bool]:
    return list(Seat.objects.filter(match=match).order_by("number").values_list("no_show", flat=True))


def abort(match: Match, seat: int) -> Match:
    commands.offer_abort(match.pk, seat)
    match.refresh_from_db()
    return match


# --- who may ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_before_anybody_has_acted_one_player_ends_the_match_and_is_to_blame(ann: User, bob: User, seat: int) -> None:
    match = abort(running_match([ann, bob]), seat)
    assert (match.status, match.reason) == (Match.Status.ABORTED, AbortReason.CALLED_OFF)
    assert shows(match) == [seat == 0, seat == 1]


@pytest.mark.parametrize("seat", [0, 1])
def test_once_one_has_acted_both_must_agree_and_nobody_is_to_blame(ann: User, bob: User, seat: int) -> None:
    match = running_match([ann, bob])
    act(match, "end")
    assert abort(match, seat).is_running
    assert abort(match, 1 - seat).reason == AbortReason.AGREED
    assert shows(match) == [False, False]


def test_without_a_clock_whoever_waits_too_long_for_a_first_action_may_go(
    ann: User, bob: User, clock: Traveller
) -> None:
    match = running_match([ann, bob])
    act(match, "end")
    clock.shift(timedelta(minutes=4, seconds=59))
    assert abort(match, 0).is_running
    clock.shift(timedelta(seconds=1))
    assert abort(match, 0).reason == AbortReason.NO_SHOW
    assert shows(match) == [False, True]


def test_over_days_without_a_clock_a_first_action_may_take_three_days(ann: User, bob: User, clock: Traveller) -> None:
    match = running_match([ann, bob], speed="days")
    clock.shift(timedelta(days=3) - timedelta(seconds=1))
    alone = lone_abort(match, list(match.seats.all()), 1, timezone.now())
    assert alone is not None
    assert [seat.number for seat in alone.blamed] == [1]
    clock.shift(timedelta(seconds=1))
    abort(match, 1)
    assert shows(match) == [True, False]


def test_with_a_clock_it_is_the_clock_that_ends_the_waiting(ann: User, bob: User, clock: Traveller) -> None:
    match = running_match([ann, bob], clock="900+10/900")
    act(match, "end")
    clock.shift(timedelta(minutes=14))
    assert abort(match, 0).is_running


def test_whoever_has_acted_cannot_be_waited_out(ann: User, bob: User, clock: Traveller) -> None:
    match = running_match([ann, bob])
    act(match, "end")
    act(match, "end")
    clock.shift(timedelta(days=30))
    assert abort(match, 1).is_running


@pytest.mark.parametrize("seat", [0, 2])
def test_one_of_three_ends_it_for_nobody_else(seat: int) -> None:
    """Not before the first action either: they can resign, which counts as a no-show, and the others play."""
    people = [person(), person(), person()]
    match = running_match(people)
    assert "If everyone agrees" in leaving(match, people[seat])
    assert abort(match, seat).is_running
    commands.resign(match.pk, seat, "resign-first")
    match.refresh_from_db()
    assert (match.is_running, shows(match)) == (True, [number == seat for number in range(3)])


def test_a_seat_that_has_left_is_waited_for_by_nobody() -> None:
    match = running_match([person(), person(), person()])
    commands.resign(match.pk, 0, "resign-first")
    assert abort(match, 1).is_running
    assert abort(match, 2).reason == AbortReason.AGREED
    assert shows(match) == [True, False, False]


def test_without_a_clock_three_go_on_without_whoever_never_comes(ann: User, bob: User, clock: Traveller) -> None:
    match = running_match([ann, bob, person()])
    act(match, "end")
    clock.shift(timedelta(minutes=5))
    page = leaving(match, ann)
    assert "Go on without them" in page
    client_of(ann).post(f"/match/{match.slug}/abort/", {"offer": "1"})
    match.refresh_from_db()
    assert match.is_running
    assert shows(match) == [False, True, False]
    assert not match.seats.exclude(offers_abort=False).exists()
    assert bot_takes_turn(match)
    assert play_out(match).seats.get(number=1).place == 3
    assert first_difference(match) is None


# --- not coming -------------------------------------------------------------------------------------------------------


def test_not_making_a_first_action_in_time_is_a_no_show(ann: User, bob: User, clock: Traveller) -> None:
    match = running_match([ann, bob], clock=LIVE)
    act(match, "end")
    clock.shift(400)
    assert timekeeping.expire(match.pk)
    match.refresh_from_db()
    assert (match.status, match.reason) == (Match.Status.ABORTED, AbortReason.NO_SHOW)
    assert shows(match) == [False, True]


@pytest.mark.parametrize("absent", [(0,), (2,), (0, 1)])
def test_three_or_more_play_on_without_those_who_do_not_come(absent: tuple[int, ...], clock: Traveller) -> None:
    """A bot takes the seats, which are placed last; for the others the match counts if there are at least two."""
    people = [person() for _ in range(3 if len(absent) == 1 else 4)]
    match = running_match(people, clock=LIVE, rated=True)
    for number in range(len(people)):
        if number not in absent:
            act(match, "end", number)
            continue
        clock.shift(400)
        assert timekeeping.Timeouts().run_due(timezone.now()) == 1
        match.refresh_from_db()
        assert match.is_running
        assert bot_takes_turn(match)
    assert shows(match) == [number in absent for number in range(len(people))]
    assert play_out(match).status == Match.Status.OVER
    places = list(match.seats.values_list("place", flat=True))
    last = range(len(people) - len(absent) + 1, len(people) + 1)
    assert sorted(places[number] or 0 for number in absent) == list(last)
    assert match.rating_changes.count() == len(people)
    assert all(it.after < it.before for it in match.rating_changes.filter(seat__in=absent))
    assert "not rated" not in client_of(people[absent[0]]).get(match.get_absolute_url()).content.decode()
    assert first_difference(match) is None
    assert ratings_services.first_difference() is None
    ratings_services.recompute()
    assert match.rating_changes.count() == len(people)


def test_a_match_to_which_one_alone_came_is_not_rated(clock: Traveller) -> None:
    people = [person() for _ in range(3)]
    match = running_match(people, clock=LIVE, rated=True)
    act(match, "end")
    for _absent in range(2):
        clock.shift(400)
        assert timekeeping.expire(match.pk)
        assert bot_takes_turn(match)
    assert play_out(match).seats.get(number=0).place == 1
    assert not match.rating_changes.exists()
    page = client_of(people[0]).get(match.get_absolute_url()).content.decode()
    assert f"because {people[1].username} and {people[2].username} never made a move" in page
    assert ratings_services.first_difference() is None


def test_when_nobody_comes_there_is_no_match(clock: Traveller) -> None:
    match = running_match([person() for _ in range(3)], clock=LIVE, rated=True)
    for left in range(3):
        clock.shift(400)
        assert timekeeping.expire(match.pk)
        match.refresh_from_db()
        assert match.is_running == (left < 2)
        if match.is_running:
            assert bot_takes_turn(match)
    assert (match.status, match.reason) == (Match.Status.ABORTED, AbortReason.NO_SHOW)
    assert shows(match) == [True, True, True]
    assert first_difference(match) is None


def test_who_resigns_before_acting_with_three_does_not_keep_the_match_from_counting() -> None:
    people = [person() for _ in range(3)]
    match = running_match(people, clock=LIVE, rated=True)
    page = leaving(match, people[1])
    assert "resigning counts against you" in page
    assert "your rating will change" in page
    commands.resign(match.pk, 1, "resign-early")
    assert play_out(match).rating_changes.count() == 3
    assert match.seats.get(number=1).place == 3


def test_running_out_of_time_after_a_first_action_is_no_no_show(ann: User, bob: User, clock: Traveller) -> None:
    match = running_match([ann, bob], clock=LIVE)
    act(match, "end")
    act(match, "end")
    clock.shift(400)
    assert timekeeping.expire(match.pk)
    assert shows(match) == [False, False]


def test_resigning_before_ones_own_first_action_is_a_no_show(ann: User, bob: User) -> None:
    match = running_match([ann, bob])
    act(match, "end")
    commands.resign(match.pk, 1, "resign-early")
    assert shows(match) == [False, True]


def test_one_action_is_not_enough_to_leave_a_match_of_two_without_blame(ann: User, bob: User) -> None:
    """The match is not rated, so leaving it would cost nothing."""
    match = running_match([ann, bob], rated=True)
    act(match, "end")
    page = leaving(match, ann)
    assert "Your opponent has not made a move yet" in page
    assert "your rating will change" not in page
    commands.resign(match.pk, 0, "resign-early")
    assert shows(match) == [True, False]


def test_once_both_have_acted_resigning_costs_the_match_alone(ann: User, bob: User) -> None:
    match = running_match([ann, bob], rated=True)
    act(match, "end")
    act(match, "end")
    assert "your rating will change" in leaving(match, ann)
    commands.resign(match.pk, 0, "resign-later")
    assert shows(match) == [False, False]


def test_with_more_players_the_others_play_on_and_nobody_is_let_down(ann: User, bob: User) -> None:
    match = running_match([ann, bob, person()])
    act(match, "end")
    commands.resign(match.pk, 0, "resign-early")
    assert shows(match) == [False, False, False]


def test_not_finishing_a_first_turn_in_time_is_a_no_show(ann: User, bob: User, clock: Traveller) -> None:
    match = running_match([ann, bob], clock=LIVE)
    act(match, next(text for text in legal_texts(match, 0) if text.startswith("flip")))
    clock.shift(400)
    assert timekeeping.expire(match.pk)
    match.refresh_from_db()
    assert (match.status, shows(match)) == (Match.Status.ABORTED, [True, False])
    assert "Ann ran out of time before everyone had moved" in ending_in_words(match, list(match.seats.all()))


def test_nobody_is_let_down_by_a_match_alone(ann: User) -> None:
    abort(running_match([ann]), 0)
    commands.resign(running_match([ann]).pk, 0, "resign-alone")
    assert no_shows(ann, LONG_AGO) == []


def test_a_clock_runs_out_although_another_has_resigned_before_acting(clock: Traveller) -> None:
    match = running_match([person(), person(), person()], clock=LIVE)
    commands.resign(match.pk, 2, "resign-early")
    act(match, "end")
    act(match, "end")
    assert bot_takes_turn(match)
    clock.shift(400)
    assert timekeeping.expire(match.pk)
    match.refresh_from_db()
    assert match.is_running
    assert list(match.seats.values_list("left", flat=True)) == [2, None, 1]


# --- what it counts as ------------------------------------------------------------------------------------------------


def test_an_abort_is_not_finished_and_counts_as_a_missed_turn(ann: User, bob: User) -> None:
    abort(running_match([ann, bob]), 0)
    assert reliability_of(ann) == Reliability(turns=0, missed=1, matches=1)
    assert reliability_of(ann).finished == 0
    assert reliability_of(bob) == Reliability(turns=0, missed=0, matches=0)


def test_an_agreed_abort_counts_for_nobody(ann: User, bob: User) -> None:
    match = running_match([ann, bob])
    act(match, "end")
    abort(match, 0)
    abort(match, 1)
    assert reliability_of(ann) == reliability_of(bob) == Reliability(0, 0, 0)


def test_no_shows_are_told_with_their_moments_the_latest_first(ann: User, bob: User, clock: Traveller) -> None:
    moments = []
    for _ in range(3):
        clock.shift(timedelta(hours=1))
        moments.append(abort(running_match([ann, bob]), 0).ended_at)
    assert no_shows(ann, LONG_AGO) == moments[::-1]
    assert no_shows(ann, moments[1] or LONG_AGO) == [moments[2], moments[1]]
    assert no_shows(bob, LONG_AGO) == []


# --- the page ---------------------------------------------------------------------------------------------------------


def leaving(match: Match, user: User) -> str:
    return client_of(user).get(f"/match/{match.slug}/resign/").content.decode()


def test_the_page_says_what_aborting_costs(ann: User, bob: User, clock: Traveller) -> None:
    match = running_match([ann, bob])
    assert "it counts against you" in leaving(match, ann)
    act(match, "end")
    assert "If everyone agrees" in leaving(match, bob)
    clock.shift(timedelta(minutes=5))
    assert "nobody will blame you" in leaving(match, ann)
    assert "If everyone agrees" in leaving(match, bob)


# --- offering and declining -------------------------------------------------------------------------------------------


def test_an_offer_can_be_declined_and_says_who_made_it(ann: User, bob: User) -> None:
    match = running_match([ann, bob])
    act(match, "end")
    client_of(ann).post(f"/match/{match.slug}/abort/", {"offer": "1"})
    mine, theirs, watched = (client.get(match.get_absolute_url()).content.decode() for client in _readers(ann, bob))
    assert "You have offered to abort the match." in mine
    assert "Take it back" in mine
    assert "Ann offers to abort the match." in theirs
    assert [word in theirs for word in ("Agree", "Decline", "Take it back")] == [True, True, False]
    assert "Ann offers to abort the match." in watched
    assert "Decline" not in watched
    client_of(bob).post(f"/match/{match.slug}/abort/", {"offer": "declined"})
    match.refresh_from_db()
    assert match.is_running
    told = [client.get(match.get_absolute_url()).content.decode() for client in _readers(ann, bob)]
    assert not any('id="offer"' in page for page in told)
    assert ["Bob declined to abort the match." in page for page in told] == [True, False, False]
    client_of(ann).post(f"/match/{match.slug}/abort/", {"offer": "read"})
    assert 'id="declined"' not in client_of(ann).get(match.get_absolute_url()).content.decode()
    assert abort(match, 1).is_running  # what was declined is no agreement later
    assert abort(match, 0).reason == AbortReason.AGREED


@pytest.mark.parametrize("offering", [0, 1])
def test_whoever_offered_is_told_that_it_was_declined_until_somebody_acts(ann: User, bob: User, offering: int) -> None:
    match = running_match([ann, bob])
    act(match, "end")
    for _ in range(2):
        commands.offer_abort(match.pk, offering)
        commands.decline_abort(match.pk, 1 - offering)
    told = [client.get(match.get_absolute_url()).content.decode() for client in _readers(ann, bob)]
    assert ['id="declined"' in page for page in told] == [offering == 0, offering == 1, False]
    notice = Notice.objects.get(kind=Kind.DECLINED)
    assert (notice.user, notice.by) == ((ann, bob) if offering == 0 else (bob, ann))
    act(match, "end")
    told = [client.get(match.get_absolute_url()).content.decode() for client in _readers(ann, bob)]
    assert not any('id="declined"' in page for page in told)


def _readers(*players: User) -> list[Client]:
    return [*map(client_of, players), Client()]
