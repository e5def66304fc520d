"""The daily digest: one email about what is waiting and what has ended, at the hour its reader chose."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from django.utils import timezone

from accounts.models import User
from accounts.zones import zone
from games.notifications.channels import registry
from games.notifications.channels.hosts import MAIL_SERVER
from games.notifications.models import Channel, Delivery, DigestDay, Kind, Preferences
from games.notifications.notices import standing
from games.play import duties
from games.play.matches.transactions import writing

MOST = 200
"""How many digests are handled in one go."""


def schedule(preferences: Preferences) -> None:
    """Store when a person's next digest is due, or that they want none."""
    if not preferences.wants(Kind.DIGEST, Channel.MAIL):
        DigestDay.objects.filter(user=preferences.user).delete()
        return
    due = standing.next_time(preferences.digest_at, preferences.user, timezone.now())
    DigestDay.objects.update_or_create(user=preferences.user, defaults={"due_at": due})


class Digests:
    """The duty of sending digests. Digests missed while no worker was running are not made up for."""

    name = "digests"

    def run_due(self, now: datetime) -> int:
        due = DigestDay.objects.filter(due_at__lte=now).exclude(pk__in=duties.waiting(self.name, now))
        found = list(due.order_by("due_at").values_list("pk", flat=True)[:MOST])
        return sum(duties.attempt(self.name, key, partial(decide, key)) for key in found)

    def next_due(self) -> datetime | None:
        waiting = duties.waiting(self.name, timezone.now())
        return DigestDay.objects.exclude(pk__in=waiting).order_by("due_at").values_list("due_at", flat=True).first()


def decide(key: int) -> bool:
    """Send a digest that is due if anything waits, and move on to the next day; return whether it was ours to do."""
    with writing():
        now = timezone.now()
        day = DigestDay.objects.filter(pk=key, due_at__lte=now).select_related("user").first()
        if day is None:
            return False
        preferences = Preferences.of(day.user)
        following = standing.next_time(preferences.digest_at, day.user, now)
        if not DigestDay.objects.filter(pk=key, due_at=day.due_at).update(due_at=following):
            return False  # another worker was faster
        if preferences.wants(Kind.DIGEST, Channel.MAIL) and standing.waiting(day.user).exists():
            _deliver(day.user, now)
        return True


def _deliver(user: User, now: datetime) -> None:
    """Make the delivery of a person's digest for today (in their time zone), once."""
    way = registry.ways().get(Channel.MAIL)
    if way is not None and way.targets(user):
        key = f"digest.{user.pk}.{now.astimezone(zone(user.time_zone)):%Y-%m-%d}"
        made = Delivery(user=user, channel=Channel.MAIL, host=MAIL_SERVER, key=key, due_at=now)
        Delivery.objects.bulk_create([made], ignore_conflicts=True)


duties.register(Digests())
