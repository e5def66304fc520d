"""Test messages, which show somebody at once whether a device or a webhook can be reached."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.limits import LIMITS, TooMany, spend
from accounts.models import User
from accounts.services import person_of
from games.notifications.channels import Gone, Undeliverable
from games.notifications.channels.http import Unanswered
from games.notifications.messages import Message, absolute

log = logging.getLogger(__name__)

KIND = "test"
"""The kind of a test message, which is none of `models.Kind`."""

TRIES = LIMITS["test-message"].person[0].most
"""Test messages of one person within a minute."""

_one_at_a_time = threading.BoundedSemaphore()
"""A slow receiver can hold one thread of this process, not all of them."""


class Busy(Exception):
    """Another test message is being sent."""


def message(text: str, path: str) -> Message:
    """Return a test message in the active language that says this and leads to a page."""
    return Message(kind=KIND, title=_("It works"), text=text, url=absolute(path), topic=KIND, urgent=True)


def send_test_message(user: User, message: Message, send: Callable[[Message], None]) -> None:
    """Send a test message while the user waits.

    Raises:
        Busy, TooMany: it was not sent.
        Gone, Undeliverable, Unanswered: it did not arrive.
    """
    spend("test-message", user)
    if not _one_at_a_time.acquire(blocking=False):
        raise Busy
    try:
        send(message)
    finally:
        _one_at_a_time.release()


def try_out(request: HttpRequest, message: Message, send: Callable[[Message], None]) -> None:
    """Send a test message, and show on the next page whether it arrived."""
    try:
        send_test_message(person_of(request), message, send)
    except (Busy, TooMany):
        messages.error(request, _("Too many test messages. Please wait a minute."))
    except (Gone, Undeliverable, Unanswered) as error:
        log.info("a test message for %s did not arrive: %s", request.user.pk, error)
        messages.error(request, _("The test message did not arrive: %(why)s.") % {"why": str(error).rstrip(".")})
    else:
        messages.success(request, _("The test message is on its way."))
