"""The map in a few strokes, for lists of matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.titles.small_islands.board.drawing import SIDE, house_mark, on_map
from games.titles.small_islands.rules.components import FACES, GREY_SHIP, SHIP_FACES, Cell
from games.titles.small_islands.rules.islands import Placed
from games.titles.small_islands.rules.state import House, Table
from games.titles.small_islands.rules.view import View
from games.titles.thumbnails import BOARD, HEIGHT, joined, with_points

_MARGIN = 30
_LEAST = 4 * SIDE
_EDGE = 4


def thumbnail(view: View) -> SafeString:
    """Return the islands as they lie with Houses and ships, and the points of each seat as far as everybody knows."""
    table = view.table
    return with_points(_map(table), [tally.total for tally in view.tallies])


def _map(table: Table) -> SafeString:
    """Return the whole map, as large as there is room for it."""
    size = HEIGHT - 2 * _EDGE
    return format_html(
        '<rect x="{0}" y="{0}" width="{1}" height="{2}" rx="5" fill="light-dark(#7fb6c6, #204a58)"/>'
        '<svg x="{0}" y="{0}" width="{1}" height="{2}" viewBox="{3} {4} {5} {6}">{7}{8}</svg>',
        _EDGE,
        BOARD - 2 * _EDGE,
        size,
        *_frame([placed.cell for placed in table.board] or [Cell(0, 0)]),
        joined(map(_tile, table.board)),
        joined(_houses(table)),
    )


def _frame(cells: Iterable[Cell]) -> tuple[int, int, int, int]:
    columns, rows = zip(*cells, strict=True)
    left, width = _stretch(min(columns), max(columns))
    top, height = _stretch(min(rows), max(rows))
    return left, top, width, height


def _stretch(first: int, last: int) -> tuple[int, int]:
    length = (last - first + 1) * SIDE + 2 * _MARGIN
    spare = max(0, _LEAST - length) // 2
    return first * SIDE - _MARGIN - spare, length + 2 * spare


@lru_cache(maxsize=8192)
def _tile(placed: Placed) -> SafeString:
    x, y = placed.cell.x * SIDE, placed.cell.y * SIDE
    if placed.face in SHIP_FACES:
        seat = None if placed.face == GREY_SHIP else placed.seat
        return format_html('<use href="#isle-ship" x="{}" y="{}" fill="{}"/>', x, y, _colour(seat))
    turned = format_html(" rotate({} 50 50)", 90 * placed.turn) if placed.turn else ""
    return format_html('<use href="#isle-{}" transform="translate({} {}){}"/>', FACES[placed.face].shape, x, y, turned)


def _houses(table: Table) -> Iterator[SafeString]:
    at = {placed.cell: placed for placed in table.board}
    return (_house(house, at[house.site.cell]) for house in table.houses)


def _house(house: House, placed: Placed) -> SafeString:
    x, y = on_map(placed.cell, house_mark(placed, house.site.region))
    return format_html('<use href="#isle-house" x="{}" y="{}" fill="{}"/>', x, y, _colour(house.seat))


def _colour(seat: int | None) -> str:
    return "#8d8778" if seat is None else f"var(--seat-{seat + 1})"
