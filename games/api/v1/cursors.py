"""Lists that are read a page at a time: `next` of an answer is `after` of the next request."""

from __future__ import annotations

from http import HTTPStatus

from games.api.problems import Problem
from games.history.archive import Cursor


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


def bad_cursor() -> Problem:
    """Return the refusal of a place that no answer has given."""
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "cursor", "Send as “after” only what an answer gave as “next”.")
