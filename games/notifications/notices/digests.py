"""What other apps add to the daily digest: a line each, if they have something to say."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from accounts.models import User

Line: TypeAlias = Callable[[User], str]
"""Returns a sentence in the active language; empty if there is nothing to say."""

_lines: list[Line] = []


def register(line: Line) -> None:
    """Add a line."""
    _lines.append(line)


def lines_for(user: User) -> list[str]:
    """Return what the digest of somebody says besides the matches that wait, in the active language."""
    return [said for line in _lines if (said := line(user))]
