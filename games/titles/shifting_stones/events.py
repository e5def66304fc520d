"""What can happen in a match. All events are public but `CardsReceived`, which only the drawer sees.

Cells are indexes into `patterns.CELLS`, cards are ids, seats count from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.engine.protocol import Event


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """The match was set up and every seat was dealt `count` cards."""

    kind: ClassVar[str] = "dealt"
    count: int


@dataclass(frozen=True, slots=True)
class StonesShifted(Event):
    """A seat discarded a card and swapped two stones; the faces are those of the two cells before."""

    kind: ClassVar[str] = "shifted"
    seat: int
    card: int
    first: int
    second: int
    first_face: str
    second_face: str


@dataclass(frozen=True, slots=True)
class StoneFlipped(Event):
    """A seat discarded a card and turned a stone over."""

    kind: ClassVar[str] = "flipped"
    seat: int
    card: int
    cell: int
    old_face: str
    new_face: str


@dataclass(frozen=True, slots=True)
class CardScored(Event):
    """A seat scored a card; `cells` show its pattern (the first place where it lies)."""

    kind: ClassVar[str] = "scored"
    seat: int
    card: int
    points: int
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    """A seat ended its turn, or it ended by itself because the hand was empty."""

    kind: ClassVar[str] = "ended"
    seat: int
    by_itself: bool


@dataclass(frozen=True, slots=True)
class TurnSkipped(Event):
    """A seat skipped its turn."""

    kind: ClassVar[str] = "skipped"
    seat: int


@dataclass(frozen=True, slots=True)
class PileReshuffled(Event):
    """The draw pile was empty and `count` discards were shuffled into a new one."""

    kind: ClassVar[str] = "reshuffled"
    count: int


@dataclass(frozen=True, slots=True)
class CardsDrawn(Event):
    """A seat drew this many cards; `CardsReceived` shows that seat which ones."""

    kind: ClassVar[str] = "drawn"
    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class CardsReceived(Event):
    """The cards a seat was dealt or drew. Seen by that seat only."""

    kind: ClassVar[str] = "received"
    seat: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EndTriggered(Event):
    """A seat has scored enough cards (`count`); the match ends with this round."""

    kind: ClassVar[str] = "triggered"
    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class Strike(Event):
    """Solo: the turn ended without a scored card; `left` strikes remain."""

    kind: ClassVar[str] = "strike"
    seat: int
    left: int


@dataclass(frozen=True, slots=True)
class Finished(Event):
    """The match is over. `bonus` names the seats that got the bonus, included in the scores."""

    kind: ClassVar[str] = "finished"
    reason: str
    places: tuple[int, ...]
    scores: tuple[int, ...]
    bonus: tuple[int, ...]


EVENT_TYPES: tuple[type[Event], ...] = (
    Dealt,
    StonesShifted,
    StoneFlipped,
    CardScored,
    TurnEnded,
    TurnSkipped,
    PileReshuffled,
    CardsDrawn,
    CardsReceived,
    EndTriggered,
    Strike,
    Finished,
)
