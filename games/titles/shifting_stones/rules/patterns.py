"""The stones, the grid and the 72 pattern cards, and whether a pattern lies on a grid.

A grid is a tuple of nine face names in the order a1, b1, c1, a2, .. c3. Where a card may lie is worked out once, when
this module is loaded; after that a match is a comparison of two integers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import TypeAlias

Grid: TypeAlias = tuple[str, ...]
"""Nine face names, row by row from the top left."""

Placement: TypeAlias = tuple[tuple[int, str], ...]
"""The cells a pattern covers at one offset, each with the face it requires; wild cells are left out."""

SIDE = 3
CELLS = tuple(column + row for row in "123" for column in "abc")
"""The names of the cells by index: a1, b1, c1, a2, .. c3."""

TILES: Mapping[int, tuple[str, str]] = {
    1: ("sun", "moon"),
    2: ("fish", "bird"),
    3: ("horse", "boat"),
    4: ("seed", "tree"),
}
"""Tile kind to its front and back."""

TILE_SET = (1, 2, 2, 3, 3, 3, 4, 4, 4)
"""The kinds of the nine tiles."""

FACES = tuple(face for sides in TILES.values() for face in sides)
OTHER_SIDE: Mapping[str, str] = dict(TILES.values()) | {back: front for front, back in TILES.values()}
"""Each face to the one on the other side of its tile."""

ADJACENT = tuple(
    (cell, other)
    for cell in range(len(CELLS))
    for other in (cell + 1, cell + SIDE)
    if other < len(CELLS) and (other == cell + SIDE or other % SIDE)
)
"""The twelve pairs of orthogonally adjacent cells, each once, the smaller index first."""


@dataclass(frozen=True, slots=True)
class Card:
    """One pattern card.

    Args:
        id: 1 to 72, as in the data file.
        points: 1, 2, 3 or 5.
        rows: the printed pattern from the top, None for a cell that may hold any tile.
        placements: every place where it fits on the grid.
    """

    id: int
    points: int
    rows: tuple[tuple[str | None, ...], ...]
    placements: tuple[Placement, ...]


def _placements(rows: tuple[tuple[str | None, ...], ...]) -> Iterator[Placement]:
    height, width = len(rows), len(rows[0])
    for top in range(SIDE - height + 1):
        for left in range(SIDE - width + 1):
            yield tuple(
                ((top + y) * SIDE + left + x, face)
                for y, row in enumerate(rows)
                for x, face in enumerate(row)
                if face is not None
            )


_ENTRIES = json.loads(resources.files(__package__).joinpath("patterns.json").read_text(encoding="utf-8"))
CARDS: Mapping[int, Card] = {
    entry["id"]: Card(entry["id"], entry["points"], rows, tuple(_placements(rows)))
    for entry in _ENTRIES
    for rows in [tuple(map(tuple, entry["rows"]))]
}
"""Every card by id, ascending."""

POINTS: Mapping[int, int] = {card.id: card.points for card in CARDS.values()}

# One bit for every face in every cell: a pattern lies on a grid when all bits of one of its placements are set.
_BITS = tuple({face: 1 << (cell * len(FACES) + n) for n, face in enumerate(FACES)} for cell in range(len(CELLS)))
_MASKS = {
    card.id: tuple(sum(_BITS[cell][face] for cell, face in placement) for placement in card.placements)
    for card in CARDS.values()
}


def grid_bits(grid: Grid) -> int:
    """Return the grid as one integer, for many calls of `lies_on`."""
    bits = 0
    for cell, face in zip(_BITS, grid, strict=True):
        bits |= cell[face]
    return bits


def lies_on(card: int, bits: int) -> bool:
    """Return whether the card's pattern lies on the grid whose `grid_bits` these are."""
    for mask in _MASKS[card]:  # noqa: SIM110  any() takes twice as long, and searches spend their time here
        if bits & mask == mask:
            return True
    return False


def places_near(card: int, bits: int, wrong: int) -> list[int]:
    """Return the places where at most `wrong` cells of a grid, given as `grid_bits`, keep a card's pattern from lying.

    A place is the bits that are set when the pattern lies there.
    """
    return [mask for mask in _MASKS[card] if (mask & ~bits).bit_count() <= wrong]


def matches(card: int, grid: Grid) -> bool:
    """Return whether the card's pattern lies on the grid now.

    >>> matches(26, ("sun", "fish", "bird", "tree", "tree", "tree", "boat", "boat", "boat"))
    True
    """
    return lies_on(card, grid_bits(grid))


def cells_of(card: int, grid: Grid) -> tuple[int, ...]:
    """Return the cells that show the card's pattern, wild ones left out; the first place if it lies in several.

    Empty when it lies nowhere.
    """
    for placement in CARDS[card].placements:
        if all(grid[cell] == face for cell, face in placement):
            return tuple(cell for cell, _ in placement)
    return ()


def nearest_place(card: int, grid: Grid) -> Placement:
    """Return the place that lacks least of the card's pattern: most cells are right there, then most need but a flip.

    Of equal places it is the first.

    >>> grid = ("sun", "fish", "bird", "tree", "boat", "tree", "boat", "boat", "boat")
    >>> [CELLS[cell] for cell, _ in nearest_place(26, grid)]
    ['a2', 'b2', 'c2']
    """

    def likeness(place: Placement) -> tuple[int, int]:
        right = sum(grid[cell] == face for cell, face in place)
        return right, sum(grid[cell] == OTHER_SIDE[face] for cell, face in place)

    return max(CARDS[card].placements, key=likeness)


def shifted(grid: Grid, first: int, second: int) -> Grid:
    """Return the grid with the stones of two cells swapped."""
    cells = list(grid)
    cells[first], cells[second] = cells[second], cells[first]
    return tuple(cells)


def flipped(grid: Grid, cell: int) -> Grid:
    """Return the grid with one stone turned over."""
    return (*grid[:cell], OTHER_SIDE[grid[cell]], *grid[cell + 1 :])


_CELL_BITS = len(FACES)
_CELL = (1 << _CELL_BITS) - 1
_FRONTS = sum(1 << n for n in range(0, _CELL_BITS, 2))


def bits_after(bits: int, move: tuple[int, ...]) -> int:
    """Return `grid_bits` after two stones, or one, have moved: two cells to swap or one to flip.

    >>> grid = ("sun", "fish", "bird", "tree", "tree", "tree", "boat", "boat", "boat")
    >>> bits_after(grid_bits(grid), (0, 1)) == grid_bits(shifted(grid, 0, 1))
    True
    >>> bits_after(grid_bits(grid), (8,)) == grid_bits(flipped(grid, 8))
    True
    """
    first = move[0] * _CELL_BITS
    if len(move) == 1:
        fronts, backs = bits & _FRONTS << first, bits & _FRONTS << first + 1
        return bits & ~(_CELL << first) | fronts << 1 | backs >> 1
    second = move[1] * _CELL_BITS
    changed = (bits >> first ^ bits >> second) & _CELL
    return bits ^ (changed << first | changed << second)
