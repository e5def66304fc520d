"""The components of the game: tiles with their corners and sides, missions, rewards and objectives."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, NamedTuple

QUARTERS = range(4)
"""The turns a tile may lie in, and the numbers of corners and sides."""

CORNERS = ("NW", "NE", "SE", "SW")
SIDES = ("N", "E", "S", "W")
_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
_AROUND = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
_VERTICES = ((0, 0), (1, 0), (1, 1), (0, 1))


class Cell(NamedTuple):
    """A place for a tile: x to the east, y to the south."""

    x: int
    y: int

    @property
    def reading_order(self) -> tuple[int, int]:
        """The topmost cell is the least, then the leftmost."""
        return self.y, self.x


def beside(cell: Cell, side: int) -> Cell:
    """Return the cell on the other side of this side."""
    x, y = _STEPS[side]
    return Cell(cell.x + x, cell.y + y)


def around(cell: Cell) -> tuple[Cell, ...]:
    """Return the eight cells around a cell."""
    return tuple(Cell(cell.x + x, cell.y + y) for x, y in _AROUND)


def vertices(cell: Cell) -> tuple[tuple[int, int], ...]:
    """Return the points of the grid at the four corners of a cell, in the order of corners."""
    return tuple((cell.x + x, cell.y + y) for x, y in _VERTICES)


def facing(side: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the two corners of a tile on a side, each with the corner of the neighbour that meets it.

    >>> facing(0)
    ((0, 3), (1, 2))
    """
    return (side, (side + 3) % 4), ((side + 1) % 4, (side + 2) % 4)


def turned(index: int, turn: int) -> int:
    """Return the number a corner or side has after some quarter turns clockwise.

    >>> CORNERS[turned(CORNERS.index("NW"), 1)]
    'NE'
    """
    return (index + turn) % 4


def turned_corners(corners: int, turn: int) -> int:
    """Return the corners of a tile after some quarter turns clockwise.

    >>> f"{turned_corners(0b0001, 3):04b}"
    '1000'
    """
    return (corners << turn | corners >> (4 - turn)) & 0b1111


RESOURCES = ("flower", "fruit", "leaf")
PORT = "port"
SEA = -1
"""The region of a corner that is sea."""
OWN_SHIP, GREY_SHIP = "ship", "grey"
SHIP_FACES = frozenset({OWN_SHIP, GREY_SHIP})
SHIPS = 4
"""The number of ships in every match, coloured and grey together."""

COMPONENTS: Mapping[str, Any] = json.loads(
    resources.files(__package__).joinpath("components.json").read_text(encoding="utf-8")
)
"""The data file: tiles, tokens, missions, rewards, objectives and what a solo match needs."""

_COASTS = {
    "tip": ("NW",),
    "shore": ("EW",),
    "isthmus": ("NESW",),
    "channel": ("NW", "ES"),
    "bay": ("SW",),
    "inland": ("",),
    "ship": (),
}
"""For each shape the coast slots of its regions as printed."""


class Symbols(NamedTuple):
    """How many of each symbol there are on a region or an island."""

    flower: int = 0
    fruit: int = 0
    leaf: int = 0
    temple: int = 0
    port: int = 0
    house: int = 0

    def of(self, name: str) -> int:
        """Return the number of the symbols of this name."""
        number: int = getattr(self, name)
        return number

    @property
    def resources(self) -> tuple[int, int, int]:
        return self[:3]


def add_up(parts: Iterable[Symbols]) -> Symbols:
    """Return the symbols of several regions together."""
    return Symbols(*map(sum, zip(Symbols(), *parts, strict=True)))


@dataclass(frozen=True, slots=True)
class Region:
    """One piece of land on a face as printed.

    Args:
        number: 0 when it is the only one of its face; 1 and 2 on a channel.
        corners: those that belong to it.
        symbols: what is printed on it.
        coasts: the sides where a Port can stand, the printed one on the first.
    """

    number: int
    corners: int
    symbols: Symbols
    coasts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lying:
    """A face in one of the four turns.

    Args:
        corners: which are land.
        lands: for each corner the number of its region, `SEA` for sea.
        coasts: each side where a Port can stand to the number of the region it belongs to.
        ports: the sides where Ports are printed.
    """

    corners: int
    lands: tuple[int, ...]
    coasts: Mapping[int, int]
    ports: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a tile: its shape, its regions by number, and how it lies in each turn."""

    name: str
    shape: str
    regions: Mapping[int, Region]
    lying: tuple[Lying, ...]


def _lying(regions: Iterable[Region], turn: int) -> Lying:
    lands, coasts, ports = [SEA] * 4, dict[int, int](), list[int]()
    for region in regions:
        for corner in QUARTERS:
            if region.corners >> corner & 1:
                lands[turned(corner, turn)] = region.number
        coasts |= {turned(side, turn): region.number for side in region.coasts}
        ports += [turned(side, turn) for side in region.coasts[: region.symbols.port]]
    corners = turned_corners(sum(region.corners for region in regions), turn)
    return Lying(corners, tuple(lands), coasts, tuple(ports))


def _face(name: str, entry: Mapping[str, Any]) -> Face:
    numbers, regions = (1, 2) if len(entry["regions"]) > 1 else (0,), []
    for number, part, coasts in zip(numbers, entry["regions"], _COASTS[entry["shape"]], strict=False):
        corners = sum(1 << CORNERS.index(corner) for corner in part["corners"])
        symbols = Symbols(*(part[symbol] for symbol in Symbols._fields))
        regions.append(Region(number, corners, symbols, tuple(map(SIDES.index, coasts))))
    lying = tuple(_lying(regions, turn) for turn in QUARTERS)
    return Face(name, entry["shape"], {region.number: region for region in regions}, lying)


def _faces() -> dict[str, Face]:
    faces = {str(entry["id"]): _face(str(entry["id"]), entry) for entry in COMPONENTS["landscape"]}
    for entry in COMPONENTS["start"]:
        faces |= {entry["id"] + side: _face(entry["id"] + side, entry[side]) for side in "AB"}
    return faces | {name: _face(name, {"shape": "ship", "regions": ()}) for name in (OWN_SHIP, GREY_SHIP)}


FACES: Mapping[str, Face] = _faces()
"""Every face by name."""

LANDSCAPE = tuple(entry["id"] for entry in COMPONENTS["landscape"])
"""The numbers of the landscape tiles, ascending."""

START_TILES = tuple(entry["id"] for entry in COMPONENTS["start"])
"""S1 to S4."""


DISCOVERY = "discovery"

MISSIONS: Mapping[int, Mapping[str, Any]] = dict(enumerate(COMPONENTS["missions"], start=1))
"""Every mission by number, as the data file has it."""

REWARDS: Mapping[int, Mapping[str, Any]] = dict(enumerate(COMPONENTS["rewards"], start=1))
"""Every reward by number, as the data file has it."""

DISCOVERY_TOKENS: tuple[int, ...] = tuple(sorted(COMPONENTS["discovery_tokens"]))
"""The values of the discovery tokens, ascending."""


class Objective(NamedTuple):
    """What a seat plays for in a round: the numbers of a mission and of a reward."""

    mission: int
    reward: int


_NUMBERS = {card["id"]: number for cards in (MISSIONS, REWARDS) for number, card in cards.items()}
OBJECTIVES: Mapping[int, Objective] = {
    card: Objective(_NUMBERS[mission], _NUMBERS[reward])
    for card, (mission, reward) in enumerate(COMPONENTS["objectives"], start=1)
}
"""The mission and the reward of each objective card."""

_NORMAL = {"objectives": tuple(OBJECTIVES)}
_ADVANCED = {
    "missions": tuple(number for number, mission in MISSIONS.items() if not mission.get("normal_only")),
    "rewards": tuple(REWARDS),
}


def decks(advanced: bool) -> Mapping[str, tuple[int, ...]]:
    """Return the stacks of cards of a mode: their names, which label chance, and their cards, ascending."""
    return _ADVANCED if advanced else _NORMAL


def objective_of(cards: Sequence[int]) -> Objective:
    """Return what the chosen cards say: one objective card, or a mission and a reward."""
    return OBJECTIVES[cards[0]] if len(cards) == 1 else Objective(*cards)


def fulfils(mission: int, symbols: Symbols) -> bool:
    """Return whether an island with these symbols fulfils a mission.

    >>> fulfils(1, Symbols(flower=1)), fulfils(13, Symbols(flower=1, fruit=2))
    (True, False)
    """
    card = MISSIONS[mission]
    match card["kind"]:
        case "more":
            return symbols.of(card["more"]) > symbols.of(card["less"])
        case "at_least":
            return all(symbols.of(name) >= least for name, least in card["needs"].items())
        case "equal_named":
            return _equals_another(card["resource"], symbols)
        case _:
            return any(_equals_another(name, symbols) for name in RESOURCES)


def _equals_another(resource: str, symbols: Symbols) -> bool:
    count = symbols.of(resource)
    return count > 0 and symbols.resources.count(count) > 1


def points(reward: int, size: int, symbols: Symbols) -> int:
    """Return the points a reward gives for an island of this size with these symbols; 0 for `discovery`.

    >>> points(8, 3, Symbols(flower=2, fruit=1)), points(10, 7, Symbols())
    (4, 6)
    """
    card, present = REWARDS[reward], [count for count in symbols.resources if count]
    match card["kind"]:
        case "per_symbol":
            return int(sum(each * symbols.of(name) for name, each in card["each"].items()) + card["plus"])
        case "lowest_present":
            return int(card["each"] * min(present, default=0) + card["plus"])
        case "chosen":
            return int(card["each"] * max(present, default=0) + card["plus"])
        case "flat":
            return int(card["points"])
        case "size":
            return max((gain for tiles, gain in card["steps"] if size >= tiles), default=0)
        case _:
            return 0


def is_discovery(reward: int) -> bool:
    """Return whether a reward is paid in discovery tokens."""
    return bool(REWARDS[reward]["kind"] == DISCOVERY)
