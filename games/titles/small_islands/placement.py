"""What lies on the table, and where another tile can be laid.

All of it follows from the placed tiles and tokens; it is worked out when asked for and remembered, never stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from games.titles.small_islands.geometry import QUARTERS, Cell, beside, vertices
from games.titles.small_islands.tiles import FACES, Lying

ORIGIN = Cell(0, 0)
"""Where the first tile lies."""

_REMEMBERED = 1024


class Placed(NamedTuple):
    """A tile in play.

    Args:
        face: its name, see `tiles`.
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
        land |= {point: corners >> corner & 1 for corner, point in enumerate(vertices(placed.cell))}
    cells = {beside(cell, side) for cell in at for side in QUARTERS} - at.keys() if board else {ORIGIN}
    free = sorted((cell for cell in cells if is_on_table(cell, reach)), key=lambda cell: cell.reading_order)
    return Placement(at, tuple(_gap(cell, land) for cell in free), reach)


def _gap(cell: Cell, land: Mapping[tuple[int, int], int]) -> Gap:
    values = [land.get(point) for point in vertices(cell)]
    fixed = sum(1 << corner for corner, value in enumerate(values) if value is not None)
    return Gap(cell, fixed, sum(1 << corner for corner, value in enumerate(values) if value))
