"""The reducer computes from what it is given: no test here may touch a database."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from games.play.clocks import Control
from games.play.commands import prepare_match
from games.play.models import AbortReason, Match, Seat
from games.play.reducer import advance
from games.play.reducer.actions import Act, OfferAbort, Resign, Stale, TakeBack
from games.play.reducer.draft import Change, Snapshot
from games.play.reducer.positions import legal_texts
from games.play.signals import action_committed, match_aborted, match_over, match_started, turns_began

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
SECONDS = timedelta(seconds=1)
MINUTES = timedelta(minutes=1)
GAME = "shifting-stones"
BLITZ = Control(5 * MINUTES, 10 * SECONDS, 10 * MINUTES)


def begun(seats: int = 2, clock: Control | None = None, game: str = GAME) -> Snapshot:
    """Return a match that has just begun."""
    match = prepare_match(game, {}, seats, clock=str(clock) if clock else "")
    match.server_seed = bytes(32)
    rows = tuple(Seat(match=match, number=number, user_id=number + 1) for number in range(seats))
    return after(advance.begin(Snapshot(match, rows, newest=()), NOON))


def after(change: Change) -> Snapshot:
    """Return the match as it is after a change."""
    actions = (*change.before.actions, *change.added)
    standing = tuple(action for action in actions if action not in change.taken_back)
    return Snapshot(change.match, change.seats, change.newest, change.past, standing)


def acted(before: Snapshot, seat: int, text: str = "end", now: datetime = NOON) -> Snapshot:
    return after(advance.advance(before, Act(seat, text, before.match.version, "a-request"), now))


def both_acted(before: Snapshot) -> Snapshot:
    return acted(acted(before, 0), 1)


def signals(change: Change) -> list[object]:
    return [happened.signal for happened in change.happened]


def rows(snapshot: Snapshot) -> Sequence[dict[str, object]]:
    return [copy.copy(vars(row)) for row in (snapshot.match, *snapshot.seats)]


def test_a_match_begins_dealt_with_the_first_turn_and_its_clock() -> None:
    before = begun(clock=BLITZ)
    assert before.match.is_running
    assert [seat.to_move for seat in before.seats] == [True, False]
    assert [seat.deadline for seat in before.seats] == [NOON + 5 * MINUTES, None]


def test_beginning_is_told_after_the_first_turn() -> None:
    match = prepare_match(GAME, {}, 2)
    change = advance.begin(Snapshot(match, (Seat(number=0), Seat(number=1))), NOON)
    assert signals(change) == [turns_began, match_started]


def test_an_action_changes_copies_only() -> None:
    before = begun()
    kept = rows(before)
    change = advance.advance(before, Act(0, "end", before.match.version, "a-request"), NOON)
    assert rows(before) == kept
    assert (change.match.version, change.match.length) == (before.match.version + 1, 1)
    assert [(action.number, action.text, action.client_id) for action in change.added] == [(1, "end", "a-request")]
    assert signals(change) == [turns_began, action_committed]


def test_the_same_request_at_the_same_time_gives_the_same_change() -> None:
    before = begun(clock=BLITZ)
    request = Act(0, "end", before.match.version, "a-request")
    one, two = (advance.advance(before, request, NOON + MINUTES) for _ in range(2))
    assert rows(after(one)) != rows(before)
    for row, other in zip(rows(after(one)), rows(after(two)), strict=True):
        assert {name: value for name, value in row.items() if name != "_state"} == {
            name: value for name, value in other.items() if name != "_state"
        }


def test_a_turn_is_charged_and_earns_its_increment() -> None:
    before = begun(clock=BLITZ)
    mine = acted(before, 0, now=NOON + MINUTES).seats[0]
    assert (mine.bank, mine.deadline) == (4 * MINUTES + 10 * SECONDS, None)


def test_time_never_runs_backwards() -> None:
    before = begun(clock=BLITZ)
    change = advance.advance(before, Act(0, "end", before.match.version, "a-request"), NOON - MINUTES)
    assert (change.added[0].at, change.match.moved_at, change.seats[0].bank) == (
        NOON,
        NOON,
        5 * MINUTES + 10 * SECONDS,
    )


def test_an_old_version_is_stale() -> None:
    before = acted(begun(), 0)
    with pytest.raises(Stale):
        advance.advance(before, Act(1, "end", before.match.version - 1, "a-request"), NOON)


def test_whoever_is_late_loses_and_that_is_all_that_happens() -> None:
    before = both_acted(begun(clock=BLITZ))
    change = advance.advance(before, Act(0, "end", before.match.version, "a-request"), NOON + 6 * MINUTES)
    assert change.late == (0,)
    assert [action.text for action in change.added] == ["timeout"]
    assert [seat.place for seat in change.seats] == [2, 1]
    assert signals(change) == [action_committed, match_over]


def test_a_match_in_which_somebody_never_acted_is_aborted_by_the_clock() -> None:
    before = begun(clock=BLITZ)
    change = advance.wait(before, NOON + 5 * MINUTES)
    assert change is not None
    assert (change.match.status, change.match.reason) == (Match.Status.ABORTED, AbortReason.NO_SHOW)
    assert [(seat.timed_out, seat.no_show) for seat in change.seats] == [(True, True), (False, False)]
    assert signals(change) == [match_aborted]


def test_before_the_deadline_time_alone_does_nothing() -> None:
    assert advance.wait(begun(clock=BLITZ), NOON + 4 * MINUTES) is None


def test_time_in_which_no_worker_ran_is_forgiven() -> None:
    before = both_acted(begun(clock=BLITZ))
    unwatched = Snapshot(before.match, before.seats, unwatched_since=NOON + MINUTES)
    change = advance.wait(unwatched, NOON + 10 * MINUTES)
    assert change is not None
    assert (change.late, change.seats[0].bank) == ((), 4 * MINUTES + 10 * SECONDS)
    assert change.seats[0].deadline == NOON + 14 * MINUTES + 10 * SECONDS


def test_what_is_taken_back_is_withdrawn_and_its_position_restored() -> None:
    before = begun()
    text = next(text for text in legal_texts(before.match, 0) if text.startswith("flip"))
    flipped = acted(before, 0, text)
    change = advance.advance(flipped, TakeBack(0, flipped.match.version, most=1), NOON)
    assert [action.withdrawn for action in change.taken_back] == [True]
    assert (change.match.state, change.match.length) == (before.match.state, 0)
    assert not any(action.withdrawn for action in flipped.actions)


def test_a_clock_put_back_to_before_an_outage_has_not_run_through_it() -> None:
    before = begun(clock=BLITZ, game="card-chess")
    played = acted(before, 0, legal_texts(before.match, 0)[0], NOON + MINUTES)
    outage = (NOON + 2 * MINUTES, NOON + 60 * MINUTES)
    request = TakeBack(0, played.match.version, most=1)
    late = replace(played, outages=(outage,), unwatched_since=outage[0])
    change = advance.advance(late, request, NOON + 61 * MINUTES)
    assert change.seats[0].deadline == NOON + 63 * MINUTES
    early = advance.advance(replace(played, outages=()), request, NOON + 2 * MINUTES)
    assert early.seats[0].deadline == NOON + 5 * MINUTES


def test_resigning_ends_a_match_of_two() -> None:
    change = advance.advance(both_acted(begun()), Resign(0, "a-request"), NOON)
    assert (change.match.is_over, change.match.reason) == (True, "resign")
    assert [seat.place for seat in change.seats] == [2, 1]


def test_a_match_of_three_goes_on_with_a_bot() -> None:
    before = begun(3)
    change = advance.advance(before, Resign(1, "a-request"), NOON)
    assert (change.match.is_running, change.seats[1].left) == (True, 1)
    bot = acted(after(change), 0)
    played = advance.advance(bot, Act(1, "end", bot.match.version, "a-bot's-turn", by_bot=True), NOON)
    assert [(action.seat, action.by_bot) for action in played.added] == [(1, True)]


def test_a_secret_play_of_a_bot_holds_for_the_turn_it_thought_about_alone() -> None:
    """What others seal meanwhile makes no difference to it; the next turn does."""
    match = after(advance.advance(begun(3, game="card-chess"), Resign(1, "a-request"), NOON))
    seen = match.match.version

    def bot(now: Snapshot) -> Snapshot:
        return after(
            advance.advance(now, Act(1, legal_texts(now.match, 1)[0], seen, "a-bot's-turn", by_bot=True), NOON)
        )

    turn = acted(match, 0, legal_texts(match.match, 0)[0])
    turn = bot(turn)
    turn = acted(turn, 2, legal_texts(turn.match, 2)[0])
    assert turn.seats[1].to_move
    with pytest.raises(Stale):
        bot(turn)


def test_a_match_is_aborted_when_all_agree() -> None:
    before = both_acted(begun())
    offered = after(advance.advance(before, OfferAbort(0, True), NOON))
    assert offered.match.is_running
    change = advance.advance(offered, OfferAbort(1, True), NOON)
    assert (change.match.status, change.match.reason) == (Match.Status.ABORTED, AbortReason.AGREED)
