"""A map that a program can play on quickly: what each island counts for, and what a tile would join where it fits.

The rules keep every map they have seen; a search forgets most of its maps at once. A chart holds one map, changes when
a tile is placed, and says what the rules say (a test compares them).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from games.titles.small_islands.rules import components, islands
from games.titles.small_islands.rules.components import FACES, OWN_SHIP, PORT, QUARTERS, Cell, Symbols
from games.titles.small_islands.rules.state import Table

Land: TypeAlias = int
"""What counts on an island in one number, so that islands join by adding: a byte each for its tiles, flowers, fruits,
leaves, temples, Ports and free house symbols."""

Region: TypeAlias = tuple[Cell, int]
"""A region of a tile in play, equal to its `Site`."""

_BITS, _BYTE = 8, 0xFF
TILE: Land = 1
_PLACES = {name: _BITS * number for number, name in enumerate(Symbols._fields, start=1)}
ONE: Mapping[str, Land] = {name: 1 << place for name, place in _PLACES.items()}
"""One symbol more of each name; a house symbol counts as long as it is free."""


def land_of(symbols: Symbols) -> Land:
    """Return what these symbols add to an island."""
    return sum(count << place for count, place in zip(symbols, _PLACES.values(), strict=True))


def size_of(land: Land) -> int:
    """Return the number of tiles of an island."""
    return land & _BYTE


def symbols_of(land: Land) -> Symbols:
    """Return what counts on an island, taken house symbols left out."""
    return Symbols(*(land >> place & _BYTE for place in _PLACES.values()))


REGIONS: Mapping[str, Mapping[int, Land]] = {
    name: {number: land_of(region.symbols) for number, region in face.regions.items()} for name, face in FACES.items()
}
"""For each face what its regions add to an island, its tile not counted."""
PORTS: Mapping[str, int] = {name: len(face.lying[0].ports) for name, face in FACES.items()}
"""For each face how many Ports are printed on it."""
TURNS: Mapping[str, tuple[tuple[int, ...], ...]] = {
    name: tuple(
        tuple(turn for turn in QUARTERS if face.lying[turn].corners & key >> 4 == key & 0b1111) for key in range(256)
    )
    for name, face in FACES.items()
}
"""For each face, by what a gap asks for, the turns in which it fits."""

around, vertices = lru_cache(maxsize=4096)(components.around), lru_cache(maxsize=4096)(components.vertices)
_is_on_table = lru_cache(maxsize=8192)(islands.is_on_table)


@lru_cache(maxsize=4096)
def _sides(cell: Cell) -> tuple[tuple[Cell, tuple[tuple[int, int], ...]], ...]:
    """Return the cells beside a cell, each with the pairs of corners that meet."""
    return tuple((components.beside(cell, side), components.facing(side)) for side in QUARTERS)


class Joined(NamedTuple):
    """An island that a tile would make: which islands it joins, what would count on it, and whose Houses it would have.

    Residents are bits, the lowest for seat 0.
    """

    islands: frozenset[int]
    land: Land
    residents: int


class Chart:
    """A map with its islands.

    Args:
        reach: how far the table reaches, see `is_on_table`.

    Attributes:
        land: what counts on each island, by a number that is lower the sooner the island was begun.
        residents: whose Houses each island has.
        gaps: what each gap asks of a tile: the corners that are fixed in the upper four bits, those of them that are
            land in the lower ones.
        ports: how many Ports each tile has that has any.
        ships: the cell of the ship in colour of each seat that has placed it.
    """

    __slots__ = (
        "_channels",
        "_corners",
        "_island",
        "_next",
        "_reach",
        "_regions",
        "_taken",
        "_touching",
        "gaps",
        "land",
        "ports",
        "residents",
        "ships",
    )

    def __init__(self, reach: int) -> None:
        self._reach = reach
        self._next = 0
        self._channels: list[Cell] = []
        self._corners: dict[tuple[int, int], int] = {}
        self._taken: set[Cell] = set()
        self._island: dict[Region, int] = {}
        self._regions: dict[int, tuple[Region, ...]] = {}
        self._touching: dict[Cell, tuple[tuple[int, Region], ...]] = {}
        self.gaps: dict[Cell, int] = {}
        self.land: dict[int, Land] = {}
        self.residents: dict[int, int] = {}
        self.ports: dict[Cell, int] = {}
        self.ships: dict[int, Cell] = {}

    def copy(self) -> Chart:
        """Return a chart of the same map."""
        other = Chart(self._reach)
        for name in self.__slots__:
            value = getattr(self, name)
            setattr(other, name, value if isinstance(value, int) else value.copy())
        return other

    # --- what is there ---

    def number(self, region: Region) -> int:
        """Return the number of the island of a region."""
        return self._island[region]

    def regions(self, island: int) -> tuple[Region, ...]:
        """Return the regions of an island."""
        return self._regions[island]

    def turns(self, face: str, cell: Cell) -> tuple[int, ...]:
        """Return in which turns a face fits in a gap."""
        return TURNS[face][self.gaps[cell]]

    def berths(self) -> list[Cell]:
        """Return the gaps for a ship."""
        return [cell for cell, key in self.gaps.items() if not key & 0b1111]

    def ports_around(self, cell: Cell) -> int:
        """Return the number of Ports on the eight tiles around a cell."""
        ports = self.ports
        return sum(ports[near] for near in around(cell) if near in ports)

    # --- what a tile would make ---

    def joined(self, cell: Cell) -> Joined:
        """Return what a tile with one region, which adds nothing to it yet, would make in a gap, however it is turned.

        It fits only so that its land meets all land around it.
        """
        islands = self._island
        return self._join(frozenset([islands[region] for _, region in self._touching[cell]]))

    def made(self, face: str, cell: Cell, turn: int) -> list[Joined]:
        """Return the islands that a tile would make."""
        lands = FACES[face].lying[turn].lands
        parts = []
        for number, land in REGIONS[face].items():
            islands = frozenset(
                self._island[region] for corner, region in self._touching.get(cell, ()) if lands[corner] == number
            )
            parts.append((islands, land + TILE))
        if len(parts) > 1 and parts[0][0] & parts[1][0]:
            parts = [(parts[0][0] | parts[1][0], parts[0][1] + parts[1][1] - TILE)]
        joined = []
        for islands, land in parts:
            before = self._join(islands)
            joined.append(Joined(islands, before.land + land, before.residents))
        return joined

    def _join(self, islands: frozenset[int]) -> Joined:
        land = residents = 0
        for island in islands:
            land += self.land[island]
            residents |= self.residents[island]
        if self._channels and len(islands) > 1:
            for cell in self._channels:  # a channel tile counts once, also with both regions
                first, second = self._island[cell, 1], self._island[cell, 2]
                land -= first != second and first in islands and second in islands
        return Joined(islands, land, residents)

    # --- what changes ---

    def place(self, face: str, cell: Cell, turn: int) -> None:
        """Place a tile."""
        lying, made = FACES[face].lying[turn], self.made(face, cell, turn)
        numbers = tuple(REGIONS[face])
        for joined in made:
            self._found(joined, [(cell, number) for number in numbers], alone=len(made) == 1)
            if len(made) > 1:
                numbers = numbers[1:]
        if len(REGIONS[face]) > 1:
            self._channels.append(cell)
        if PORTS[face]:
            self.ports[cell] = PORTS[face]
        self._taken.add(cell)
        for corner, point in enumerate(vertices(cell)):
            self._corners[point] = lying.corners >> corner & 1
        self.gaps.pop(cell, None)
        self._touching.pop(cell, None)
        self._look_around(cell, lying.lands)

    def _found(self, joined: Joined, own: list[Region], *, alone: bool) -> None:
        new = tuple(own) if alone else (own[0],)
        islands = sorted(joined.islands)
        regions = sum((self._regions.pop(island) for island in islands), ()) + new
        for island in islands:
            del self.land[island], self.residents[island]
        if islands:
            number = islands[0]
        else:
            number, self._next = self._next, self._next + 1
        self.land[number], self.residents[number], self._regions[number] = joined.land, joined.residents, regions
        for region in regions if len(islands) > 1 else new:
            self._island[region] = number

    def _look_around(self, cell: Cell, lands: tuple[int, ...]) -> None:
        """Bring the gaps around a new tile up to date."""
        gaps, corners, touching, reach = self.gaps, self._corners, self._touching, self._reach
        for near, facing in _sides(cell):
            if near in self._taken or not _is_on_table(near, reach):
                continue
            land = tuple((other, (cell, lands[corner])) for corner, other in facing if lands[corner] >= 0)
            touching[near] = (*touching.get(near, ()), *land)
            gaps[near] = 0
        for near in around(cell):
            if near in gaps:
                key = 0
                for corner, point in enumerate(vertices(near)):
                    if point in corners:
                        key |= (16 | corners[point]) << corner
                gaps[near] = key

    def cover(self, region: Region, shows: str, over: str) -> None:
        """Lay a token over a resource."""
        self.land[self._island[region]] += ONE[shows] - ONE[over]

    def add_port(self, region: Region) -> None:
        """Lay a token as a Port."""
        self.land[self._island[region]] += ONE[PORT]
        self.ports[region[0]] = self.ports.get(region[0], 0) + 1

    def settle(self, island: int, seat: int) -> None:
        """Place a House on an island, given by its number."""
        self.land[island] -= ONE["house"]
        self.residents[island] |= 1 << seat


def chart_of(table: Table, tiles: int | None = None) -> Chart:
    """Return the chart of a table, or of its first tiles, with all Houses and tokens there."""
    chart = Chart(table.reach)
    for number in range(len(table.board) if tiles is None else tiles):
        extend(chart, table, number)
    return chart


def extend(chart: Chart, table: Table, number: int) -> None:
    """Place the next tile of a table, with what is on it now."""
    placed = table.board[number]
    chart.place(placed.face, placed.cell, placed.turn)
    if placed.face == OWN_SHIP and placed.seat is not None:
        chart.ships[placed.seat] = placed.cell
    for token in table.tokens:
        if token.site.cell == placed.cell and token.shows == PORT:
            chart.add_port(token.site)
        elif token.site.cell == placed.cell:
            chart.cover(token.site, token.shows, token.spot)
    for house in table.houses:
        if house.site.cell == placed.cell:
            chart.settle(chart.number(house.site), house.seat)
