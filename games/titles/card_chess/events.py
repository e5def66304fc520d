"""What can happen in a match. All events are public but `CardsReceived`, which only the seat that got them sees.

Cards are written as in `deck`, places on the table and seats count from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.engine.protocol import Event
from games.titles.card_chess.standings import Challenge
from games.titles.card_chess.state import Pile


@dataclass(frozen=True, slots=True)
class PawnRemoved(Event):
    """With four players one pawn was taken out for the whole match."""

    kind: ClassVar[str] = "pawn-removed"
    card: str


@dataclass(frozen=True, slots=True)
class ChallengeBegun(Event):
    """All cards were shuffled for the challenge with this number; a decider is played for the match."""

    kind: ClassVar[str] = "challenge-begun"
    number: int
    decider: bool


@dataclass(frozen=True, slots=True)
class TableLaid(Event):
    """Cards were laid face up, `deck` were left in the draw pile when everybody had got theirs."""

    kind: ClassVar[str] = "table-laid"
    cards: tuple[str, ...]
    deck: int


@dataclass(frozen=True, slots=True)
class CardsReceived(Event):
    """The cards a seat was dealt. Seen by that seat only."""

    kind: ClassVar[str] = "received"
    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Confirmed(Event):
    """A seat has sealed what it plays."""

    kind: ClassVar[str] = "confirmed"
    seat: int


@dataclass(frozen=True, slots=True)
class PileSettled(Event):
    """A pile was revealed; it went to its captor or to the discards."""

    kind: ClassVar[str] = "settled"
    pile: Pile


@dataclass(frozen=True, slots=True)
class DiscardsRecycled(Event):
    """The second phase began: this many discards were shuffled into a new draw pile."""

    kind: ClassVar[str] = "recycled"
    count: int


@dataclass(frozen=True, slots=True)
class ChallengeOver(Event):
    """A challenge was counted.

    `left` is what each seat had left in hand, now discarded; `gold` what each seat has won in the match so far.
    """

    kind: ClassVar[str] = "challenge-over"
    number: int
    challenge: Challenge
    left: tuple[tuple[str, ...], ...]
    gold: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchOver(Event):
    """The match is over; scores are gold cards."""

    kind: ClassVar[str] = "match-over"
    reason: str
    places: tuple[int, ...]
    scores: tuple[int, ...]


EVENT_TYPES: tuple[type[Event], ...] = (
    PawnRemoved,
    ChallengeBegun,
    TableLaid,
    CardsReceived,
    Confirmed,
    PileSettled,
    DiscardsRecycled,
    ChallengeOver,
    MatchOver,
)
