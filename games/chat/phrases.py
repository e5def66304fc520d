"""Phrases that need no common language: everybody reads them in their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.chat.models import Message

PHRASES: Final[Mapping[str, str | Promise]] = {
    "hello": _("Hello!"),
    "good-luck": _("Good luck!"),
    "have-fun": _("Have fun!"),
    "thinking": _("I need a moment to think."),
    "nice": _("Nice move!"),
    "oops": _("Oops!"),
    "sorry": _("Sorry, I was away."),
    "back-soon": _("I’ll be right back."),
    "thanks": _("Thank you!"),
    "well-played": _("Well played!"),
    "again": _("Shall we play again?"),
    "goodbye": _("Goodbye!"),
}
"""By the key that is stored."""


def words_of(message: Message) -> str:
    """Return what a message says: its text, or its phrase in the active language."""
    return str(PHRASES.get(message.phrase, "")) if message.phrase else message.text
