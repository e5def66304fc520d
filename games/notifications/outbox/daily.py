"""What comes once a day (`notices.daily`) is made ready at the hour its reader chose, on their wall clock."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from accounts.models import User
from accounts.zones import zone
from games.notifications.channels import registry
from games.notifications.models import Channel, DailyHour, Delivery, Preferences
from games.notifications.notices import standing
from games.notifications.notices.daily import Daily, known
from games.play import duties
from games.play.matches.transactions import writing

MOST = 200
"""How many are handled in one go."""


def schedule(preferences: Preferences) -> None:
    """Store when a person is next told each daily thing they want, and nothing of the others."""
    now = timezone.now()
    for daily in known().values():
        if daily.wanted(preferences):
            due = standing.next_time(daily.at(preferences), preferences.user, now)
            DailyHour.objects.update_or_create(user=preferences.user, kind=daily.kind, defaults={"due_at": due})
        else:
            DailyHour.objects.filter(user=preferences.user, kind=daily.kind).delete()


class DailyNotices:
    """The duty of telling what comes daily. What was missed while no worker was running is not made up for."""

    name = "daily"

    def run_due(self, now: datetime) -> int:
        due = DailyHour.objects.filter(due_at__lte=now).exclude(pk__in=duties.waiting(self.name, now))
        found = list(due.order_by("due_at").values_list("pk", flat=True)[:MOST])
        return duties.attempt_each(self.name, found, decide)

    def next_due(self) -> datetime | None:
        waiting = duties.waiting(self.name, timezone.now())
        return DailyHour.objects.exclude(pk__in=waiting).order_by("due_at").values_list("due_at", flat=True).first()


def decide(key: int) -> bool:
    """Tell what is due if there is anything, and move on to the next day; return whether it was ours to do."""
    with writing():
        now = timezone.now()
        hour = DailyHour.objects.filter(pk=key, due_at__lte=now).select_related("user").first()
        if hour is None:
            return False
        daily, preferences = known()[hour.kind], Preferences.of(hour.user)
        following = standing.next_time(daily.at(preferences), hour.user, now)
        if not DailyHour.objects.filter(pk=key, due_at=hour.due_at).update(due_at=following):
            return False  # another worker was faster
        ways = daily.wanted(preferences)
        if ways and daily.is_due(hour.user):
            for way in ways:
                _deliver(daily, way, hour.user, now)
        return True


def _deliver(daily: Daily, channel: Channel, user: User, now: datetime) -> None:
    """Make the deliveries through a channel for today (in the person's time zone), once."""
    way = registry.ways().get(channel)
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


duties.register(DailyNotices())
