"""What programs can ask for: with a token that somebody made for them, or by asking people to let them in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

SCOPES: Final[Mapping[str, Any]] = {
    "read": _("Read your matches, invitations and friends"),
    "play": _("Play in your matches"),
    "tables": _("Open tables, sit down and invite"),
    "chat": _("Read and write messages in your matches"),
    "puzzles": _("Try puzzles"),
    "bot": _("Make this account a bot account and set its conditions"),
    "openid": _("Know your name and the number of your account"),
}
"""What each scope allows, in the words of the pages on which people agree."""

DEFAULT: Final = ("read",)
"""What a program asks for that names no scope."""
