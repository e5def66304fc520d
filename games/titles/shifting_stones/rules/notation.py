"""The actions of the game, and how they are written.

`shift 12 a1 b1`, `flip 12 b2`, `score 12`, `end`, `skip`: single spaces, lower case, no leading zeros.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from games.engine.protocol import NotationError
from games.titles.shifting_stones.rules.patterns import ADJACENT, CARDS, CELLS


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """Discard a card to swap two adjacent stones.

    The cells keep the order in which they were written, so that a text survives parsing; but both orders are the same
    action and compare equal.
    """

    card: int
    first: int
    second: int

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shift):
            return NotImplemented
        return self.card == other.card and {self.first, self.second} == {other.first, other.second}

    def __hash__(self) -> int:
        return hash((self.card, frozenset((self.first, self.second))))


@dataclass(frozen=True, slots=True)
class Flip:
    """Discard a card to turn one stone over."""

    card: int
    cell: int


@dataclass(frozen=True, slots=True)
class Score:
    """Reveal a card whose pattern lies on the grid."""

    card: int


@dataclass(frozen=True, slots=True)
class End:
    """End the turn and refill the hand."""


@dataclass(frozen=True, slots=True)
class Skip:
    """Draw two cards instead of a turn."""


Action: TypeAlias = Shift | Flip | Score | End | Skip

END, SKIP = End(), Skip()
SCORES = {card: Score(card) for card in CARDS}
DISCARDS: dict[int, tuple[Action, ...]] = {
    card: (*(Shift(card, *pair) for pair in ADJACENT), *(Flip(card, cell) for cell in range(len(CELLS))))
    for card in CARDS
}
"""For each card the 12 shifts and 9 flips it can be discarded for, made once because every move lists them."""

_CARD = r"(?P<card>[1-9][0-9]?)"
_SHIFT = re.compile(rf"shift {_CARD} (?P<first>[abc][123]) (?P<second>[abc][123])")
_FLIP = re.compile(rf"flip {_CARD} (?P<cell>[abc][123])")
_SCORE = re.compile(rf"score {_CARD}")


def parse(text: str) -> Action:
    """Read an action.

    >>> parse("shift 12 b1 a1")
    Shift(card=12, first=1, second=0)

    Raises:
        NotationError: the text is not an action.
    """
    if text == "end":
        return END
    if text == "skip":
        return SKIP
    if found := _SHIFT.fullmatch(text):
        return Shift(_card(found), CELLS.index(found["first"]), CELLS.index(found["second"]))
    if found := _FLIP.fullmatch(text):
        return Flip(_card(found), CELLS.index(found["cell"]))
    if found := _SCORE.fullmatch(text):
        return Score(_card(found))
    raise NotationError("Write “shift 12 a1 b1”, “flip 12 b2”, “score 12”, “end” or “skip”.")


def _card(found: re.Match[str]) -> int:
    card = int(found["card"])
    if card not in CARDS:
        raise NotationError(f"There is no card {card}; they are numbered from 1 to {len(CARDS)}.")
    return card


def notate(action: Action) -> str:
    """Write an action.

    >>> notate(Flip(12, 4))
    'flip 12 b2'
    """
    match action:
        case Shift(card, first, second):
            return f"shift {card} {CELLS[first]} {CELLS[second]}"
        case Flip(card, cell):
            return f"flip {card} {CELLS[cell]}"
        case Score(card):
            return f"score {card}"
        case End():
            return "end"
        case Skip():
            return "skip"
        case _:
            assert_never(action)
