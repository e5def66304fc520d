"""How likely each seat is to end first in Shifting Stones, by what everybody sees and by all hands.

The weights were fitted to 600 matches between Masters for two seats and 200 for more; alone to 300 of the policy:

    manage.py calibrate shifting-stones --seats 2 --matches 600 --fit
    manage.py calibrate shifting-stones --seats 1 --matches 300 --fit --bot sensible
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import sqrt
from typing import Final

from games.engine import chances as model
from games.engine.chances import Features, Weights
from games.titles.shifting_stones.rules.patterns import POINTS, grid_bits, places_near
from games.titles.shifting_stones.rules.state import BONUS, STRIKES, State, bonus_seats, card_points

_PACE: Final = 1.5
"""How many cards Master scores in a turn."""
_LUCK: Final = 0.15
"""How uncertain a result is when there is no turn left, compared with a round."""


def chances(state: State) -> list[float]:
    """Return for each seat its chance to end first; alone, the chance to win."""
    return model.chances(features(state), WEIGHTS[len(state.hands)])


def features(state: State) -> Features:
    """Return what counts for each seat, in points, turns and cards: the more, the fewer rounds are left."""
    if state.solo:
        return [_alone(state)]
    last, seats = state.triggered_by is not None, range(len(state.hands))
    done = max(map(len, state.scored)) / state.goal
    rounds = 0.0 if last else max(0.5, (1 - done) * state.goal / _PACE)
    spread = sqrt(rounds + 1 - (state.mover + last) / len(seats) + _LUCK)
    bonus = bonus_seats(state.scored)
    found = []
    for seat in seats:
        mine, lying = seat == state.mover, _points(state, seat, 0)
        counts = {
            "points": card_points(state.scored[seat]) + (last and mine) * lying,  # to score costs nothing
            "bonus": BONUS * (seat in bonus) * (1 if last else done),
            "ones": (not last) * sum(POINTS[card] == 1 for card in state.scored[seat]),
            "turns": seat >= state.mover + last,
            "held": (mine or not last) * len(state.hands[seat]),
            "lie": ((seat > state.mover) if last else 1) * lying,
            "near": mine * _points(state, seat, 1),
            "new": mine and not state.acted,
        }
        found.append({name: count / spread for name, count in counts.items()})
    return found


def _alone(state: State) -> dict[str, float]:
    """Return what counts in a solo match: cards still to be scored, strikes left, and the hand."""
    return {
        "always": 1.0,
        "cards": state.goal - len(state.scored[0]),
        "strikes": STRIKES - state.strikes,
        "scored": float(state.has_scored),
        "lie": _points(state, 0, 0),
        "near": _points(state, 0, 1),
    }


def _points(state: State, seat: int, stones: int) -> int:
    """Return the points of the cards in hand of whose patterns exactly so many stones are wrong."""
    bits = grid_bits(state.grid)
    return sum(POINTS[card] for card in state.hands[seat] if _wrong(card, bits) == stones)


@lru_cache(maxsize=16_384)
def _wrong(card: int, bits: int) -> int:
    """Return how many stones are wrong where a card's pattern comes nearest: 0, 1, or 2 for more."""
    return next((wrong for wrong in (0, 1) if places_near(card, bits, wrong)), 2)


WEIGHTS: Mapping[int, Weights] = {
    1: {"always": -2.90, "cards": -0.04, "strikes": 0.26, "scored": -0.22, "lie": 0.17, "near": 0.11},
    2: {
        "points": 0.92,
        "bonus": 0.81,
        "ones": 0.31,
        "turns": 2.57,
        "held": 0.61,
        "lie": 0.69,
        "near": 0.18,
        "new": -0.37,
    },
    3: {
        "points": 1.09,
        "bonus": 0.92,
        "ones": 0.43,
        "turns": 3.66,
        "held": 0.79,
        "lie": 0.79,
        "near": 0.15,
        "new": -0.54,
    },
    4: {
        "points": 1.02,
        "bonus": 0.91,
        "ones": 0.27,
        "turns": 3.82,
        "held": 0.84,
        "lie": 0.57,
        "near": 0.16,
        "new": -0.66,
    },
    5: {
        "points": 1.12,
        "bonus": 1.00,
        "ones": 0.40,
        "turns": 3.74,
        "held": 0.78,
        "lie": 0.60,
        "near": 0.20,
        "new": -0.57,
    },
}
