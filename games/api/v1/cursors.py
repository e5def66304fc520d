"""Lists that are read a page at a time: `next` of an answer is `after` of the next request."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from games.api.problems import Problem
from games.history.archive import Cursor

MOST: Final = 1_000_000
"""Rows of a list that can be read; no leaderboard is longer."""


def cursor_of(text: str | None) -> Cursor | None:
    """Return the place in the archive that a request names, None for none.

    Raises:
        Problem: 422 "cursor" for a text that no answer has given.
    """
    if not text:
        return None
    try:
        return Cursor.read(text)
    except ValueError:
        raise bad_cursor() from None


def place_of(text: str, step: int, most: int = MOST) -> int:
    """Return after how many rows of a list to go on, 0 from the beginning.

    Args:
        text: `after` of a request, empty without one.
        step: how many rows an answer has.
        most: how many rows can be read at all.

    Raises:
        Problem: 422 "cursor" for a text that no answer has given.
    """
    if not text:
        return 0
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    if not is_number or not 0 < int(text) < most or int(text) % step:
        raise bad_cursor()
    return int(text)


def bad_cursor() -> Problem:
    """Return the refusal of a place that no answer has given."""
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "cursor", "Send as “after” only what an answer gave as “next”.")
