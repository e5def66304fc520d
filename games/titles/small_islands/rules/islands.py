"""Where tiles lie and can be laid, and the islands that they make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from games.titles.small_islands.rules import components
from games.titles.small_islands.rules.components import FACES, PORT, QUARTERS, SEA, Cell, Lying, Symbols, beside

ORIGIN = Cell(0, 0)
"""Where the first tile lies."""

_REMEMBERED = 1024


class Placed(NamedTuple):
    """A tile in play.

    Args:
        face: its name, see `components.FACES`.
        cell: where it lies.
        turn: how it is turned.
        seat: who placed it, None for the automatic start; of a ship in colour also whose it is.
    """

    face: str
    cell: Cell
    turn: int
    seat: int | None

    @property
    def lying(self) -> Lying:
        return FACES[self.face].lying[self.turn]


Board: TypeAlias = tuple[Placed, ...]
"""The tiles in play in the order in which they were placed."""


class Gap(NamedTuple):
    """An empty cell beside a tile: which of its corners are fixed by tiles, and which of those are land."""

    cell: Cell
    fixed: int
    land: int


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the tiles of a board lie, and where there is room for another.

    Args:
        at: the tile of each cell that is taken.
        gaps: the cells on the table beside a tile, topmost first, then leftmost.
        reach: how far the table reaches, see `is_on_table`.
    """

    at: Mapping[Cell, Placed]
    gaps: tuple[Gap, ...]
    reach: int

    def places(self, corners: int) -> list[Cell]:
        """Return the cells where a tile with these corners, as it is turned, agrees with what is there."""
        return [cell for cell, fixed, land in self.gaps if corners & fixed == land]

    def spots(self, face: str) -> list[tuple[Cell, int]]:
        """Return every legal place of a face: the cell and the turn."""
        lying = FACES[face].lying
        return [(cell, turn) for turn in QUARTERS for cell in self.places(lying[turn].corners)]

    def refusal(self, face: str, cell: Cell, turn: int) -> str | None:
        """Return the code of the rule against placing this face here, None if it may be placed."""
        if cell in self.at:
            return "cell-taken"
        if not is_on_table(cell, self.reach):
            return "beyond-the-edge"
        gap = next((gap for gap in self.gaps if gap.cell == cell), None)
        if gap is None:
            return "not-beside" if self.at else "first-elsewhere"
        corners = FACES[face].lying[turn].corners
        return None if corners & gap.fixed == gap.land else "coast-broken"


def is_on_table(cell: Cell, reach: int) -> bool:
    """Return whether a cell is on a table that reaches this many cells beyond the block of four in the middle.

    >>> is_on_table(Cell(-4, 5), 4), is_on_table(Cell(-5, 0), 4)
    (True, False)
    """
    return all(-reach <= number <= reach + 1 for number in cell)


@lru_cache(maxsize=_REMEMBERED)
def tiles_at(board: Board) -> Mapping[Cell, Placed]:
    """Return the tile of each cell that is taken."""
    return {placed.cell: placed for placed in board}


@lru_cache(maxsize=_REMEMBERED)
def placement(board: Board, reach: int) -> Placement:
    """Return where the tiles lie and where another can be placed; on an empty board that is `ORIGIN`."""
    at = tiles_at(board)
    land: dict[tuple[int, int], int] = {}
    for placed in board:
        corners = placed.lying.corners
        land |= {point: corners >> corner & 1 for corner, point in enumerate(components.vertices(placed.cell))}
    cells = {beside(cell, side) for cell in at for side in QUARTERS} - at.keys() if board else {ORIGIN}
    free = sorted((cell for cell in cells if is_on_table(cell, reach)), key=lambda cell: cell.reading_order)
    gaps = []
    for cell in free:
        values = [land.get(point) for point in components.vertices(cell)]
        fixed = sum(1 << corner for corner, value in enumerate(values) if value is not None)
        gaps.append(Gap(cell, fixed, sum(1 << corner for corner, value in enumerate(values) if value)))
    return Placement(at, tuple(gaps), reach)


class Site(NamedTuple):
    """A region of a tile in play: its cell and its number, 0 where the tile has only one."""

    cell: Cell
    region: int

    @property
    def reading_order(self) -> tuple[int, int, int]:
        """The topmost site is the least, then the leftmost, then region 1 of a channel."""
        return *self.cell.reading_order, self.region


class Token(NamedTuple):
    """A bonus token in play.

    Args:
        seat: whose it was.
        name: which of the four it is: flower, fruit, leaf or any.
        shows: the resource it counts as, or "port".
        site: the region it belongs to.
        spot: the resource it covers; for a Port, the side it is on: N, E, S or W.
    """

    seat: int
    name: str
    shows: str
    site: Site
    spot: str


@dataclass(frozen=True, slots=True)
class Island:
    """Connected land.

    Args:
        sites: its regions, the one that was placed first in front.
        size: the number of different tiles with a region in it.
        symbols: what counts on it, tokens included.
    """

    sites: tuple[Site, ...]
    size: int
    symbols: Symbols


@dataclass(frozen=True, slots=True)
class Islands:
    """All islands of a board, in the order in which their first tiles were placed.

    Args:
        all: the islands.
        number: for each region the index of its island.
        symbols: for each region what counts on it, tokens included.
    """

    all: tuple[Island, ...]
    number: Mapping[Site, int]
    symbols: Mapping[Site, Symbols]

    def of(self, site: Site) -> Island:
        """Return the island of a region."""
        return self.all[self.number[site]]


@lru_cache(maxsize=_REMEMBERED)
def islands(board: Board, tokens: tuple[Token, ...]) -> Islands:
    """Return the islands of a board with what counts on them."""
    without = bare(board)
    if not tokens:
        return without
    symbols = dict(without.symbols)
    for token in tokens:
        symbols[token.site] = with_token(symbols[token.site], token.shows, token.spot)
    changed = {without.number[token.site] for token in tokens}
    found = tuple(
        _island(island.sites, symbols) if index in changed else island for index, island in enumerate(without.all)
    )
    return Islands(found, without.number, symbols)


@lru_cache(maxsize=_REMEMBERED)
def bare(board: Board) -> Islands:
    """Return the islands of a board without tokens: those before its last tile, with what that tile adds and joins."""
    if not board:
        return Islands((), {}, {})
    before = bare(board[:-1])
    symbols = {**before.symbols, **dict(printed(board[-1]))}
    known = {island.sites: island for island in before.all}
    found = tuple(known.get(sites) or _island(sites, symbols) for sites in united(board))
    return Islands(found, {site: index for index, island in enumerate(found) for site in island.sites}, symbols)


def printed(placed: Placed) -> Iterator[tuple[Site, Symbols]]:
    """Yield the regions of a tile with the symbols printed on them."""
    for number, region in FACES[placed.face].regions.items():
        yield Site(placed.cell, number), region.symbols


def with_token(symbols: Symbols, shows: str, spot: str) -> Symbols:
    """Return the symbols of a region after a token was laid: what it covers no longer counts, what it shows does."""
    more = {shows: symbols.of(shows) + 1}
    return symbols._replace(**more) if shows == PORT else symbols._replace(**more, **{spot: symbols.of(spot) - 1})


def _island(sites: tuple[Site, ...], symbols: Mapping[Site, Symbols]) -> Island:
    return Island(sites, len({site.cell for site in sites}), components.add_up(symbols[site] for site in sites))


@lru_cache(maxsize=_REMEMBERED)
def united(board: Board) -> tuple[tuple[Site, ...], ...]:
    """Return the regions of each island, from those before the last tile was placed and the regions it adds and joins.

    Islands come in the order in which their first tiles were placed; that tile's region comes first in each.
    """
    if not board:
        return ()
    before, placed = board[:-1], board[-1]
    groups = [*united(before), *((site,) for site, _ in printed(placed))]
    for site, other in joints(before, placed):
        first, *second = (group for group in groups if site in group or other in group)
        if second:  # they become one group, in the place of the first
            groups = [first + second[0] if group is first else group for group in groups if group is not second[0]]
    return tuple(groups)


def joints(board: Board, placed: Placed) -> Iterator[tuple[Site, Site]]:
    """Yield each region of a tile with each region that it joins on a board which it is not part of: where a vertex
    that both tiles have on a side is land.
    """
    at, lands = tiles_at(board), placed.lying.lands
    for side in QUARTERS:
        neighbour = at.get(beside(placed.cell, side))
        if neighbour is not None:
            others = neighbour.lying.lands
            for corner, other in components.facing(side):
                if lands[corner] != SEA:
                    yield Site(placed.cell, lands[corner]), Site(neighbour.cell, others[other])
