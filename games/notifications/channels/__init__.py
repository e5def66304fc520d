"""The channels outside the site (email, push and webhooks): their interface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from games.notifications.messages import Message
from games.notifications.models import Delivery


class Gone(Exception):
    """The device or webhook will never take a message again; the channel has deleted or disabled it."""


class Undeliverable(Exception):
    """This message will never be accepted, so it is not tried again."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a channel sends to: the fields of `Delivery` that say so, and a part of its key."""

    key: str
    fields: dict[str, Any] = field(default_factory=dict)


class Transport(Protocol):
    """A channel: email, push or webhook."""

    def targets(self, user: Any) -> Sequence[Target]:
        """Return where this channel could reach this person now: verified addresses, devices, webhooks."""

    def send(self, delivery: Delivery, message: Message) -> None:
        """Send a message, outside any transaction.

        Raises:
            Gone, Undeliverable: trying again is useless.
            Exception: anything else; the message will be tried again.
        """
