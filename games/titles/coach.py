"""What a newcomer is told on the board of a game: a title's module `coach` lists it as `COACH`.

The marks are shown one after another in somebody's first match of the game, each beside the part of the board that it
is about, until it is read or the reader acts (`games.learn`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise

_KEY: Final = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class CoachMark:
    """One thing to know.

    Args:
        key: one word in small letters, by which it is kept as read.
        target: a CSS selector of what it is about, which is on the page while it is the reader's turn.
        text: one or two short sentences, translated when they are shown.
    """

    key: str
    target: str
    text: str | Promise


def problems_of(marks: Iterable[CoachMark]) -> Iterator[str]:
    """Yield what is wrong with the marks of a title."""
    keys: set[str] = set()
    for mark in marks:
        if not _KEY.fullmatch(mark.key) or mark.key in keys:
            yield f"{mark.key!r} must be a word in small letters that no other mark has."
        keys.add(mark.key)
        if not mark.target or not mark.text:
            yield f"{mark.key!r} lacks a target or a text."
