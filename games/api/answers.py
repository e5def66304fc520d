"""How answers are declared in the document of the API, and lists that are read a page at a time."""

from __future__ import annotations

from typing import Any, Final

from games.api.problems import Described

OF_ANY: Final = frozenset({400, 401, 403, 404, 405, 413, 422, 429, 500, 503})
"""With which statuses any address may refuse."""


def answers(whole: Any, *more: int) -> dict[Any, Any]:
    """Return what an operation answers: a schema, or a problem.

    Args:
        whole: the schema of 200.
        more: statuses of refusals besides `OF_ANY`.
    """
    return {200: whole, OF_ANY | frozenset(more): Described}
