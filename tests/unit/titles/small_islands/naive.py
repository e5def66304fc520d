"""A second way to find islands and legal places: slow, from the data file alone, sharing no code with the rules.

Land is flooded corner by corner. Nothing is remembered and nothing is worked out in advance.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, TypeAlias

ORDER = ["NW", "NE", "SE", "SW"]
POINTS = {"NW": (0, 0), "NE": (1, 0), "SE": (1, 1), "SW": (0, 1)}

Corner: TypeAlias = tuple[int, int, str]
"""A corner of a tile: x, y, and which."""


@dataclass(frozen=True)
class Tile:
    """A tile in play: its face, where it lies, how it is turned."""

    face: str
    x: int
    y: int
    turn: int


def _load() -> dict[str, list[dict[str, Any]]]:
    text = resources.files("games.titles.small_islands.rules").joinpath("components.json").read_text(encoding="utf-8")
    data = json.loads(text)
    faces: dict[str, list[dict[str, Any]]] = {str(tile["id"]): tile["regions"] for tile in data["landscape"]}
    for tile in data["start"]:
        faces[tile["id"] + "A"], faces[tile["id"] + "B"] = tile["A"]["regions"], tile["B"]["regions"]
    return faces | {"ship": [], "grey": []}


REGIONS = _load()


def land(tile: Tile) -> dict[Corner, int]:
    """Return the land corners of a tile as it lies, each with the index of its region."""
    found = {}
    for index, region in enumerate(REGIONS[tile.face]):
        for corner in region["corners"]:
            found[tile.x, tile.y, ORDER[(ORDER.index(corner) + tile.turn) % 4]] = index
    return found


def point(corner: Corner) -> tuple[int, int]:
    """Return the vertex of the grid at a corner."""
    x, y, name = corner
    return x + POINTS[name][0], y + POINTS[name][1]


def islands(tiles: Sequence[Tile]) -> list[frozenset[tuple[int, int, int]]]:
    """Return every island as its regions: x, y, index of the region in the data file."""
    corners = {corner: index for tile in tiles for corner, index in land(tile).items()}
    found, left = [], set(corners)
    while left:
        reached = _flood(left.pop(), corners)
        left -= reached
        found.append(frozenset((x, y, corners[x, y, name]) for x, y, name in reached))
    return found


def _flood(start: Corner, corners: Mapping[Corner, int]) -> set[Corner]:
    reached, open_ends = {start}, [start]
    while open_ends:
        here = open_ends.pop()
        for other in corners:
            if other not in reached and _joined(here, other, corners):
                reached.add(other)
                open_ends.append(other)
    return reached


def _joined(one: Corner, other: Corner, corners: Mapping[Corner, int]) -> bool:
    if one[:2] == other[:2]:
        return corners[one] == corners[other]
    side_by_side = abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1
    return side_by_side and point(one) == point(other)


def size(island: frozenset[tuple[int, int, int]]) -> int:
    """Return the number of different tiles of an island."""
    return len({(x, y) for x, y, _ in island})


def symbols(
    island: frozenset[tuple[int, int, int]],
    tiles: Sequence[Tile],
    laid: Sequence[tuple[tuple[int, int, int], str, str]],
) -> Counter[str]:
    """Return what counts on an island.

    Args:
        island: its regions.
        tiles: all tiles in play.
        laid: the tokens in play: the region, what the token shows and what it covers, nothing under a Port.
    """
    faces = {(tile.x, tile.y): tile.face for tile in tiles}
    count: Counter[str] = Counter()
    for x, y, index in island:
        count.update({k: v for k, v in REGIONS[faces[x, y]][index].items() if k != "corners"})
    for region, shows, covers in laid:
        if region in island:
            count.update({shows: 1})
            count.subtract({covers: 1} if covers else {})
    return Counter({name: number for name, number in count.items() if number})


def places(tiles: Sequence[Tile], face: str) -> Iterator[tuple[int, int, int]]:
    """Yield every legal place of a face: x, y, turn."""
    taken = {(tile.x, tile.y) for tile in tiles}
    known = {vertex: is_land for tile in tiles for vertex, is_land in _vertices(tile).items()}
    for x in range(min(x for x, _ in taken) - 1, max(x for x, _ in taken) + 2):
        for y in range(min(y for _, y in taken) - 1, max(y for _, y in taken) + 2):
            beside = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & taken
            if (x, y) not in taken and beside:
                yield from ((x, y, turn) for turn in range(4) if _agrees(known, Tile(face, x, y, turn)))


def _agrees(known: Mapping[tuple[int, int], bool], new: Tile) -> bool:
    return all(known.get(vertex, is_land) == is_land for vertex, is_land in _vertices(new).items())


def _vertices(tile: Tile) -> dict[tuple[int, int], bool]:
    return {point((tile.x, tile.y, name)): (tile.x, tile.y, name) in land(tile) for name in ORDER}
