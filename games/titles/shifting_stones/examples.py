"""The examples of the rules, played by the rules: positions, what an action makes of them, and how they end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Final

from games.engine.fair import FairChance
from games.engine.protocol import Event, Seat
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.patterns import CARDS, CELLS, Grid, Placement
from games.titles.shifting_stones.state import State

_SEED: Final = bytes(range(32))
NAMES: Final = ("Ann", "Bob", "Cleo")

GRID: Final[Grid] = ("tree", "seed", "fish", "sun", "boat", "horse", "boat", "tree", "bird")
"""The stones of most examples."""
FOUND: Final[Grid] = ("tree", "seed", "fish", "boat", "moon", "horse", "boat", "tree", "bird")
MIRRORED: Final[Grid] = ("tree", "seed", "fish", "moon", "boat", "horse", "boat", "tree", "bird")
TURNED: Final[Grid] = ("tree", "boat", "fish", "seed", "moon", "horse", "boat", "tree", "bird")
GRIDS: Final = {"grid": GRID, "found": FOUND, "mirrored": MIRRORED, "turned": TURNED}

HAND: Final = (17, 41, 26, 7)
TURN: Final = ("score 17", "flip 41 a2", "shift 26 a2 b2", "score 7")
"""A whole turn with this hand."""

SCORED: Final = (
    (1, 9, 10, 11, 12, 6, 7, 8, 2),
    (13, 14, 17, 19, 22, 28, 3, 4, 20),
    (15, 16, 21, 23, 24, 29, 30),
)
"""What three players have scored at the end of a match."""


@dataclass(frozen=True, slots=True)
class Move:
    """An action of an example: what it was, the grids before and after it, and what it told."""

    text: str
    before: Grid
    after: Grid
    events: tuple[Event, ...]

    @property
    def verb(self) -> str:
        return self.text.split()[0]

    @property
    def card(self) -> int:
        return int(self.text.split()[1])

    @property
    def cells(self) -> frozenset[str]:
        """The cells that the action names."""
        return frozenset(self.text.split()[2:])


def start(seats: int) -> State:
    """Return a match that has just begun."""
    return GAME.start(seats, {}, FairChance(_SEED, 0)).state


def position(hand: Sequence[int] = HAND, seats: int = 2) -> State:
    """Return a match with `GRID` and this hand of seat 0, whose turn it is."""
    state = start(seats)
    rest = [card for card in CARDS if card not in hand]
    others = tuple(tuple(rest[4 * seat : 4 * seat + 4]) for seat in range(seats - 1))
    return replace(state, grid=GRID, hands=(tuple(hand), *others), deck=tuple(rest[4 * seats - 4 :]))


def played(state: State, texts: Sequence[str]) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Yield the position after each action, and its events; whoever is to move acts.

    Raises:
        RuleViolation: an action is not legal, so the example is wrong.
    """
    for number, text in enumerate(texts, start=1):
        step = GAME.apply(state, Seat(state.mover), GAME.parse(text), FairChance(_SEED, number))
        state = step.state
        yield state, step.events


@cache
def moves(texts: tuple[str, ...] = TURN) -> tuple[Move, ...]:
    """Return what actions of the first player make of the example's position."""
    steps = tuple(played(position(), texts))
    grids = pairwise((GRID, *(state.grid for state, _ in steps)))
    return tuple(
        Move(text, before, after, events)
        for text, (before, after), (_, events) in zip(texts, grids, steps, strict=True)
    )


DRAWN: Final = {"end": ("flip 41 a2", "end"), "skip": ("skip",), "reshuffle": ("flip 41 a2", "end")}
"""Turns that end with drawing."""


def drawn(name: str) -> tuple[tuple[int, ...], tuple[int, ...], tuple[Event, ...]]:
    """Return the first player's hand before the end of a turn and after it, and what its end told."""
    state = position()
    if name == "reshuffle":
        state = replace(state, deck=(), discards=(58, 43, 52))
    *_, (state, _) = [(state, ()), *played(state, DRAWN[name][:-1])]
    *_, (after, events) = played(state, DRAWN[name][-1:])
    return state.hands[0], after.hands[0], events


def last_round() -> Iterator[State]:
    """Yield the position after each turn of a last round of three, in which the second player scores the ninth card."""
    state = replace(start(3), grid=GRID, round=7, scored=(SCORED[0][:7], SCORED[1][:8], SCORED[2][:7]))
    state = replace(state, hands=((5, 18, 25, 26), (42, 31, 32, 33), (35, 36, 37, 38)))
    for texts in (("end",), ("score 42", "end"), ("end",)):
        *_, (state, _events) = played(state, texts)
        yield state


def placements(card: int) -> tuple[Placement, ...]:
    """Return every place where a card's pattern fits."""
    return CARDS[card].placements


def cells(names: str) -> frozenset[int]:
    """Return cells by their names."""
    return frozenset(map(CELLS.index, names.split()))
