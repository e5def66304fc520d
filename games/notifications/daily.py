"""What people are told once a day, at the hour they chose on their wall clock: the digest, and what other apps add."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import time

from django.utils import timezone

from accounts.models import User
from accounts.moments import zone
from games.notifications import validity
from games.notifications.channels import create_deliveries
from games.notifications.messages import Message, digest_for, digest_lines
from games.notifications.models import DAILY, Channel, DailyHour, Kind, Preferences
from games.play.store import writing


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


_kinds: dict[str, Daily] = {}


def register(daily: Daily) -> None:
    """Add a kind."""
    _kinds[daily.kind] = daily


def daily_kinds() -> dict[str, Daily]:
    """Return all registered kinds."""
    return _kinds


register(
    Daily(
        kind=Kind.DIGEST,
        at=lambda preferences: preferences.digest_at,
        is_due=lambda user: validity.waiting(user).exists() or bool(digest_lines(user)),
        message=digest_for,
    )
)


def schedule(preferences: Preferences) -> None:
    """Store when a person is next told each daily kind they want; remove the hours of the others."""
    now = timezone.now()
    for daily in _kinds.values():
        if daily.wanted(preferences):
            due = validity.next_time(daily.at(preferences), preferences.user, now)
            DailyHour.objects.update_or_create(user=preferences.user, kind=daily.kind, defaults={"due_at": due})
        else:
            DailyHour.objects.filter(user=preferences.user, kind=daily.kind).delete()


def decide(key: int) -> bool:
    """Move a `DailyHour` that is due on to its next day, and create deliveries if there is anything to tell.

    Returns:
        False if it was not due, or another worker was faster.
    """
    with writing():
        now = timezone.now()
        hour = DailyHour.objects.filter(pk=key, due_at__lte=now).select_related("user").first()
        if hour is None:
            return False
        daily, preferences = _kinds[hour.kind], Preferences.of(hour.user)
        following = validity.next_time(daily.at(preferences), hour.user, now)
        if not DailyHour.objects.filter(pk=key, due_at=hour.due_at).update(due_at=following):
            return False
        through = daily.wanted(preferences)
        if through and daily.is_due(hour.user):
            today = f"{now.astimezone(zone(hour.user.time_zone)):%Y-%m-%d}"
            for channel in through:
                create_deliveries(hour.user, channel, f"{daily.kind}.{hour.user.pk}.{today}", now, kind=daily.kind)
        return True
