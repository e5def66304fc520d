"""A host's note at a table: one short line of plain text."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from accounts.sanctions import refusal_to_write
from games.engine.protocol import RuleViolation

MOST = 100
"""Characters in a note."""


def check_may_note(user: Any, note: str) -> None:
    """Refuse a note by a guest ("guest-note"), by somebody silenced ("silenced"), and one too long ("long-note")."""
    if note and user.guest:
        raise RuleViolation("guest-note", _("Guests can’t write a note. Register to add one."))
    if note and (refusal := refusal_to_write(user)):
        raise RuleViolation("silenced", refusal)
    if len(note) > MOST:
        raise RuleViolation("long-note", _("A note has at most %(most)d characters.") % {"most": MOST})
