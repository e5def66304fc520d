"""Jobs of the worker: plan notices, send deliveries, send what comes daily, delete what is old."""

from __future__ import annotations

import atexit
import logging
import threading
import time
from datetime import datetime, timedelta

from django.db import Error, connections
from django.utils import timezone

from games.notifications import delivery, planning
from games.notifications.models import DailyHour, Delivery, Host, Notice
from games.play import jobs
from games.play.store import writing

log = logging.getLogger(__name__)

AT_ONCE = 200
"""People whose notices are planned, or who are sent what comes daily, in one run."""

PLANNED_EVERY = timedelta(seconds=0.5)
"""The shortest time between two runs; in live play nearly every notice is outdated when it is due."""

FINISH_WITHIN = 5.0
"""Seconds for which a process that shuts down waits for messages that are being sent."""

KEPT = timedelta(days=60)
MOST_PRUNED = 500
"""Rows deleted in one transaction: while it lasts, nobody else can write to SQLite."""


class Planning:
    """Plans the notices that are due."""

    name = "notices"

    def __init__(self) -> None:
        self._last_run: datetime | None = None

    def run_due(self, now: datetime) -> int:
        just_ran = self._last_run is not None and self._last_run <= now < self._last_run + PLANNED_EVERY
        if just_ran or not planning.due_notices(now).exists():
            return 0
        self._last_run = now
        planning.drop_outdated(now)
        due = planning.due_notices(now).exclude(user__in=jobs.waiting(self.name, now))
        people = due.order_by("user").values_list("user", flat=True).distinct()[:AT_ONCE]
        return jobs.attempt_each(self.name, list(people), planning.plan_for)

    def next_due(self) -> datetime | None:
        set_back = jobs.waiting(self.name, timezone.now())
        notices = Notice.objects.filter(due_at__isnull=False).exclude(user__in=set_back)
        first = notices.order_by("due_at").values_list("due_at", flat=True).first()
        return first if first is None or self._last_run is None else max(first, self._last_run + PLANNED_EVERY)


class WorkerPool:
    """The threads of one channel in this process.

    Args:
        workers: how many there are.
    """

    def __init__(self, workers: int) -> None:
        self._workers = self._free = workers
        self._changed = threading.Condition()

    @property
    def is_full(self) -> bool:
        return self._free == 0

    @property
    def is_half_full(self) -> bool:
        """Return whether at most half of the workers are free; these are for hosts that have not failed."""
        return self._free * 2 <= self._workers

    def take(self) -> None:
        """Mark a free worker as busy."""
        with self._changed:
            self._free -= 1

    def give_back(self) -> None:
        """Mark a worker as free again."""
        with self._changed:
            self._free += 1
            self._changed.notify_all()

    def wait(self, seconds: float) -> None:
        """Wait at most this long for all workers to be free."""
        with self._changed:
            self._changed.wait_for(lambda: self._free == self._workers, max(0.0, seconds))


class Deliveries:
    """Sends deliveries, each channel in threads of its own, so that a slow server delays no other channel and no clock.

    Args:
        threaded: whether to send in these threads, rather than in that of the job.
    """

    name = "deliveries"

    def __init__(self, threaded: bool = True) -> None:
        self._threaded = threaded
        self._pools = {channel.value: WorkerPool(budget.workers) for channel, budget in delivery.BUDGETS.items()}
        self._last_run: datetime | None = None

    def run_due(self, now: datetime) -> int:
        """Start sending as many deliveries as the budgets allow; return how many."""
        self._last_run = now
        count = 0
        for channel in delivery.channels_due(now):
            pool = self._pools[channel]
            while not pool.is_full and (claimed := delivery.claim(channel, now, cautious=pool.is_half_full)):
                pool.take()
                count += 1
                if self._threaded:
                    threading.Thread(
                        target=self._send_in_thread, args=(pool, claimed), name="delivery", daemon=True
                    ).start()
                else:
                    self._send(pool, claimed)
        return count

    def next_due(self) -> datetime | None:
        """Return when the next delivery is due. Those that the last run left wait for a worker, which wakes the job."""
        free = [channel for channel, pool in self._pools.items() if not pool.is_full]
        return delivery.next_moment(free, after=self._last_run)

    def finish(self, seconds: float = FINISH_WITHIN) -> None:
        """Wait for messages that are being sent, at most so many seconds."""
        until = time.monotonic() + seconds
        for pool in self._pools.values():
            pool.wait(until - time.monotonic())

    def _send_in_thread(self, pool: WorkerPool, claimed: Delivery) -> None:
        try:
            self._send(pool, claimed)
        except Error as error:  # the database is away: the lease will end
            log.warning("%s: %s", claimed, error)
        finally:
            connections.close_all()

    def _send(self, pool: WorkerPool, claimed: Delivery) -> None:
        try:
            delivery.deliver(claimed)
        finally:
            pool.give_back()
            jobs.stop_sleeping()


class DailyNotices:
    """Sends what comes daily. Days on which no worker ran are not made up for."""

    name = "daily"

    def run_due(self, now: datetime) -> int:
        due = DailyHour.objects.filter(due_at__lte=now).exclude(pk__in=jobs.waiting(self.name, now))
        keys = list(due.order_by("due_at").values_list("pk", flat=True)[:AT_ONCE])
        return jobs.attempt_each(self.name, keys, planning.plan_daily)

    def next_due(self) -> datetime | None:
        set_back = jobs.waiting(self.name, timezone.now())
        return DailyHour.objects.exclude(pk__in=set_back).order_by("due_at").values_list("due_at", flat=True).first()


class Pruning(jobs.Periodic):
    """Removes notices and deliveries older than `KEPT`. Several workers at once do no harm."""

    name = "pruning"
    every = timedelta(hours=1)

    def look(self, now: datetime) -> int:
        count = _prune(now)
        if count == MOST_PRUNED:
            self.next = now
        return count


def _prune(now: datetime) -> int:
    """Remove the oldest rows that are old enough and no longer needed; return how many, at most `MOST_PRUNED`."""
    old = now - KEPT
    deliveries = Delivery.objects.filter(notice=None, due_at__lt=old).exclude(state=Delivery.State.WAITING)
    notices = Notice.objects.filter(created_at__lt=old, due_at=None)
    notices = notices.exclude(deliveries__state=Delivery.State.WAITING)
    with writing():
        unneeded = list(deliveries.order_by("pk").values_list("pk", flat=True)[:MOST_PRUNED])
        Delivery.objects.filter(pk__in=unneeded).delete()
        told = list(notices.order_by("pk").values_list("pk", flat=True)[: MOST_PRUNED - len(unneeded)])
        Notice.objects.filter(pk__in=told).delete()
        Host.objects.filter(failed_at__lt=old).delete()
    return len(unneeded) + len(told)


_deliveries = Deliveries()
for job in (DailyNotices(), _deliveries, Planning(), Pruning()):
    jobs.register(job)
atexit.register(_deliveries.finish)
