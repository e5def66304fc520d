"""A turn: shift, flip, score, end, skip, and what is refused."""

from __future__ import annotations

import pytest

from games.engine.fair import FairChance
from games.engine.protocol import RuleViolation, Seat
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.rules.notation import Action, Flip, Score, Shift
from games.titles.shifting_stones.rules.state import (
    CardScored,
    CardsDrawn,
    CardsReceived,
    StoneFlipped,
    StonesShifted,
    TurnEnded,
    TurnSkipped,
)
from tests.unit.titles.shifting_stones.positions import GRID, SEED, act, legal, position, refused

HANDS = ((1, 2, 16, 21), (3, 4, 5, 6))


def test_shift_discards_a_card_and_swaps_two_adjacent_tiles() -> None:
    step = act(position(HANDS), "shift 2 a1 a2")
    assert step.state.grid == ("horse", "fish", "bird", "sun", "horse", "boat", "seed", "tree", "tree")
    assert step.state.hands[0] == (1, 16, 21)
    assert step.state.discards == (2,)
    assert step.events == (StonesShifted(None, 0, 2, 0, 3, "sun", "horse"),)


def test_flip_discards_a_card_and_turns_one_tile_over() -> None:
    step = act(position(HANDS), "flip 1 c3")
    assert step.state.grid == (*GRID[:8], "seed")
    assert step.state.hands[0] == (2, 16, 21)
    assert step.state.discards == (1,)
    assert step.events == (StoneFlipped(None, 0, 1, 8, "tree", "seed"),)


def test_score_lays_the_card_face_up_before_the_player() -> None:
    step = act(position(HANDS), "score 16")
    assert step.state.scored == ((16,), ())
    assert step.state.hands[0] == (1, 2, 21)
    assert step.state.discards == ()
    assert step.state.grid == GRID
    assert step.events == (CardScored(None, 0, 16, 1, (1, 4)),)


def test_a_scored_card_is_never_discarded_and_scores_once() -> None:
    state = act(position(HANDS), "score 16").state
    assert refused(state, "score 16") == "card-not-in-hand"
    assert refused(state, "flip 16 a1") == "card-not-in-hand"


def test_a_discarded_card_is_never_scored() -> None:
    assert refused(act(position(HANDS), "flip 16 a1").state, "score 16") == "card-not-in-hand"


def test_any_number_of_actions_in_any_order_while_cards_last() -> None:
    state = act(position(HANDS), "score 16", "flip 1 a1", "score 21").state
    assert state.mover == 0
    assert state.scored[0] == (16, 21)
    assert state.discards == (1,)


def test_discards_lie_in_the_order_in_which_they_were_thrown() -> None:
    assert act(position(HANDS), "flip 2 a1", "flip 1 a1", "flip 21 a1").state.discards == (2, 1, 21)


def test_end_refills_the_hand_to_four_from_the_front_of_the_pile() -> None:
    step = act(position(HANDS, deck=(30, 31, 32, 33)), "flip 1 a1", "flip 2 a1", "end")
    assert step.state.hands[0] == (16, 21, 30, 31)
    assert step.state.deck == (32, 33)
    assert step.events == (
        TurnEnded(None, 0, by_itself=False),
        CardsDrawn(None, 0, 2),
        CardsReceived(frozenset({Seat(0)}), 0, (30, 31)),
    )


def test_end_passes_the_turn_to_the_next_seat_and_after_the_last_to_the_first() -> None:
    state = position(((1, 2, 7, 9), (3, 4, 5, 6), (10, 11, 12, 13)))
    movers = [act(state, *["end"] * n).state.mover for n in range(5)]
    rounds = [act(state, *["end"] * n).state.round for n in range(7)]
    assert movers == [0, 1, 2, 0, 1]
    assert rounds == [1, 1, 1, 2, 2, 2, 3]


def test_skip_draws_two_cards_and_ends_the_turn() -> None:
    step = act(position(HANDS, deck=(30, 31, 32)), "skip")
    assert step.state.hands[0] == (1, 2, 16, 21, 30, 31)
    assert step.state.deck == (32,)
    assert step.state.mover == 1
    assert step.events == (
        TurnSkipped(None, 0),
        CardsDrawn(None, 0, 2),
        CardsReceived(frozenset({Seat(0)}), 0, (30, 31)),
    )


def test_legal_actions_of_a_whole_hand() -> None:
    actions = legal(position(HANDS))
    assert len(actions) == 4 * (12 + 9) + 2 + 2
    assert {"score 16", "score 21", "end", "skip"} <= actions
    assert not {"score 1", "score 2"} & actions


def test_legal_actions_list_each_shift_once() -> None:
    actions = list(GAME.legal_actions(position(HANDS), Seat(0)))
    assert len(actions) == len(set(actions))
    assert sum(isinstance(action, Shift) and action.card == 1 for action in actions) == 12


def test_legal_actions_are_those_that_apply_accepts() -> None:
    state = act(position(HANDS), "flip 1 b2").state
    tried: list[Action] = [Score(card) for card in range(1, 73)]
    tried += [Flip(card, 0) for card in range(1, 73)]
    tried += [Shift(2, first, second) for first in range(9) for second in range(9)]
    listed = set(GAME.legal_actions(state, Seat(0)))
    for action in tried:
        if action in listed:
            GAME.apply(state, Seat(0), action, FairChance(SEED, 1))
        else:
            refused(state, GAME.notate(action))
    assert {action for action in listed if not isinstance(action, Flip | Shift | Score)} == {GAME.parse("end")}


def test_nobody_else_has_legal_actions() -> None:
    assert list(GAME.legal_actions(position(HANDS), Seat(1))) == []


@pytest.mark.parametrize("text", ["shift 3 a1 b1", "flip 3 a1", "score 16", "end", "skip"])
def test_refused_not_your_turn(text: str) -> None:
    assert refused(position(HANDS), text, seat=1) == "not-your-turn"


@pytest.mark.parametrize("text", ["shift 1 a1 b1", "flip 1 a1", "score 16", "end", "skip"])
@pytest.mark.parametrize("seat", [0, 1])
def test_refused_match_over(seat: int, text: str) -> None:
    assert refused(position(HANDS, ended="goal"), text, seat=seat) == "match-over"


@pytest.mark.parametrize("text", ["shift 3 a1 b1", "flip 3 a1", "score 41"])
def test_refused_card_not_in_hand(text: str) -> None:
    assert refused(position(HANDS), text) == "card-not-in-hand"


def test_refused_card_not_in_hand_before_anything_is_said_about_the_cells() -> None:
    assert refused(position(HANDS), "shift 3 a1 a1") == "card-not-in-hand"


def test_refused_same_cell() -> None:
    assert refused(position(HANDS), "shift 1 b2 b2") == "same-cell"


@pytest.mark.parametrize("cells", ["a1 c1", "a1 b2", "c1 a2", "a2 c1", "a1 c3", "b1 b3", "c2 a3"])
def test_refused_not_adjacent(cells: str) -> None:
    assert refused(position(HANDS), f"shift 1 {cells}") == "not-adjacent"


@pytest.mark.parametrize("cells", ["a1 b1", "b1 a1", "b2 c2", "c2 b2", "a2 a3", "a3 a2"])
def test_shift_accepts_the_cells_in_either_order(cells: str) -> None:
    one, other = cells.split()
    there, back = act(position(HANDS), f"shift 1 {one} {other}"), act(position(HANDS), f"shift 1 {other} {one}")
    assert there.state == back.state


def test_refused_pattern_not_on_grid() -> None:
    assert refused(position(HANDS), "score 1") == "pattern-not-on-grid"


def test_refused_skip_after_acting() -> None:
    assert refused(act(position(HANDS), "flip 1 a1").state, "skip") == "skip-after-acting"


def test_refused_skip_twice() -> None:
    assert refused(act(position(HANDS), "skip", "end").state, "skip") == "skip-twice"


def test_refused_skip_hand_too_full() -> None:
    assert refused(position(((1, 2, 3, 4, 5), (6, 7, 9, 10))), "skip") == "skip-hand-too-full"


def test_a_refusal_explains_itself_to_people() -> None:
    with pytest.raises(RuleViolation, match="do not show this card"):
        act(position(HANDS), "score 1")
