"""Cells, their corners and sides, and what a quarter turn does to them.

Corners are numbered 0 to 3 (NW, NE, SE, SW), sides 0 to 3 (N, E, S, W); side s lies between the corners s and s + 1.
The corners of a tile are one number, bit c set where corner c is land. Turns are quarter turns clockwise.
"""

from __future__ import annotations

from typing import NamedTuple

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
