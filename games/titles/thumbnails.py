"""What thumbnails have in common: 160 x 120, a table of wood, the board to the left and the points to the right.

Everything is drawn with attributes, since pages with thumbnails do not load the styles of titles. Colours that differ
between the themes are `var(--...)` of the site or `light-dark(...)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.titles.regions import joined

WIDTH, HEIGHT = 160, 120
BOARD = 116
"""How much of the width is left for the board; the points stand to the right of it."""

_ROW = 22
_MARKS = (
    '<circle cx="6" cy="6" r="5.5"/>',
    '<rect x="1" y="1" width="10" height="10" rx="1.5"/>',
    '<path d="M6 0l6 11H0z"/>',
    '<path d="M6 0l6 6-6 6-6-6z"/>',
    '<path d="M4 0h4v4h4v4H8v4H4V8H0V4h4z"/>',
)
"""The shapes of the seats, as beside the names of their players."""


def with_points(board: str, points: Sequence[int], pending: Mapping[int, int] | None = None) -> SafeString:
    """Return a drawn board on a table of wood, with the points by seat.

    Args:
        board: leaves the points their room.
        points: of each seat.
        pending: what some seats may get at the end, by seat; it stands behind their points, as "4+3".
    """
    top, more = (HEIGHT - _ROW * len(points)) // 2, pending or {}
    rows = (_row(top + _ROW * seat, seat, it, more.get(seat)) for seat, it in enumerate(points))
    return joined((_table(), board, _panel(len(points)), *rows))


@cache
def _table() -> SafeString:
    return format_html('<rect width="{}" height="{}" fill="var(--wood)"/>', WIDTH, HEIGHT)


@cache
def _panel(seats: int) -> SafeString:
    height = _ROW * seats + 6
    return format_html(
        '<rect x="{}" y="{}" width="40" height="{}" rx="5" fill="var(--surface-raised)"/>',
        BOARD,
        (HEIGHT - height) // 2,
        height,
    )


@lru_cache(maxsize=4096)
def _row(y: int, seat: int, points: int, pending: int | None) -> SafeString:
    number = f"{points}".replace("-", "−")
    text, right, size = (number, WIDTH - 7, 14) if pending is None else (f"{number}+{pending}", WIDTH - 5, 9)
    return format_html(
        '{}<text x="{}" y="{}" font-size="{}" font-weight="600" text-anchor="end" fill="var(--text)">{}</text>',
        seat_mark(seat, BOARD + (4 if pending is None else 2), y + 6),
        right,
        y + 16 if pending is None else y + 15,
        size,
        text,
    )


@lru_cache(maxsize=4096)
def seat_mark(seat: int, x: int, y: int) -> SafeString:
    """Return the shape of a seat in its colour, 10 x 10, with its top left corner there."""
    shape = mark_safe(_MARKS[seat % len(_MARKS)])  # noqa: S308  a constant
    return format_html(
        '<g transform="translate({} {})scale(.83)" fill="var(--seat-{})">{}</g>', x, y, seat % len(_MARKS) + 1, shape
    )


def score_bars(points: Sequence[int]) -> SafeString:
    """Return the points by seat as bars: the thumbnail of a game that draws none of its own."""
    most, top = max((*points, 1)), (HEIGHT - _ROW * len(points)) // 2 + 4
    bar = (
        '<rect x="8" y="{0}" width="100" height="14" rx="4" fill="var(--wood-deep)"/>'
        '<rect x="8" y="{0}" width="{1}" height="14" rx="4" fill="var(--seat-{2})"/>'
    )
    bars = (
        format_html(bar, top + _ROW * seat, round(100 * max(it, 0) / most), seat % len(_MARKS) + 1)
        for seat, it in enumerate(points)
    )
    return with_points(joined(bars), points)
