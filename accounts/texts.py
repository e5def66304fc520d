"""Texts that people write (messages, notes, reports, reasons), as they are stored and shown."""

from __future__ import annotations

import unicodedata
from typing import Final

MARKS: Final = 4
"""How many marks one letter keeps: more than any script needs, too few to climb over other lines."""

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")
"""Letters and signs that show nothing and take a place: they are spaces."""
_NOTHING: Final = frozenset("\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f\U00016fe4")
"""Marks that show nothing and take no place."""
_JOINERS: Final = "\u200c\u200d"
"""Some scripts, and many emoji, need these between two characters."""
_VARIATIONS: Final = "\ufe0e\ufe0f"
"""Which look of the character before is wanted: as text, or as a picture."""


_FROM_RIGHT: Final = frozenset({"R", "AL", "AN"})
"""The classes of characters that make the text around them run from right to left."""


def tidy_text(text: str) -> str:
    """Return a text on one line, with nothing in it that cannot be seen, turns it around or leaves its line.

    Joiners stay between characters that are seen, and each letter keeps its first `MARKS` marks. What is left is either
    empty or can be seen.

    >>> tidy_text("  Beginners\\n welcome\\u202e! ")
    'Beginners welcome!'
    >>> tidy_text("\\u200d\\ufe0f\\u200d")
    ''
    """
    kept: list[str] = []
    joiner, marks = "", MARKS  # a mark without a letter is none
    for char in filter(_may_be_seen, unicodedata.normalize("NFC", text)):
        if char.isspace() or char in _BLANK:
            kept.append(" ")
            joiner, marks = "", MARKS
        elif char in _JOINERS:
            joiner = char if kept and kept[-1] != " " else ""
        elif char in _VARIATIONS:
            kept += [char] if kept and kept[-1] not in (" ", *_VARIATIONS) else []
        elif not _is_mark(char) or marks < MARKS:
            kept += [joiner, char] if joiner else [char]
            joiner, marks = "", marks + 1 if _is_mark(char) else 0
    return " ".join("".join(kept).split())


def _may_be_seen(char: str) -> bool:
    """Return whether a character shows something, or is needed by those around it."""
    if char.isspace() or char in _JOINERS or char in _VARIATIONS:
        return True
    return not (unicodedata.category(char) in _UNSEEN or char in _NOTHING or _is_variation(char))


def _is_mark(char: str) -> bool:
    """Return whether a character stands above, below or around the one before."""
    return unicodedata.category(char) in ("Mn", "Me")


def _is_variation(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def isolated(text: str) -> str:
    """Return a name or text as it can stand among others: one with letters from right to left turns nothing around.

    Such a text is enclosed in the marks of an isolate (Unicode, UAX #9), which are for plain text what `bdi` is in
    HTML, so that it works in titles, attributes, mails and pushes too. Others stay as they are.

    >>> isolated("Ann"), isolated("\u05d0\u05d1")
    ('Ann', '\u2068\u05d0\u05d1\u2069')
    """
    if not text.isascii() and any(unicodedata.bidirectional(char) in _FROM_RIGHT for char in text):
        return f"\u2068{text}\u2069"
    return text
