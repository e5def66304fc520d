"""What people are told once a day, at an hour they choose: the digest, and what other apps add."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import time

from accounts.models import User
from games.notifications.models import DAILY, Channel, Kind, Preferences
from games.notifications.notices import digests, standing
from games.notifications.notices.messages import Message, digest_for


@dataclass(frozen=True, slots=True)
class Daily:
    """A kind of message that comes once a day.

    Args:
        kind: one of `models.DAILY`.
        at: the hour that somebody has chosen for it.
        is_due: whether there is anything to tell somebody at this moment; asked again when it is sent.
        message: what it says.
    """

    kind: Kind
    at: Callable[[Preferences], time]
    is_due: Callable[[User], bool]
    message: Callable[[User], Message]

    def wanted(self, preferences: Preferences) -> list[Channel]:
        """Return the channels through which somebody wants it."""
        return [channel for channel in DAILY[self.kind] if preferences.wants(self.kind, channel)]


_known: dict[str, Daily] = {}


def register(daily: Daily) -> None:
    """Add a kind."""
    _known[daily.kind] = daily


def known() -> dict[str, Daily]:
    """Return all of them by kind."""
    return _known


register(
    Daily(
        kind=Kind.DIGEST,
        at=lambda preferences: preferences.digest_at,
        is_due=lambda user: standing.waiting(user).exists() or bool(digests.lines_for(user)),
        message=digest_for,
    )
)
