"""The last turn, compared with everything that the rules allow."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from itertools import combinations

import pytest

from games.engine.dice import Dice
from games.engine.protocol import Seat
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.insight.foresight import Result, last_turn
from games.titles.shifting_stones.insight.planning import MOVES
from games.titles.shifting_stones.rules.patterns import CARDS, bits_after, grid_bits, lies_on
from games.titles.shifting_stones.rules.state import LAST_ROUND, State, scores

GOAL = 10


def ending(number: int, hand: int) -> State:
    """Return a state before the last turn of a match for two: cards are dealt and scored at random, close scores."""
    dice = Dice(int.from_bytes(sha256(b"%d" % number).digest()[:8], "big"))
    start = GAME.start(2, {}, dice).state
    cards = list(dice.shuffle("cards", tuple(CARDS)))
    hands = (tuple(cards[:4]), tuple(cards[4 : 4 + hand]))
    scored = (tuple(cards[10:20]), tuple(cards[20:29]))
    return replace(
        start, hands=hands, scored=scored, deck=tuple(cards[29:]), mover=1, round=8, triggered_by=0, discards=()
    )


def reached(scored: tuple[tuple[int, ...], ...], seat: int) -> Result:
    final = scores(scored)
    return -sum(score > final[seat] for score in final), -final.count(final[seat]), final[seat]


def best_of_all(state: State, seat: int) -> Result:
    """Return the best result of any moves and any choice of the cards that lie before, between or after them."""
    hand = state.hands[seat]
    start = grid_bits(state.grid)
    ways = {(start, frozenset(card for card in hand if lies_on(card, start)))}
    found = {reached(state.scored, seat)}
    for moves in range(len(hand)):
        for lain in {lain for _, lain in ways}:
            for count in range(len(hand) - moves + 1):
                found |= {
                    reached((state.scored[0], (*state.scored[1], *cards)), seat) for cards in combinations(lain, count)
                }
        ways = {
            (after, lain | {card for card in hand if lies_on(card, after)})
            for before, lain in ways
            for after in (bits_after(before, move) for move in MOVES)
        }
    return max(found)


@pytest.mark.parametrize("hand", [0, 1, 2, 3])
def test_nothing_that_the_rules_allow_is_better_than_the_last_turn(hand: int) -> None:
    for number in range(8):
        state = ending(number, hand)
        plan = last_turn(GAME.view_for(state, Seat(1)), Seat(1))
        assert plan is not None
        after = state
        for action in plan:
            assert action in tuple(GAME.legal_actions(after, Seat(1)))
            after = GAME.apply(after, Seat(1), action, Dice(0)).state
        assert after.ended == "goal"
        assert reached(after.scored, 1) == best_of_all(state, 1)


def test_four_cards_are_played_as_well_and_six_are_not_too_many() -> None:
    state = ending(3, 4)
    plan = last_turn(GAME.view_for(state, Seat(1)), Seat(1))
    assert plan is not None
    after = state
    for action in plan:
        after = GAME.apply(after, Seat(1), action, Dice(0)).state
    assert reached(after.scored, 1) == best_of_all(state, 1)
    assert last_turn(GAME.view_for(ending(4, 6), Seat(1)), Seat(1))


def test_a_turn_is_the_last_if_nobody_acts_after_it_or_if_it_wins_at_once() -> None:
    last = ending(1, 4)
    early = replace(last, triggered_by=None, scored=(last.scored[0][:3], last.scored[1][:3]))
    others = replace(last, mover=0)
    at_the_limit = replace(early, round=LAST_ROUND)
    lying = [card for card in CARDS if lies_on(card, grid_bits(last.grid))][:1]
    ahead = replace(
        early,
        hands=(early.hands[0], tuple(lying)),
        scored=(early.scored[0][:1], tuple(card for card in CARDS if card not in lying)[-9:]),
    )
    found = [
        last_turn(GAME.view_for(state, Seat(state.mover)), Seat(state.mover)) is not None
        for state in (last, early, others, at_the_limit, ahead)
    ]
    assert found == [True, False, False, True, True]
