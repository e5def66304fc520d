"""The faces of the tiles as printed, and how they lie in each of the four turns.

The names of faces are the numbers of the landscape tiles ("1" to "56"), the start tiles with their side ("S1A" to
"S4B"), "ship" for a ship in the colour of a seat and "grey" for a grey one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, NamedTuple

from games.titles.small_islands.geometry import CORNERS, QUARTERS, SIDES, turned, turned_corners

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


def _bits(corners: Iterable[str]) -> int:
    return sum(1 << CORNERS.index(corner) for corner in corners)


def _region(number: int, entry: Mapping[str, Any], coasts: str) -> Region:
    symbols = Symbols(*(entry[name] for name in Symbols._fields))
    return Region(number, _bits(entry["corners"]), symbols, tuple(map(SIDES.index, coasts)))


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
    coasts, entries = _COASTS[entry["shape"]], entry["regions"]
    numbers = (1, 2) if len(entries) > 1 else (0,) * len(entries)
    regions = tuple(map(_region, numbers, entries, coasts))
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
