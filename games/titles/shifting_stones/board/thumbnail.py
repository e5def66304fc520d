"""The stones in a few strokes, for lists of matches."""

from __future__ import annotations

from functools import cache

from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.titles.shifting_stones.rules.patterns import SIDE
from games.titles.shifting_stones.rules.view import View
from games.titles.thumbnails import joined, with_points

_PITCH, _EDGE = 36, 6


def thumbnail(view: View) -> SafeString:
    """Return the stones as they lie, and the score of each seat; `thumbnail.svg` holds the stones."""
    return with_points(joined(_stone(cell, face) for cell, face in enumerate(view.grid)), view.scores)


@cache
def _stone(cell: int, face: str) -> SafeString:
    row, column = divmod(cell, SIDE)
    x, y = _EDGE + _PITCH * column, _EDGE + 1 + _PITCH * row
    return format_html('<use href="#stone-{}" x="{}" y="{}"/>', face, x, y)
