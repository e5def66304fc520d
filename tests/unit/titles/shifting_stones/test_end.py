"""How a match of two or more ends, and who wins it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from games.engine.protocol import Outcome
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.rules.patterns import CARDS, POINTS
from games.titles.shifting_stones.rules.state import EndTriggered, Finished, State
from tests.unit.titles.shifting_stones.positions import act, kinds, position

GOALS = [(2, 10), (3, 9), (4, 8), (5, 7)]
FIVES = tuple(card for card in CARDS if POINTS[card] == 5)
THREES = tuple(card for card in CARDS if POINTS[card] == 3)
TWOS = tuple(card for card in CARDS if POINTS[card] == 2 and card not in (8, 37, 60, 70))
ONES = tuple(card for card in CARDS if POINTS[card] == 1 and card not in (16, 21, 41, 55, 67))


def before_the_goal(seats: int, goal: int, mover: int, *, missing: int = 1, held: Sequence[int] = (16, 21)) -> State:
    """Return a position whose mover holds cards that lie on the grid and needs so many of them."""
    rest = [card for card in CARDS if card not in (*held, *ONES, *TWOS)]
    hands = [tuple(held) if seat == mover else (rest[seat],) for seat in range(seats)]
    scored = [(*ONES, *TWOS)[: goal - missing] if seat == mover else () for seat in range(seats)]
    return position(hands, scored=tuple(scored), mover=mover)


@pytest.mark.parametrize(("seats", "goal"), GOALS)
def test_end_is_triggered_by_so_many_cards(seats: int, goal: int) -> None:
    step = act(before_the_goal(seats, goal, 0), "score 16", "end")
    assert step.state.triggered_by == 0
    assert EndTriggered(None, 0, goal) in step.events
    assert GAME.outcome(step.state) is None


@pytest.mark.parametrize(("seats", "goal"), GOALS)
def test_end_is_not_triggered_by_one_card_less(seats: int, goal: int) -> None:
    state = act(before_the_goal(seats, goal, 0, missing=2), "score 16", "end").state
    assert state.triggered_by is None


@pytest.mark.parametrize(("seats", "goal"), GOALS)
def test_end_is_triggered_by_more_cards_too(seats: int, goal: int) -> None:
    step = act(before_the_goal(seats, goal, 0, held=(16, 21, 41)), "score 16", "score 21", "end")
    assert EndTriggered(None, 0, goal + 1) in step.events


def test_trigger_is_checked_at_the_end_of_a_turn_and_the_player_may_go_on_scoring() -> None:
    state = act(before_the_goal(2, 10, 0, held=(16, 21, 41)), "score 16").state
    assert state.triggered_by is None
    assert GAME.to_move(state) == {0}
    assert len(act(state, "score 21", "score 41").state.scored[0]) == 12


@pytest.mark.parametrize("text", ["end", "skip"])
def test_round_is_finished_so_that_everybody_has_had_the_same_number_of_turns(text: str) -> None:
    state = act(before_the_goal(4, 8, 1), "score 16", "end").state
    assert state.mover == 2
    state = act(state, text).state
    assert state.mover == 3
    step = act(state, text)
    assert GAME.to_move(step.state) == frozenset()
    assert step.state.round == 1


def test_first_player_triggers_and_everybody_else_has_one_more_turn() -> None:
    state = act(before_the_goal(3, 9, 0), "score 16", "end", "end").state
    assert GAME.outcome(state) is None
    assert GAME.outcome(act(state, "end").state) is not None


@pytest.mark.parametrize(("seats", "goal"), GOALS)
def test_last_player_of_the_round_triggers_and_it_ends_at_once(seats: int, goal: int) -> None:
    step = act(before_the_goal(seats, goal, seats - 1), "score 16", "end")
    assert step.state.ended == "goal"
    assert step.state.triggered_by == seats - 1
    assert kinds(step.events)[-2:] == ["triggered", "finished"]


def test_trigger_of_the_last_player_when_the_hand_empties() -> None:
    step = act(before_the_goal(2, 10, 1, held=(16,)), "score 16")
    assert step.state.ended == "goal"


def test_only_the_first_to_reach_the_goal_triggers() -> None:
    scored = (ONES[:10], TWOS[:9])
    state = position(((1, 2), (16, 21)), scored=scored, mover=1, triggered_by=0)
    step = act(state, "score 16", "end")
    assert "triggered" not in kinds(step.events)
    assert (step.state.triggered_by, step.state.ended) == (0, "goal")


def final(*scored: Sequence[int]) -> Outcome:
    """Return the outcome of a match in which these cards were scored, after the last turn of the last round."""
    seats = len(scored)
    taken = {card for cards in scored for card in cards}
    spare = iter(card for card in CARDS if card not in taken)
    hands = [tuple(next(spare) for _ in range(4)) for _ in range(seats)]
    state = position(hands, scored=tuple(map(tuple, scored)), mover=seats - 1, triggered_by=0)
    step = act(state, "end")
    outcome = GAME.outcome(step.state)
    assert outcome is not None
    assert isinstance(step.events[-1], Finished)
    assert (step.events[-1].places, step.events[-1].scores) == (outcome.places, outcome.scores)
    return outcome


def test_score_is_the_points_of_the_scored_cards() -> None:
    assert final(FIVES[:2], (*THREES[:2], *TWOS[:1])).scores == (10, 8)


def test_bonus_of_3_for_most_1_point_cards() -> None:
    assert final(ONES[:3], (*ONES[3:5], *TWOS[:1])).scores == (6, 4)


def test_bonus_for_everybody_tied_for_most() -> None:
    assert final(ONES[:2], ONES[2:4], ONES[4:5]).scores == (5, 5, 1)


def test_bonus_for_nobody_if_all_have_none() -> None:
    assert final(TWOS[:1], THREES[:1]).scores == (2, 3)


def test_bonus_for_one_single_1_point_card() -> None:
    assert final(ONES[:1], TWOS[:1], ()).scores == (4, 2, 0)


def test_bonus_is_told_with_the_end() -> None:
    state = position(((1, 2, 3, 4), (5, 6, 7, 9)), scored=(ONES[3:5], ONES[5:7]), mover=1, triggered_by=0)
    finished = act(state, "end").events[-1]
    assert finished == Finished(None, "goal", (1, 1), (5, 5), (0, 1))


def test_places_by_score() -> None:
    assert final(TWOS[:1], FIVES[:1], THREES[:1]).places == (3, 1, 2)


def test_equal_scores_share_a_place_and_the_next_one_is_left_out() -> None:
    assert final(FIVES[:1], THREES[:1], FIVES[1:2], ()).places == (1, 3, 1, 4)
    assert final(FIVES[:1], THREES[:1], THREES[1:2], ()).places == (1, 2, 2, 4)
    assert final((), (), (), (), ()).places == (1, 1, 1, 1, 1)


def test_idling_ends_the_match_at_the_end_of_round_100() -> None:
    state = position(((1, 2, 3, 4), (5, 6, 7, 9)), round=100)
    state = act(state, "end").state
    assert GAME.outcome(state) is None
    step = act(state, "end")
    assert GAME.outcome(step.state) == Outcome((1, 1), (0, 0), "idle")
    assert kinds(step.events) == ["ended", "finished"]


def test_idling_does_not_end_round_99() -> None:
    state = position(((1, 2, 3, 4), (5, 6, 7, 9)), round=99, mover=1)
    assert act(state, "end").state.round == 100


def test_idling_gives_the_bonus_and_places_as_any_end() -> None:
    state = position(((1, 2, 3, 4), (5, 6, 7, 9)), round=100, mover=1, scored=(ONES[3:4], THREES[3:4]))
    assert GAME.outcome(act(state, "end").state) == Outcome((1, 2), (4, 3), "idle")


def test_a_trigger_in_round_100_is_the_reason() -> None:
    state = before_the_goal(2, 10, 1)
    outcome = GAME.outcome(act(position(state.hands, scored=state.scored, mover=1, round=100), "score 16", "end").state)
    assert outcome is not None
    assert outcome.reason == "goal"


def test_standing_is_the_score_as_if_the_match_ended_now() -> None:
    state = position(((1, 2), (3, 4)), scored=(ONES[3:5], FIVES[:1]))
    assert GAME.standing(state) == (5, 5)
    assert GAME.standing(position(((1, 2), (3, 4)))) == (0, 0)
