"""Playing alone."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.protocol import Outcome
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.rules.patterns import CARDS, Card
from games.titles.shifting_stones.rules.state import Finished, State, Strike, TurnEnded
from tests.unit.titles.shifting_stones.positions import act, kinds, legal, position, refused

HAND = (1, 2, 16, 21)
DECK = (8, 37, 41, 5, 6, 7, 9, 10, 11, 12, 13, 14)
"""With HAND a deck of 16; for these tests the values of the cards do not matter."""


def alone(**changes: Any) -> State:
    return position((HAND,), deck=DECK, **changes)


def test_a_turn_that_ends_without_a_scored_card_is_a_strike() -> None:
    step = act(alone(), "flip 1 a1", "end")
    assert step.state.strikes == 1
    assert kinds(step.events) == ["ended", "strike", "drawn", "received"]
    assert Strike(None, 0, 3) in step.events


def test_a_turn_without_an_action_is_a_strike() -> None:
    assert act(alone(), "end").state.strikes == 1


def test_a_skip_is_a_strike_too() -> None:
    step = act(alone(), "skip")
    assert step.state.strikes == 1
    assert len(step.state.hands[0]) == 6
    assert kinds(step.events) == ["skipped", "drawn", "received", "strike"]


def test_a_turn_with_a_scored_card_is_no_strike() -> None:
    assert act(alone(), "flip 1 b2", "score 21", "end").state.strikes == 0


def test_a_card_scored_in_an_earlier_turn_does_not_help() -> None:
    assert act(alone(), "score 16", "end", "end").state.strikes == 1


def test_a_turn_that_ends_by_itself_is_a_strike_when_nothing_was_scored() -> None:
    step = act(position(((1, 2),), deck=DECK), "flip 1 a1", "flip 2 a1")
    assert step.state.strikes == 1
    assert TurnEnded(None, 0, by_itself=True) in step.events


def test_a_turn_that_ends_by_itself_is_no_strike_when_a_card_was_scored() -> None:
    assert act(position(((1, 16),), deck=DECK), "score 16", "flip 1 a1").state.strikes == 0


def test_win_is_the_16th_card_scored_at_once() -> None:
    state = position(((16, 21),), deck=(), scored=(tuple(range(40, 54)),), strikes=2)
    state = act(state, "score 16").state
    assert GAME.outcome(state) is None
    step = act(state, "score 21")
    assert step.state.ended == "won"
    assert kinds(step.events) == ["scored", "finished"]
    assert step.reveals


def test_win_has_place_1_and_the_points_scored_as_score() -> None:
    state = position(((16,),), deck=(), scored=(tuple(range(40, 55)),))
    points = sum(card.points for card in _cards(range(40, 55))) + 1
    assert GAME.outcome(act(state, "score 16").state) == Outcome((1,), (points,), "won")


def test_no_bonus_alone() -> None:
    state = alone(scored=((23,),))
    assert GAME.standing(state) == (1,)
    assert GAME.view_for(state, None).bonus_seats == ()


@pytest.mark.parametrize("texts", [("end",), ("flip 1 a1", "end")])
def test_loss_is_the_4th_strike_at_once_and_refills_nothing(texts: tuple[str, ...]) -> None:
    step = act(alone(strikes=3, scored=((23, 24),)), *texts)
    assert GAME.outcome(step.state) == Outcome((2,), (2,), "lost")
    assert kinds(step.events) == ["ended", "strike", "finished"]
    assert step.state.deck == DECK
    assert Strike(None, 0, 0) in step.events
    assert isinstance(step.events[-1], Finished)
    assert step.reveals


def test_loss_when_the_hand_empties_refills_nothing() -> None:
    step = act(position(((1,),), deck=DECK, strikes=3), "flip 1 a1")
    assert step.state.ended == "lost"
    assert (step.state.hands, step.state.deck) == (((),), DECK)


def test_loss_by_a_skip_comes_after_its_two_cards() -> None:
    step = act(alone(strikes=3), "skip")
    assert step.state.ended == "lost"
    assert kinds(step.events) == ["skipped", "drawn", "received", "strike", "finished"]


def test_three_strikes_do_not_lose() -> None:
    assert GAME.outcome(act(alone(strikes=2), "end").state) is None


def test_skip_never_twice_running_alone_either() -> None:
    state = position((HAND[:2],), deck=DECK)
    assert refused(act(state, "skip").state, "skip") == "skip-twice"
    assert "skip" in legal(act(state, "skip", "end").state)


def test_there_is_no_trigger_alone() -> None:
    state = act(alone(scored=(tuple(range(40, 50)),)), "score 16", "end").state
    assert state.triggered_by is None


def test_result_shown_is_strikes_left_and_turns_begun() -> None:
    view = GAME.view_for(alone(), None)
    assert (view.strikes_left, view.round) == (4, 1)
    view = GAME.view_for(act(alone(), "end", "score 16", "end", "end").state, None)
    assert (view.strikes_left, view.round) == (2, 4)


def test_result_shown_after_the_end_counts_the_last_turn_as_begun() -> None:
    state = act(alone(strikes=2), "end", "end").state
    assert (state.ended, state.round) == ("lost", 2)


def test_discards_come_back_when_the_pile_is_empty() -> None:
    step = act(position(((16, 1, 2),), deck=(), scored=(tuple(range(40, 53)),)), "flip 1 b2", "flip 2 b2", "end")
    assert sorted(step.state.hands[0]) == [1, 2, 16]
    assert step.state.pile == 1


def _cards(ids: range) -> list[Card]:
    return [CARDS[card] for card in ids]
