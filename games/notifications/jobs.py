"""Old notices and deliveries are removed."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from games.notifications.models import Delivery, Host, Notice
from games.play import jobs
from games.play.store import writing

KEPT = timedelta(days=60)
EVERY = timedelta(hours=1)
MOST = 500
"""Rows removed in one transaction: while it lasts SQLite lets nobody else write."""


class Pruning:
    """The duty of removing notices and deliveries older than `KEPT`. Several workers at once do no harm."""

    name = "pruning"

    def __init__(self) -> None:
        self._next: datetime | None = None

    def run_due(self, now: datetime) -> int:
        if self._next is not None and self._next - EVERY <= now < self._next:
            return 0
        count = prune(now)
        self._next = now if count == MOST else now + EVERY
        return count

    def next_due(self) -> datetime | None:
        return self._next or timezone.now()


def prune(now: datetime) -> int:
    """Remove the oldest rows that are old enough and no longer needed; return how many, at most `MOST`."""
    old = now - KEPT
    digests = Delivery.objects.filter(notice=None, due_at__lt=old).exclude(state=Delivery.State.WAITING)
    notices = Notice.objects.filter(created_at__lt=old, due_at=None)
    notices = notices.exclude(deliveries__state=Delivery.State.WAITING)
    with writing():
        keys = list(digests.order_by("pk").values_list("pk", flat=True)[:MOST])
        Delivery.objects.filter(pk__in=keys).delete()
        told = list(notices.order_by("pk").values_list("pk", flat=True)[: MOST - len(keys)])
        Notice.objects.filter(pk__in=told).delete()
        Host.objects.filter(failed_at__lt=old).delete()
    return len(keys) + len(told)


jobs.register(Pruning())
