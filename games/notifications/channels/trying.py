"""Test messages: sent while the user waits, so that they see at once whether it worked."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.limits import LIMITS, TooMany, spend
from accounts.models import User
from games.notifications.channels.outside import Unanswered
from games.notifications.channels.registry import Gone, Undeliverable
from games.notifications.notices.messages import Message

log = logging.getLogger(__name__)

KIND = "test"
"""Used in place of a `Kind`."""

TRIES = LIMITS["test-message"].person[0].most
"""Test messages of one person within a minute."""

_one_at_a_time = threading.BoundedSemaphore()
"""A slow receiver holds one thread of this process, not all of them."""


class Busy(Exception):
    """Too many test messages."""


def try_out(user: User, send: Callable[[Message], None]) -> str:
    """Send a test message; return why it did not arrive, empty if it did.

    Raises:
        Busy: somebody else's is under way, or too many have been sent by this person or from their network.
    """
    try:
        spend("test-message", user)
    except TooMany as error:
        raise Busy from error
    if not _one_at_a_time.acquire(blocking=False):
        raise Busy
    try:
        send(_message())
    except (Gone, Undeliverable, Unanswered) as error:
        log.info("a test message for %s did not arrive: %s", user.pk, error)
        return str(error)
    finally:
        _one_at_a_time.release()
    return ""


def _message() -> Message:
    return Message(
        kind=KIND,
        title=_("It works"),
        text=_("This is where Tessera will tell you what happens in your matches."),
        url=f"{settings.SITE_URL}{reverse('settings_devices')}",
        topic=KIND,
        urgent=True,
    )
