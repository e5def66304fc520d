"""A host's note at a table: one short line of plain text."""

from __future__ import annotations

import unicodedata
from typing import Any

from django.utils.translation import gettext as _

from accounts.sanctions import refusal_to_write
from games.engine.protocol import RuleViolation

MOST = 100
"""Characters in a note."""

_UNSEEN = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}
"""Categories of characters that are not shown, or that change the direction of what follows."""


def tidy(text: str) -> str:
    """Return a note as one line, without characters that cannot be seen.

    >>> tidy("  Beginners\\n welcome\\u202e! ")
    'Beginners welcome!'
    """
    seen = (" " if char.isspace() else char for char in text if char.isspace() or not _is_unseen(char))
    return " ".join("".join(seen).split())


def _is_unseen(char: str) -> bool:
    return unicodedata.category(char) in _UNSEEN


def check_may_note(user: Any, note: str) -> None:
    """Refuse a note by a guest ("guest-note"), by somebody silenced ("silenced"), and one too long ("long-note")."""
    if note and user.guest:
        raise RuleViolation("guest-note", _("Guests can’t write a note. Register to add one."))
    if note and (refusal := refusal_to_write(user)):
        raise RuleViolation("silenced", refusal)
    if len(note) > MOST:
        raise RuleViolation("long-note", _("A note has at most %(most)d characters.") % {"most": MOST})
