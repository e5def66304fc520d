"""Competition ranking: places from 1, equal ones share a place, and the next place is left out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def ranks(keys: Iterable[Any]) -> tuple[int, ...]:
    """Return the place of each key, the least first; equal keys share a place, and as many places after it are empty.

    >>> ranks([-10, -20, -10, 0])
    (2, 1, 2, 4)
    """
    found = list(keys)
    first: dict[Any, int] = {}
    for place, key in enumerate(sorted(found), start=1):
        first.setdefault(key, place)
    return tuple(first[key] for key in found)
