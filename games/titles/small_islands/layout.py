"""Where the symbols of a tile are drawn, from its north-west corner; a side is 100 units long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from games.titles.small_islands.geometry import Cell
from games.titles.small_islands.islands import Site, Token
from games.titles.small_islands.placement import Placed
from games.titles.small_islands.tiles import FACES, PORT, SEA, Symbols

SIDE: Final = 100
"""The length of a side of a tile."""
_ON_LAND = tuple(name for name in Symbols._fields if name != PORT)
_SPOTS: Mapping[str, Mapping[int, tuple[tuple[int, int], ...]]] = {
    "tip": {1: ((21, 21),), 2: ((14, 34), (31, 13))},
    "shore": {1: ((50, 26),), 2: ((31, 25), (69, 25)), 3: ((20, 24), (50, 27), (80, 24))},
    "isthmus": {3: ((21, 21), (50, 50), (79, 79))},
    "bay": {
        2: ((33, 27), (74, 64)),
        3: ((24, 25), (72, 24), (77, 71)),
        4: ((20, 21), (51, 34), (81, 20), (80, 72)),
    },
    "inland": {3: ((26, 29), (74, 29), (50, 72)), 4: ((27, 27), (73, 27), (27, 73), (73, 73))},
}
"""For each shape and number of symbols where they are printed, Ports left out."""
_MIDDLES = ((50, 12), (88, 50), (50, 88), (12, 50))
_ALONG = ((1, 0), (0, 1), (-1, 0), (0, -1))
_OFF_SHORE = 8


class Mark(NamedTuple):
    """A symbol on a tile.

    Args:
        name: a resource, "temple", "port" or "house".
        region: the region it belongs to.
        x, y: where its middle is.
        token: whether a bonus token shows it.
    """

    name: str
    region: int
    x: int
    y: int
    token: bool = False


@cache
def printed_marks(face: str) -> tuple[Mark, ...]:
    """Return the printed symbols of a face that is not turned."""
    shape, found = FACES[face].shape, list[Mark]()
    for region in FACES[face].regions.values():
        names = [name for name in _ON_LAND for _ in range(region.symbols.of(name))]
        spots = _SPOTS["tip" if shape == "channel" else shape][len(names)]
        if region.number > 1:
            spots = tuple((SIDE - y, SIDE - x) for x, y in spots)
        found += [Mark(name, region.number, x, y) for name, (x, y) in zip(names, spots, strict=True)]
        found += [port_mark(face, 0, side) for side in region.coasts[: region.symbols.port]]
    return tuple(found)


@cache
def port_mark(face: str, turn: int, side: int) -> Mark:
    """Return where a Port is drawn on a side of a tile as it lies: at the coast, a little off shore."""
    lying = FACES[face].lying[turn]
    (x, y), (right, down) = _MIDDLES[side], _ALONG[side]
    off = _OFF_SHORE if lying.lands[side] != SEA else -_OFF_SHORE
    return Mark(PORT, lying.coasts[side], x + off * right, y + off * down)


def _turned(mark: Mark, turn: int) -> Mark:
    x, y = mark.x, mark.y
    for _ in range(turn):
        x, y = SIDE - y, x
    return mark._replace(x=x, y=y)


@cache
def marks(face: str, turn: int) -> tuple[Mark, ...]:
    """Return the printed symbols of a face as it lies."""
    return tuple(_turned(mark, turn) for mark in printed_marks(face))


def standing(placed: Placed, tokens: Sequence[Token]) -> list[Mark]:
    """Return the symbols on a tile in play, the bonus tokens laid on it in place of what they cover."""
    shown = list(marks(placed.face, placed.turn))
    for token in tokens:
        if token.site.cell != placed.cell:
            continue
        if token.shows == PORT:
            side = "NESW".index(token.spot)
            shown.append(port_mark(placed.face, placed.turn, side)._replace(token=True))
        else:
            index = next(i for i, mark in enumerate(shown) if _is(mark, token.spot, token.site))
            shown[index] = shown[index]._replace(name=token.shows, token=True)
    return shown


def _is(mark: Mark, name: str, site: Site) -> bool:
    return mark.name == name and mark.region == site.region


def house_mark(placed: Placed, region: int) -> Mark:
    """Return where the house symbol of a region of a tile in play is drawn."""
    return next(mark for mark in marks(placed.face, placed.turn) if mark.name == "house" and mark.region == region)


def on_map(cell: Cell, mark: Mark) -> tuple[int, int]:
    """Return where a symbol of a tile is drawn on the map."""
    return cell.x * SIDE + mark.x, cell.y * SIDE + mark.y
