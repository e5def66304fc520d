"""Numbers that browsers send."""

from __future__ import annotations

from typing import Final

INTEGER: Final = 9
"""So many digits fit into an integer of PostgreSQL, whatever they are."""

KEY: Final = 18
"""So many fit into the key of a row."""


def whole_number(text: str, digits: int = INTEGER) -> int | None:
    """Return the number that these digits are; None for any other text, or if there are more than so many.

    Python alone would also read signs, spaces, underscores and the digits of every script, and be long about long ones.

    >>> whole_number("12"), whole_number("-1"), whole_number("1_0"), whole_number("²"), whole_number("123", 2)
    (12, None, None, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
