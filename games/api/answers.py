"""How answers are declared in the document of the API, and streams of lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from django.http import StreamingHttpResponse

from games.api.problems import Described

OF_ANY: Final = frozenset({400, 401, 403, 404, 405, 413, 422, 429, 500, 503})
"""With which statuses any address may refuse. The document adds them: ninja would make models of all for each address,
which takes a quarter of a second whenever a process starts."""

LINES: Final = "application/x-ndjson"


def answers(whole: Any, *more: int) -> dict[Any, Any]:
    """Return what an operation answers: a schema, or a problem.

    Args:
        whole: the schema of 200.
        more: statuses of refusals besides `OF_ANY`.
    """
    return {200: whole, **dict.fromkeys(more, Described)}


def cached(whole: Any) -> dict[Any, Any]:
    """Return what an operation answers that is sent again only if it has changed; otherwise as `answers`."""
    return {304: None, **answers(whole)}


def nothing(*more: int) -> dict[Any, Any]:
    """Return what an operation answers that has nothing to tell: 204, or a problem; `more` as for `answers`."""
    return {204: None, **dict.fromkeys(more, Described)}


def lines(*more: int) -> dict[Any, Any]:
    """Return what an operation answers besides the lines it streams; `more` as for `answers`."""
    return dict.fromkeys((500, *more), Described)  # ninja wants one at least


def streaming(values: Iterable[Any]) -> StreamingHttpResponse:
    """Return a stream of values, each a line of JSON."""
    return StreamingHttpResponse((msgspec.json.encode(value) + b"\n" for value in values), content_type=LINES)
