"""What programs know of playing Shifting Stones: how far patterns are away, turns that pay, and reasons for them."""

from __future__ import annotations

import pytest

from games.engine.dice import Dice
from games.engine.protocol import Seat
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.advice import compare, explain
from games.titles.shifting_stones.insight import candidates
from games.titles.shifting_stones.insight.planning import MOVES, best_worth, moves_to, turns
from games.titles.shifting_stones.rules.notation import Flip, Shift
from games.titles.shifting_stones.rules.patterns import CARDS, POINTS, bits_after, grid_bits, lies_on
from tests.unit.titles.shifting_stones.positions import ELSEWHERE, GRID, LYING_ONES, LYING_TWOS, position


def test_the_moves_to_a_pattern_are_exact_for_none_and_one() -> None:
    bits = grid_bits(GRID)
    beside = [bits_after(bits, move) for move in MOVES]
    for card in CARDS:
        near = any(lies_on(card, after) for after in beside)
        assert (moves_to(card, bits) == 0) == lies_on(card, bits)
        assert (moves_to(card, bits) <= 1) == (near or lies_on(card, bits))


def test_what_lies_is_scored_before_anything_else() -> None:
    state = position(((*LYING_ONES[:2], *LYING_TWOS[:1], ELSEWHERE[0]), ELSEWHERE[1:5]))
    [plan, *_] = candidates(state, Seat(0), Dice(1))
    scored = {GAME.notate(action) for action in plan if GAME.notate(action).startswith("score")}
    assert scored == {f"score {card}" for card in (*LYING_ONES[:2], *LYING_TWOS[:1])}


def test_the_best_turn_is_worth_what_it_is_said_to_be() -> None:
    state = GAME.start(2, {}, Dice(5)).state
    for choice in range(40):
        assert best_worth(state) == turns(state)[0].worth
        action = turns(state)[choice % 3].actions[0]
        state = GAME.apply(state, Seat(state.mover), action, Dice(choice)).state


def test_plans_depend_on_which_cards_were_not_seen_but_not_on_who_holds_them() -> None:
    state = position((ELSEWHERE[:4], ELSEWHERE[4:8]))
    others = position((ELSEWHERE[:4], ELSEWHERE[8:12]))
    assert [turn.actions for turn in turns(state, denying=True)] == [
        turn.actions for turn in turns(others, denying=True)
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"score {LYING_TWOS[0]}", "Scores 2 points at once ("),
        ("skip", "No card is worth spending now, and you draw two more."),
        ("end", "Nothing more is worth a card in this turn: keep your hand."),
    ],
)
def test_reasons_name_what_an_action_brings(text: str, told: str) -> None:
    state = position(((LYING_TWOS[0], *ELSEWHERE[:3]), ELSEWHERE[4:8]))
    assert explain(GAME.view_for(state, Seat(0)), GAME.parse(text)).startswith(told)


def test_the_reason_for_a_move_is_the_card_that_can_be_scored_then() -> None:
    hand = ELSEWHERE[:4]
    view, bits = GAME.view_for(position((hand, ELSEWHERE[4:8])), Seat(0)), grid_bits(GRID)
    told = set()
    for action in GAME.legal_actions(position((hand, ELSEWHERE[4:8])), Seat(0)):
        if not isinstance(action, Flip | Shift):
            continue
        cells = (action.cell,) if isinstance(action, Flip) else (action.first, action.second)
        lying = any(lies_on(card, bits_after(bits, cells)) for card in hand if card != action.card)
        assert explain(view, action).startswith("This lets you score") == lying
        told.add(lying)
    assert False in told


@pytest.mark.parametrize(
    ("played", "better", "told"),
    [
        ("end", f"score {LYING_TWOS[0]}", f"Card {LYING_TWOS[0]} for 2 points more."),
        (f"score {LYING_ONES[0]}", f"score {LYING_TWOS[0]}", f"Card {LYING_TWOS[0]} for 1 point more."),
        (
            f"score {LYING_TWOS[0]}, flip {ELSEWHERE[0]} a1",
            f"score {LYING_TWOS[0]}",
            "The same points, and 1 card more in your hand.",
        ),
        ("end", "skip", "Skipping draws two more cards."),
        ("end", "end", ""),
    ],
)
def test_two_turns_are_compared_by_what_the_better_one_brings(played: str, better: str, told: str) -> None:
    view = GAME.view_for(position(((LYING_TWOS[0], LYING_ONES[0], ELSEWHERE[0]), ELSEWHERE[4:8])), Seat(0))
    plans = [tuple(map(GAME.parse, text.split(", "))) for text in (played, better)]
    assert compare(view, plans[0], plans[1]) == told
    assert compare(GAME.view_for(position(((), ())), None), plans[0], plans[1]) == ""


def test_turns_are_compared_by_the_bonus_that_they_bring() -> None:
    scored = ((), tuple(card for card in CARDS if POINTS[card] == 1 and card not in LYING_ONES)[:1])
    view = GAME.view_for(position(((LYING_TWOS[0], LYING_ONES[0]), ELSEWHERE[4:8]), scored=scored), Seat(0))
    two, one = (GAME.parse(f"score {LYING_TWOS[0]}"),), (GAME.parse(f"score {LYING_ONES[0]}"),)
    assert compare(view, two, one) == "Then nobody has more 1-point cards than you, for 3 points."


def test_turns_are_compared_by_the_end_that_they_bring_on() -> None:
    ones = tuple(card for card in CARDS if POINTS[card] == 1 and card not in LYING_ONES)[:9]
    view = GAME.view_for(position(((LYING_TWOS[0],), ELSEWHERE[4:8]), scored=(ones, ())), Seat(0))
    ends, goes_on = (GAME.parse(f"score {LYING_TWOS[0]}"),), (GAME.parse("end"),)
    assert compare(view, goes_on, ends) == "It brings on the end."
    assert compare(view, ends, goes_on) == "It does not bring on the end yet."
