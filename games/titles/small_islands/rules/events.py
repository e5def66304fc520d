"""What can happen in a match. All events are public but those that say who alone sees them.

Seats count from 0; 1 is Alexis in a solo match. Faces and cells are as in `components`, regions as in `islands`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.engine.protocol import Event
from games.titles.small_islands.rules.components import Cell
from games.titles.small_islands.rules.islands import Site
from games.titles.small_islands.rules.scoring import Tally


@dataclass(frozen=True, slots=True)
class SetUp(Event):
    """The tiles were shuffled and dealt; these lie face up."""

    kind: ClassVar[str] = "set-up"
    row: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class StartTilePlaced(Event):
    """The first player placed a start tile by hand."""

    kind: ClassVar[str] = "start-tile"
    seat: int
    face: str
    cell: Cell
    turn: int


@dataclass(frozen=True, slots=True)
class TilesReceived(Event):
    """The tiles in a seat's hand when it looks at them first. Seen by that seat only."""

    kind: ClassVar[str] = "tiles"
    seat: int
    tiles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundPrepared(Event):
    """A round begins: the Navigation stack was filled and everybody has three cards of each deck."""

    kind: ClassVar[str] = "round"
    round: int
    first: int


@dataclass(frozen=True, slots=True)
class CardsReceived(Event):
    """The cards a seat chooses from, deck by deck. Seen by that seat only."""

    kind: ClassVar[str] = "cards"
    seat: int
    cards: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class ObjectiveChosen(Event):
    """A seat has chosen its objective; `CardsKept` says which, to that seat alone."""

    kind: ClassVar[str] = "chosen"
    seat: int


@dataclass(frozen=True, slots=True)
class CardsKept(Event):
    """What a seat chose for this round and put aside for the next. Seen by that seat only."""

    kind: ClassVar[str] = "kept"
    seat: int
    keep: tuple[int, ...]
    aside: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ExplorationBegan(Event):
    """Everybody has chosen, and the first player of the round begins."""

    kind: ClassVar[str] = "exploration"
    first: int


@dataclass(frozen=True, slots=True)
class TilePlaced(Event):
    """A seat took a tile from a slot and placed one of its three.

    `known` is true when everybody knew that the seat had the tile it placed.
    """

    kind: ClassVar[str] = "placed"
    seat: int
    slot: int
    taken: int
    tile: int
    cell: Cell
    turn: int
    known: bool


@dataclass(frozen=True, slots=True)
class TokenLaid(Event):
    """A seat laid a bonus token; the fields are those of `islands.Token`."""

    kind: ClassVar[str] = "token"
    seat: int
    name: str
    shows: str
    site: Site
    spot: str


@dataclass(frozen=True, slots=True)
class TilePutBack(Event):
    """A seat could place none of its three tiles and put one under the Reserve; otherwise as `TilePlaced`."""

    kind: ClassVar[str] = "put-back"
    seat: int
    slot: int
    taken: int
    tile: int
    known: bool


@dataclass(frozen=True, slots=True)
class RowRefilled(Event):
    """A tile came face up, from the stack "navigation" or "reserve"."""

    kind: ClassVar[str] = "refilled"
    slot: int
    tile: int
    stack: str


@dataclass(frozen=True, slots=True)
class ShipPlaced(Event):
    """A seat landed with the ship "own" or "grey", which ends the exploration."""

    kind: ClassVar[str] = "landed"
    seat: int
    ship: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class Stranded(Event):
    """A seat can neither explore nor land: a last Reward phase begins with it."""

    kind: ClassVar[str] = "stranded"
    seat: int


@dataclass(frozen=True, slots=True)
class ObjectiveRevealed(Event):
    """A seat revealed the cards of its objective."""

    kind: ClassVar[str] = "revealed"
    seat: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HousePlaced(Event):
    """A seat placed a House on an island of this size, and got these points; for discovery tokens see below."""

    kind: ClassVar[str] = "house"
    seat: int
    site: Site
    size: int
    points: int


@dataclass(frozen=True, slots=True)
class DiscoveryDrawn(Event):
    """A seat drew this many discovery tokens for the House just placed and kept the best."""

    kind: ClassVar[str] = "discovery"
    seat: int
    drawn: int


@dataclass(frozen=True, slots=True)
class DiscoveryKept(Event):
    """The value of the discovery token a seat kept. Seen by that seat only."""

    kind: ClassVar[str] = "discovery-value"
    seat: int
    value: int


@dataclass(frozen=True, slots=True)
class Settled(Event):
    """A seat is done with its Reward phase: how many Houses it placed, and has in hand again."""

    kind: ClassVar[str] = "settled"
    seat: int
    placed: int
    in_hand: int


@dataclass(frozen=True, slots=True)
class ExpeditionShuffled(Event):
    """The expedition stack was empty; this many discards were shuffled into a new one."""

    kind: ClassVar[str] = "expedition-shuffled"
    count: int


@dataclass(frozen=True, slots=True)
class ExpeditionDrawn(Event):
    """Alexis drew this expedition card, 0 for Land."""

    kind: ClassVar[str] = "expedition"
    card: int


@dataclass(frozen=True, slots=True)
class Finished(Event):
    """The match is over: why (`state.ALL_SHIPS` and the like), and where the points came from, by seat; in a solo
    match Alexis's are last.
    """

    kind: ClassVar[str] = "finished"
    end: str
    places: tuple[int, ...]
    tallies: tuple[Tally, ...]


EVENT_TYPES: tuple[type[Event], ...] = (
    SetUp,
    StartTilePlaced,
    TilesReceived,
    RoundPrepared,
    CardsReceived,
    ObjectiveChosen,
    CardsKept,
    ExplorationBegan,
    TilePlaced,
    TokenLaid,
    TilePutBack,
    RowRefilled,
    ShipPlaced,
    Stranded,
    ObjectiveRevealed,
    HousePlaced,
    DiscoveryDrawn,
    DiscoveryKept,
    Settled,
    ExpeditionShuffled,
    ExpeditionDrawn,
    Finished,
)

_REVEALING = (
    TilesReceived,
    CardsReceived,
    RowRefilled,
    ObjectiveRevealed,
    DiscoveryDrawn,
    ExpeditionDrawn,
    Finished,
)


def reveals(event: Event) -> bool:
    """Return whether somebody learnt something hidden, if only that a seat had the tile it parted with."""
    return isinstance(event, _REVEALING) or (isinstance(event, TilePlaced | TilePutBack) and not event.known)
