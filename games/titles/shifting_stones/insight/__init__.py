"""How a program plays Shifting Stones: it weighs whole turns, or takes the shortest way to its next card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import sqrt
from typing import Final

from games.engine import chances as model
from games.engine.chances import Features, Weights
from games.engine.insight import Effort, Plan, odds
from games.engine.protocol import Chance, Seat
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.insight.foresight import last_turn, ponder  # noqa: F401  # part of an insight
from games.titles.shifting_stones.insight.planning import (
    MOVES,
    Move,
    best_worth,
    in_hand,
    moved,
    paying,
    prospects,
    turns,
)
from games.titles.shifting_stones.rules.notation import END, SKIP, Action, Flip, Score
from games.titles.shifting_stones.rules.patterns import (
    CELLS,
    POINTS,
    Grid,
    grid_bits,
    lies_on,
    places_near,
)
from games.titles.shifting_stones.rules.state import BONUS, HAND, STRIKES, State, bonus_seats, card_points
from games.titles.shifting_stones.rules.view import View

EFFORT = Effort(iterations=1, horizon=0, pondered=100)
"""No search: in measured matches one of 16 and of 60 futures won no more often than the best planned turn."""
_CONSIDERED = 24
"""How many of the best turns are considered."""
_SURE = 9.0
"""The lead in points that wins three times in four if held at the beginning; near the end less is enough."""


def policy(state: State, seat: Seat, chance: Chance) -> Action:  # it leaves nothing to chance
    """Return what `patient` does alone, and what `quick` does against others."""
    view = GAME.view_for(state, seat)
    return patient(view) if len(view.scored) == 1 else quick(view)


def candidates(state: State, seat: Seat, chance: Chance) -> Sequence[Plan]:
    """Return the best turns, the best first."""
    return [turn.actions for turn in turns(state, denying=True)[:_CONSIDERED]]


def evaluate(state: State, seat: Seat) -> float:
    """Return how well a seat stands by its score and its hand, compared with the best of the others."""
    standing = [prospects(state, each) for each in range(len(state.hands))]
    standing[state.mover] += best_worth(state) - in_hand(state, state.mover)
    others = [value for each, value in enumerate(standing) if each != seat]
    done = max(map(len, state.scored)) / state.goal
    lead = standing[seat] - max(others, default=0.0)
    return odds(lead * (1 + 2 * done) / _SURE)


def quick(view: View, depth: int = 2) -> Action:
    """Score the dearest card that lies on the grid, else make one lie with at most `depth` moves, else draw."""
    if view.scorable:
        return Score(_dearest_first(view.scorable)[0])
    if found := _way(view.grid, min(depth, len(view.hand) - 1), _dearest_first(view.hand)):
        return _pay(view, found[1], keep=found[0])
    if len(view.hand) < HAND or view.acted:
        return END  # which draws
    if view.may_skip:
        return SKIP
    return Flip(max(view.hand, key=lambda card: (POINTS[card], card)), view.round % len(CELLS))


def patient(view: View) -> Action:
    """Alone: score the dearest card up to three stones away, never skip; the last cards are paid even if they are too
    few, for they come back when there are no others.
    """
    if view.scorable:
        return Score(_dearest_first(view.scorable)[0])
    if view.has_scored:
        return END
    reach = 3 if len(view.hand) == 1 or view.acted else len(view.hand) - 1
    for card in _dearest_first(view.hand):
        if found := _way(view.grid, reach, (card,)):
            return _pay(view, found[1], keep=found[0])
    return END


def _dearest_first(cards: Sequence[int]) -> list[int]:
    return sorted(cards, key=lambda card: (-POINTS[card], card))


def _way(grid: Grid, depth: int, wanted: Sequence[int]) -> tuple[int, Move] | None:
    """Return one of the wanted cards that can be scored after so few changes, and the first of them."""
    for steps in range(1, depth + 1):
        for bits, move in reachable(grid, steps):
            for card in wanted:
                if lies_on(card, bits):
                    return card, move
    return None


def _pay(view: View, move: Move, keep: int) -> Action:
    card = max((card for card in view.hand if card != keep), key=lambda card: (POINTS[card], card), default=keep)
    return paying(card, move)


@lru_cache(maxsize=4096)
def reachable(grid: Grid, steps: int) -> tuple[tuple[int, Move], ...]:
    """Return the bits of every grid this many changes away, each with the first change towards it."""
    return tuple((grid_bits(after), first) for after, first in _after(grid, steps))


def _after(grid: Grid, steps: int) -> Iterator[tuple[Grid, Move]]:
    for move in MOVES:
        after = moved(grid, move)
        if steps == 1:
            yield after, move
        else:
            yield from ((farther, move) for farther, _ in _after(after, steps - 1))


# --- how likely each seat is to end first, by what everybody sees and by all hands ------------------------------------

_PACE: Final = 1.5
"""How many cards Master scores in a turn."""
_LUCK: Final = 0.15
"""How uncertain a result is when there is no turn left, compared with a round."""


def turns_of_a_seat(seats: int) -> int:
    """Return how many turns a seat has, as measured with bots."""
    return 20


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
        mine, lying = seat == state.mover, _points_in_hand(state, seat, 0)
        counts = {
            "points": card_points(state.scored[seat]) + (last and mine) * lying,  # to score costs nothing
            "bonus": BONUS * (seat in bonus) * (1 if last else done),
            "ones": (not last) * sum(POINTS[card] == 1 for card in state.scored[seat]),
            "turns": seat >= state.mover + last,
            "held": (mine or not last) * len(state.hands[seat]),
            "lie": ((seat > state.mover) if last else 1) * lying,
            "near": mine * _points_in_hand(state, seat, 1),
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
        "lie": _points_in_hand(state, 0, 0),
        "near": _points_in_hand(state, 0, 1),
    }


def _points_in_hand(state: State, seat: int, stones: int) -> int:
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
"""By the number of seats.

They were fitted to 600 matches between Masters for two seats and 200 for more; alone to 300 of the policy:

    manage.py calibrate shifting-stones --seats 2 --matches 600 --fit
    manage.py calibrate shifting-stones --seats 1 --matches 300 --fit --bot sensible
"""
