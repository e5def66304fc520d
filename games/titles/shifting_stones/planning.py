"""Whole turns of Shifting Stones, weighed: what they score, what they spend and how near they bring the next cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from games.titles.shifting_stones.notation import END, SKIP, Action, Flip, Score, Shift
from games.titles.shifting_stones.patterns import ADJACENT, CELLS, POINTS, Grid, flipped, grid_bits, lies_on, shifted
from games.titles.shifting_stones.state import HAND, SKIP_DRAW, State, skip_refused

Move: TypeAlias = tuple[int, ...]
"""Two cells to swap or one to flip."""

MOVES: tuple[Move, ...] = (*ADJACENT, *((cell,) for cell in range(len(CELLS))))

_FARTHEST = 3
"""How many stones a turn moves at most: every one costs a card."""
_KEPT = (0.85, 0.45, 0.12)
"""What share of its points a card in hand promises when its pattern lies there, or needs one more stone, or more."""
_SPENT = 0.9
"""What a card that pays for a move might have brought, in points."""
_NEW_CARD = 0.55
"""What a card yet to be drawn promises, in points."""
_TEMPO = 0.9
"""What a scored card is worth besides its points: it brings the end nearer, and the 1-point cards the bonus."""


def moved(grid: Grid, move: Move) -> Grid:
    """Return the grid after a move."""
    return flipped(grid, move[0]) if len(move) == 1 else shifted(grid, move[0], move[1])


def paying(card: int, move: Move) -> Flip | Shift:
    """Return the action that pays for a move with a card."""
    return Flip(card, move[0]) if len(move) == 1 else Shift(card, move[0], move[1])


@dataclass(frozen=True, slots=True)
class Turn:
    """The actions of a turn, and what they are worth in points."""

    actions: tuple[Action, ...]
    worth: float


def turns(state: State) -> list[Turn]:
    """Return the turns the mover should consider, the best first."""
    found = [_through(state, way) for way in _ways(state)]
    if skip_refused(state.acted, state.skipped[state.mover], len(state.hands[state.mover])) is None:
        found.append(Turn((SKIP,), _promise(state.hands[state.mover], state.grid) + SKIP_DRAW * _NEW_CARD))
    found.sort(key=lambda turn: -turn.worth)
    return found


def _ways(state: State) -> Iterator[tuple[tuple[Move, Grid], ...]]:
    """Yield moves, each with the grid after it: none, every single one, and more if they bring more than they cost."""
    hand = state.hands[state.mover]
    yield ()
    for steps in range(1, min(_FARTHEST, len(hand)) + 1):
        for way in new_grids(state.grid, steps):
            bits = _bits(way[-1][1])
            if steps == 1 or sum(POINTS[card] + _TEMPO for card in hand if lies_on(card, bits)) > steps * _SPENT:
                yield way


@lru_cache(maxsize=2048)
def new_grids(grid: Grid, steps: int) -> tuple[tuple[tuple[Move, Grid], ...], ...]:
    """Return a way to every grid that takes this many moves and no fewer."""
    if steps == 0:
        return ((),)
    seen = {grid, *(way[-1][1] for fewer in range(1, steps) for way in new_grids(grid, fewer))}
    found = []
    for way in new_grids(grid, steps - 1):
        before = way[-1][1] if way else grid
        for move in MOVES:
            after = moved(before, move)
            if after not in seen:
                seen.add(after)
                found.append((*way, (move, after)))
    return tuple(found)


def _through(state: State, way: Sequence[tuple[Move, Grid]]) -> Turn:
    """Return the best turn that makes these moves: score what lies, as soon as it lies; pay with the poorest cards."""
    hand = list(state.hands[state.mover])
    lying = [[card for card in hand if lies_on(card, _bits(grid))] for grid in (state.grid, *(grid for _, grid in way))]
    scored = _affordable(hand, lying, len(way))
    kept = [card for card in hand if card not in scored]
    kept.sort(key=lambda card: -_card_promise(card, way[-1][1] if way else state.grid))
    paid = kept[len(kept) - len(way) :] if way else []
    actions = _written(lying, scored, way, paid)
    rest = kept[: len(kept) - len(way)]
    ended = () if not rest and actions else (END,)
    worth = sum(POINTS[card] + _TEMPO for card in scored) + _promise(rest, way[-1][1] if way else state.grid)
    return Turn((*actions, *ended), worth + max(0, HAND - len(rest)) * _NEW_CARD)


def _affordable(hand: Sequence[int], lying: Sequence[Sequence[int]], cost: int) -> set[int]:
    """Return the cards to score: all that lie at some moment, but for the poorest if nothing else can pay."""
    fit = sorted({card for cards in lying for card in cards}, key=lambda card: -POINTS[card])
    return set(fit[: len(hand) - cost])


def _written(
    lying: Sequence[Sequence[int]], scored: set[int], way: Sequence[tuple[Move, Grid]], paid: Sequence[int]
) -> tuple[Action, ...]:
    actions: list[Action] = []
    left = set(scored)
    for step, cards in enumerate(lying):
        if step:
            move, card = way[step - 1][0], paid[step - 1]
            actions.append(paying(card, move))
        now = [card for card in cards if card in left]
        actions += (Score(card) for card in now)
        left -= set(now)
    return tuple(actions)


@lru_cache(maxsize=65_536)
def _bits(grid: Grid) -> int:
    return grid_bits(grid)


def _promise(cards: Sequence[int], grid: Grid) -> float:
    """Return what cards kept in hand are worth in points."""
    return sum(_card_promise(card, grid) for card in cards)


@lru_cache(maxsize=262_144)
def _card_promise(card: int, grid: Grid) -> float:
    if lies_on(card, _bits(grid)):
        return POINTS[card] * _KEPT[0]
    near = any(lies_on(card, _bits(way[-1][1])) for way in new_grids(grid, 1))
    return POINTS[card] * _KEPT[1 if near else 2]


def prospects(state: State, seat: int) -> float:
    """Return a seat's score, and what its hand promises on the stones as they lie."""
    points = sum(POINTS[card] + _TEMPO for card in state.scored[seat])
    return points + _promise(state.hands[seat], state.grid)
