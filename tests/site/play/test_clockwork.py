"""Clocks of a match: whose runs, what a turn costs and earns, what undo leaves, and whose time is up."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from time_machine import Traveller

from accounts.models import User
from games.engine.protocol import RuleViolation
from games.play import commands, timekeeping
from games.play.models import Action, Match, Seat
from games.play.reducer import clockwork, positions
from games.play.reducer.actions import Stale
from tests.clocked import DAYS, LIVE, MONDAY
from tests.people import act, bot_takes_turn, person, running_match
from tests.site.bots.test_turns import against_bots

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
START = 300 * SECOND


def duel(*users: User, **fields: Any) -> Match:
    return running_match(users or [person(), person()], **{"clock": LIVE, "seed": bytes(32), **fields})


def seat(match: Match, number: int) -> Seat:
    return Seat.objects.get(match=match, number=number)


def flip(match: Match) -> str:
    return next(text for text in positions.legal_texts(match, 0) if text.startswith("flip"))


def refusal(code: str) -> Any:
    return pytest.raises(RuleViolation, check=lambda error: error.code == code)


# --- running ----------------------------------------------------------------------------------------------------------


def test_the_clock_of_who_is_to_move_runs_and_no_other(clock: Traveller) -> None:
    match = duel()
    first, second = seat(match, 0), seat(match, 1)
    assert (first.bank, first.running_since, first.deadline) == (START, MONDAY, MONDAY + START)
    assert (second.bank, second.running_since, second.deadline) == (START, None, None)


def test_a_turn_costs_its_time_and_earns_the_increment(clock: Traveller) -> None:
    match = duel()
    clock.shift(30)
    act(match, "end")
    assert (seat(match, 0).bank, seat(match, 0).deadline) == (START - 30 * SECOND + 10 * SECOND, None)
    assert seat(match, 1).deadline == MONDAY + 30 * SECOND + START


def test_an_action_that_does_not_end_the_turn_earns_nothing(clock: Traveller) -> None:
    match = duel()
    clock.shift(30)
    act(match, flip(match))
    assert (seat(match, 0).bank, seat(match, 0).deadline) == (START, MONDAY + START)


def test_what_is_left_is_nothing_after_the_deadline_and_never_less(clock: Traveller) -> None:
    match = duel()
    found = seat(match, 0)
    late = MONDAY + START + SECOND
    assert clockwork.left_of(found, late - 2 * SECOND, {}) == SECOND
    assert clockwork.left_of(found, late, {}) == timedelta()


def test_bots_have_no_clock(ann: User, clock: Traveller) -> None:
    match = against_bots([ann, person()], clock=LIVE)
    assert [each.bank for each in match.seats.order_by("number")] == [START, START, None]


def test_nobody_has_more_than_the_cap(clock: Traveller) -> None:
    match = duel(clock="300+10/300")
    clock.shift(4)
    act(match, "end")
    assert seat(match, 0).bank == START


def test_each_action_keeps_what_its_seat_had_left(clock: Traveller) -> None:
    match = duel()
    clock.shift(30)
    act(match, flip(match))
    clock.shift(10)
    act(match, "end")
    left = Action.objects.filter(match=match).order_by("number").values_list("clock", flat=True)
    assert list(left) == [START - 30 * SECOND, START - 40 * SECOND]


def test_a_match_without_a_clock_waits_for_ever(clock: Traveller) -> None:
    match = duel(clock="")
    clock.shift(timedelta(days=1000))
    act(match, "end")
    assert match.is_running
    assert not Seat.objects.exclude(bank=None, deadline=None).exists()


def test_who_plays_alone_has_no_clock(clock: Traveller) -> None:
    match = running_match([person()], clock=LIVE)
    assert (seat(match, 0).bank, seat(match, 0).deadline) == (None, None)


def test_clocks_stand_when_the_match_is_over(clock: Traveller) -> None:
    match = duel()
    commands.resign(match.pk, 0, "resign-once")
    assert not Seat.objects.exclude(running_since=None, deadline=None).exists()


def test_clocks_stand_when_the_match_is_aborted(clock: Traveller) -> None:
    match = duel()
    commands.offer_abort(match.pk, 1)
    assert not Seat.objects.exclude(running_since=None, deadline=None).exists()


def test_whoever_has_left_has_no_clock(clock: Traveller) -> None:
    match = duel(person(), person(), person())
    commands.resign(match.pk, 0, "resign-once")
    assert seat(match, 0).deadline is None
    bot_takes_turn(match)
    assert seat(match, 1).deadline == MONDAY + START


@pytest.mark.parametrize("turns", [0, 3])
def test_whoever_leaves_earns_nothing_by_it(clock: Traveller, turns: int) -> None:
    match = duel(person(), person(), person(), clock="300+10/900")
    for _ in range(turns):
        act(match, "end")
    had = seat(match, 0).bank
    assert had is not None
    clock.shift(30)
    commands.resign(match.pk, 0, "resign-once")
    assert seat(match, 0).bank == had - 30 * SECOND


def both_have_confirmed(match: Match) -> None:
    for number in (0, 1):
        act(match, "1", seat=number)


# --- undo -------------------------------------------------------------------------------------------------------------


def test_undo_within_a_turn_gives_no_time_back(clock: Traveller) -> None:
    match = duel()
    clock.shift(30)
    act(match, flip(match))
    clock.shift(10)
    commands.undo(match.pk, 0, match.version)
    assert seat(match, 0).deadline == MONDAY + START


def test_undo_of_a_turn_loses_the_increment_and_the_time_since(clock: Traveller, sealed_game: str) -> None:
    match = duel(game=sealed_game)
    clock.shift(30)
    act(match, "1", seat=0)
    assert seat(match, 0).bank == START - 20 * SECOND
    clock.shift(15)
    commands.undo(match.pk, 0, match.version)
    assert (seat(match, 0).bank, seat(match, 0).deadline) == (START - 30 * SECOND, MONDAY + START)


def test_to_end_a_turn_and_undo_it_again_and_again_earns_nothing(clock: Traveller, sealed_game: str) -> None:
    match = duel(game=sealed_game)
    for _ in range(5):
        act(match, "1", seat=0)
        match.refresh_from_db()
        commands.undo(match.pk, 0, match.version)
    act(match, "1", seat=0)
    assert seat(match, 0).bank == START + 10 * SECOND


def test_an_undo_costs_only_the_one_who_undoes(clock: Traveller) -> None:
    match = duel()
    act(match, "end")
    clock.shift(20)
    commands.undo(match.pk, 0, match.version)
    assert (seat(match, 1).bank, seat(match, 1).deadline) == (START, None)
    assert seat(match, 0).deadline == MONDAY + START


def test_what_would_leave_no_time_cannot_be_taken_back(clock: Traveller, sealed_game: str) -> None:
    match = duel(game=sealed_game)
    both_have_confirmed(match)
    clock.shift(305)
    act(match, "1", seat=0)
    clock.shift(4)
    commands.undo(match.pk, 0, match.version)
    act(match, "1", seat=0)
    Seat.objects.filter(match=match, number=1).update(bank=2 * START, deadline=MONDAY + 2 * START)  # no need to hurry
    clock.shift(2)
    with refusal("no-time-left"):
        commands.undo(match.pk, 0, match.version)
    assert seat(match, 0).bank == 11 * SECOND


# --- simultaneous turns -----------------------------------------------------------------------------------------------


def test_in_a_simultaneous_turn_everybody_who_has_not_confirmed_runs_their_own_clock(
    clock: Traveller, sealed_game: str
) -> None:
    match = duel(game=sealed_game)
    assert {seat(match, number).deadline for number in (0, 1)} == {MONDAY + START}
    clock.shift(30)
    act(match, "1", seat=1)
    assert (seat(match, 1).bank, seat(match, 1).deadline) == (START - 20 * SECOND, None)
    assert seat(match, 0).deadline == MONDAY + START


def test_the_last_to_confirm_earns_the_increment_though_the_next_turn_begins_at_once(
    clock: Traveller, sealed_game: str
) -> None:
    match = duel(game=sealed_game)
    act(match, "1", seat=1)
    clock.shift(30)
    act(match, "2", seat=0)
    assert seat(match, 0).bank == START - 20 * SECOND
    assert seat(match, 0).deadline == MONDAY + 30 * SECOND + START - 20 * SECOND
    assert seat(match, 1).running_since == MONDAY + 30 * SECOND


def test_of_a_simultaneous_turn_all_who_are_late_are_taken_out(clock: Traveller, sealed_game: str) -> None:
    match = running_match([person(), person(), person()], game=sealed_game, clock=LIVE)
    for number in range(3):
        act(match, str(number + 1), seat=number)
    act(match, "1", seat=2)
    clock.shift(2 * START)
    timekeeping.expire(match.pk)
    assert [seat(match, number).has_left for number in range(3)] == [True, True, False]


# --- time is up -------------------------------------------------------------------------------------------------------


def both_have_acted(match: Match) -> None:
    act(match, "end")
    act(match, "end")


def test_an_action_after_the_deadline_is_refused_and_the_seat_loses(clock: Traveller) -> None:
    match = duel()
    both_have_acted(match)
    clock.shift(2 * START)
    with refusal("out-of-time"):
        act(match, "end")
    match.refresh_from_db()
    assert (match.status, match.reason) == (Match.Status.OVER, "timeout")
    assert [it.place for it in match.seats.all()] == [2, 1]
    assert Action.objects.filter(match=match, text="timeout", seat=0).count() == 1


def test_an_action_in_the_last_moment_counts_and_one_at_the_deadline_does_not(clock: Traveller) -> None:
    for early, counts in ((timedelta(microseconds=1), True), (timedelta(), False)):
        match = duel()
        both_have_acted(match)
        deadline = seat(match, 0).deadline
        assert deadline is not None
        clock.move_to(deadline - early)
        if counts:
            act(match, "end")
        else:
            with refusal("out-of-time"):
                act(match, "end")


@pytest.mark.parametrize("late", ["undo", "resign", "abort"])
def test_nothing_else_helps_whose_time_is_up(clock: Traveller, late: str) -> None:
    match = duel()
    both_have_acted(match)
    clock.shift(2 * START)
    wishes = {
        "undo": lambda: commands.undo(match.pk, 0, match.version),
        "resign": lambda: commands.resign(match.pk, 0, "resign-late"),
        "abort": lambda: commands.offer_abort(match.pk, 0),
    }
    with refusal("out-of-time"):
        wishes[late]()
    match.refresh_from_db()
    assert match.reason == "timeout"


def test_who_comes_when_the_time_of_another_is_up_sees_that_first(clock: Traveller) -> None:
    match = duel()
    both_have_acted(match)
    clock.shift(2 * START)
    with pytest.raises(Stale):
        commands.resign(match.pk, 1, "resign-early")
    match.refresh_from_db()
    assert [it.place for it in match.seats.all()] == [2, 1]


def test_before_everybody_has_acted_a_timeout_aborts_the_match(clock: Traveller) -> None:
    match = duel(rated=True)
    act(match, "end")
    clock.shift(2 * START)
    assert timekeeping.expire(match.pk)
    match.refresh_from_db()
    assert (match.status, match.reason) == (Match.Status.ABORTED, "no-show")
    assert [it.place for it in match.seats.all()] == [None, None]


def test_a_timeout_is_carried_out_once(clock: Traveller) -> None:
    match = duel()
    both_have_acted(match)
    clock.shift(2 * START)
    assert [timekeeping.expire(match.pk) for _ in range(3)] == [True, False, False]
    assert Action.objects.filter(match=match, text="timeout").count() == 1


def test_nothing_expires_before_its_time(clock: Traveller) -> None:
    match = duel()
    assert not timekeeping.expire(match.pk)
    assert match.is_running


def test_in_a_match_of_three_a_bot_takes_the_seat_and_the_others_go_on(clock: Traveller) -> None:
    match = duel(person(), person(), person())
    for _ in range(3):
        act(match, "end")
    clock.shift(2 * START)
    timekeeping.expire(match.pk)
    assert bot_takes_turn(match)
    match.refresh_from_db()
    assert match.is_running
    assert seat(match, 0).left == 1
    assert set(Action.objects.filter(match=match, by_bot=True).values_list("seat", flat=True)) == {0}
    assert seat(match, 1).deadline == MONDAY + 2 * START + START + 10 * SECOND


# --- over days --------------------------------------------------------------------------------------------------------


NIGHTS: dict[str, Any] = {"time_zone": "Europe/Berlin", "sleep_from": time(23), "sleep_until": time(7)}


def test_a_day_clock_stands_still_at_night_and_on_weekends_of_its_player(clock: Traveller) -> None:
    match = duel(person(**NIGHTS, free_weekends=True), person(), clock=DAYS, speed="days")
    assert seat(match, 0).deadline == datetime(2026, 3, 13, 20, tzinfo=UTC)  # 72 of 16 hours a day
    act(match, "end")
    assert seat(match, 1).deadline == MONDAY + timedelta(days=3)


def test_a_live_clock_never_stands_still(clock: Traveller) -> None:
    clock.move_to(MONDAY + timedelta(hours=10))
    match = duel(person(**NIGHTS), person())
    assert seat(match, 0).deadline == MONDAY + timedelta(hours=10) + START


def test_a_day_clock_keeps_what_held_when_it_began_to_run(clock: Traveller) -> None:
    ann = person()
    match = duel(ann, person(), clock=DAYS, speed="days")
    User.objects.filter(pk=ann.pk).update(**NIGHTS)
    clock.shift(timedelta(days=1))
    act(match, flip(match))
    assert seat(match, 0).deadline == MONDAY + timedelta(days=3)
    act(match, "end")
    assert seat(match, 0).bank == timedelta(days=3)
    act(match, "end")
    assert seat(match, 0).deadline == datetime(2026, 3, 14, 20, tzinfo=UTC)


def test_a_deadline_can_be_missed_over_days_as_well(clock: Traveller) -> None:
    match = duel(clock=DAYS, speed="days")
    both_have_acted(match)
    clock.shift(timedelta(days=3))
    assert timekeeping.expire(match.pk)
