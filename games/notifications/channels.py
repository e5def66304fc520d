"""The channels outside the site: what each must offer, and which ones exist.

Each channel has a module of its own (mail, push, webhooks) and registers here when the app is ready.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from games.notifications.models import Delivery


class Gone(Exception):
    """The device or webhook will never take a message again: the channel has removed or disabled it."""


class Undeliverable(Exception):
    """This message will never be accepted: do not try it again."""


@dataclass(frozen=True, slots=True)
class Message:
    """What a person is told, in their language and time zone. Nothing hidden in a match may appear in it.

    Args:
        kind: a `Kind`.
        title: a few words, for instance “Your turn in Small Islands”.
        text: one sentence.
        subject: what a mail says in its subject; the title when empty.
        url: absolute, of the page to which it leads.
        topic: equal for messages of which the later replaces the earlier: one per match.
        match: slug of the match; empty for a digest.
        deadline: when something must be done by, None when nothing must.
        waiting: how many matches wait for this person.
        urgent: worth waking a phone for.
    """

    kind: str
    title: str
    text: str
    url: str
    topic: str
    match: str = ""
    deadline: datetime | None = None
    waiting: int = 0
    urgent: bool = False
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a channel would send to: fields of `Delivery` that name it, and what is different in its key."""

    key: str
    fields: dict[str, Any] = field(default_factory=dict)


class Way(Protocol):
    """A channel: mail, push or webhook."""

    name: str

    def targets(self, user: Any) -> Sequence[Target]:
        """Return where this person could be told by this channel now: verified addresses, devices, webhooks."""

    def send(self, delivery: Delivery, message: Message) -> None:
        """Send a message, outside any transaction.

        Raises:
            Gone, Undeliverable: trying again is useless.
            Exception: anything else; the message will be tried again.
        """


_ways: dict[str, Way] = {}


def register(way: Way) -> None:
    """Add a channel to those by which people are told."""
    _ways[way.name] = way


def ways() -> dict[str, Way]:
    """Return all channels by name."""
    return _ways
