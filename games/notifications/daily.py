"""What people are told once a day, at the hour they chose on their wall clock: the digest, and what other apps add."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time

from django.utils import timezone

from accounts.models import User
from accounts.moments import zone
from games.notifications import channels, validity
from games.notifications.messages import Message, digest_for, digest_lines
from games.notifications.models import DAILY, Channel, DailyHour, Delivery, Kind, Preferences
from games.play import jobs
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
    """Return all of them by kind."""
    return _kinds


register(
    Daily(
        kind=Kind.DIGEST,
        at=lambda preferences: preferences.digest_at,
        is_due=lambda user: validity.waiting(user).exists() or bool(digest_lines(user)),
        message=digest_for,
    )
)


MOST = 200
"""How many are handled in one go."""


def schedule(preferences: Preferences) -> None:
    """Store when a person is next told each daily thing they want, and nothing of the others."""
    now = timezone.now()
    for daily in daily_kinds().values():
        if daily.wanted(preferences):
            due = validity.next_time(daily.at(preferences), preferences.user, now)
            DailyHour.objects.update_or_create(user=preferences.user, kind=daily.kind, defaults={"due_at": due})
        else:
            DailyHour.objects.filter(user=preferences.user, kind=daily.kind).delete()


class DailyNotices:
    """The duty of telling what comes daily. What was missed while no worker was running is not made up for."""

    name = "daily"

    def run_due(self, now: datetime) -> int:
        due = DailyHour.objects.filter(due_at__lte=now).exclude(pk__in=jobs.waiting(self.name, now))
        found = list(due.order_by("due_at").values_list("pk", flat=True)[:MOST])
        return jobs.attempt_each(self.name, found, decide)

    def next_due(self) -> datetime | None:
        waiting = jobs.waiting(self.name, timezone.now())
        return DailyHour.objects.exclude(pk__in=waiting).order_by("due_at").values_list("due_at", flat=True).first()


def decide(key: int) -> bool:
    """Tell what is due if there is anything, and move on to the next day; return whether it was ours to do."""
    with writing():
        now = timezone.now()
        hour = DailyHour.objects.filter(pk=key, due_at__lte=now).select_related("user").first()
        if hour is None:
            return False
        daily, preferences = daily_kinds()[hour.kind], Preferences.of(hour.user)
        following = validity.next_time(daily.at(preferences), hour.user, now)
        if not DailyHour.objects.filter(pk=key, due_at=hour.due_at).update(due_at=following):
            return False  # another worker was faster
        ways = daily.wanted(preferences)
        if ways and daily.is_due(hour.user):
            for way in ways:
                _deliver(daily, way, hour.user, now)
        return True


def _deliver(daily: Daily, channel: Channel, user: User, now: datetime) -> None:
    """Make the deliveries through a channel for today (in the person's time zone), once."""
    way = channels.transports().get(channel)
    day = f"{now.astimezone(zone(user.time_zone)):%Y-%m-%d}"
    made = [
        Delivery(
            user=user,
            kind=daily.kind,
            channel=channel,
            key=f"{daily.kind}.{user.pk}.{day}.{channel}.{target.key}",
            due_at=now,
            **target.fields,
        )
        for target in (way.targets(user) if way else ())
    ]
    Delivery.objects.bulk_create(made, ignore_conflicts=True)


jobs.register(DailyNotices())
