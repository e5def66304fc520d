"""The random numbers that browsers add to the shuffle of a match, as forms send them."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

from games.engine.protocol import RuleViolation

NONCE_BYTES = 64
_NONCE = re.compile(rf"(?:[0-9a-f]{{2}}){{0,{NONCE_BYTES}}}")


def read_nonce(text: str) -> bytes:
    """Return the bytes a browser sent as lower-case hex; none at all are allowed.

    Raises:
        RuleViolation: "nonce": not hex, or more than 64 bytes.
    """
    if not _NONCE.fullmatch(text):
        raise RuleViolation("nonce", _("The page sent an incomplete request. Please reload it."))
    return bytes.fromhex(text)
