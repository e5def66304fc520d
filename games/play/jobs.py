"""Jobs: work that becomes due at a certain time, and the loop of the worker that does it.

A job finds in the database what is due, and does each piece in a transaction of its own. Whoever holds the lock does
the work, and a process that dies releases it and leaves nothing half done. What fails is set back: it is tried again
after longer and longer pauses, and after `MOST_FAILURES` left to an operator.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol

from django.db import Error, close_old_connections, connections, transaction
from django.utils import timezone

from games.play import database
from games.play.models import Setback

log = logging.getLogger(__name__)

EVERY = 1.0
"""Most seconds until the worker asks whether others have changed something, such as a deadline, or looks at once where
the database does not tell."""

AT_LATEST = 10.0
"""Most seconds between two looks at what is due: what another worker had in hand when it died, for instance."""

_LEAST = 0.02
"""Least seconds between two looks, as what another process has locked stays due."""

PASS = 1.0
"""Seconds after which a job with much to do lets the others have their turn."""

MOST_FAILURES = 8
_FIRST_PAUSE = timedelta(seconds=10)


class Job(Protocol):
    """Something that becomes due.

    Attributes:
        name: distinguishes its setbacks from those of other jobs.
    """

    name: str

    def run_due(self, now: datetime) -> int:
        """Do what is due, except what is set back; return how many pieces there were."""

    def next_due(self) -> datetime | None:
        """Return when the next thing that is not set back is due; None if there is nothing."""


class Periodic:
    """A job that looks for work once in a while; the worker asks much more often. A clock put back delays nothing.

    Attributes:
        every: the time between two looks.
        next: the moment of the next look; None before the first.
    """

    name: str
    every: timedelta
    next: datetime | None = None

    def run_due(self, now: datetime) -> int:
        if self.next is not None and self.next - self.every <= now < self.next:
            return 0
        self.next = now + self.every
        return self.look(now)

    def look(self, now: datetime) -> int:
        """Do what is due, except what is set back; return how many pieces there were."""
        raise NotImplementedError

    def next_due(self) -> datetime | None:
        return self.next or timezone.now()


_jobs: list[Job] = []
_woken = threading.Event()
_sleeping_until: datetime | None = None


def register(job: Job) -> None:
    """Let the worker do a job; apps register theirs when they are ready."""
    _jobs.append(job)


def wake_for(moment: datetime) -> None:
    """Wake this process's worker, once committed, if it would sleep beyond a moment."""

    def wake() -> None:
        if _sleeping_until is not None and moment < _sleeping_until:
            _woken.set()

    transaction.on_commit(wake, robust=True)


def run_due(jobs: Sequence[Job] = _jobs) -> int:
    """Do everything that is due now; return how many pieces there were."""
    return sum(job.run_due(timezone.now()) for job in jobs)


def work(ended: Callable[[], bool], jobs: Sequence[Job] = _jobs) -> None:
    """Do all jobs until `ended()`; keep trying while the database is away."""
    while not ended():
        close_old_connections()
        try:
            seen = database.data_version()
            run_due(jobs)
            _sleep(moments(jobs), seen)
        except Error as error:
            log.warning("the worker waits for the database: %s", error)
            connections.close_all()
            _woken.wait(EVERY)


def moments(jobs: Sequence[Job] = _jobs) -> Iterable[datetime]:
    """Return when the next thing of each job is due."""
    return (moment for job in jobs if (moment := job.next_due()) is not None)


def _sleep(moments: Iterable[datetime], seen: tuple[int, int] | None) -> None:
    """Sleep until the first of these moments, but no longer than others leave the database as it was.

    Args:
        moments: when something is due.
        seen: the database's `database.data_version` before these were found.
    """
    global _sleeping_until  # noqa: PLW0603  # one worker per process
    now = timezone.now()
    _sleeping_until = min([now + timedelta(seconds=EVERY if seen is None else AT_LATEST), *moments])
    left = max(_LEAST, (_sleeping_until - now).total_seconds())
    until = time.monotonic() + left
    while left > 0 and not _woken.wait(min(left, EVERY)) and database.data_version() == seen:
        left = until - time.monotonic()
    _woken.clear()


def stop_sleeping() -> None:
    """Wake this process's worker, to look for work or to end."""
    _woken.set()


def attempt(job: str, key: int, work: Callable[[], bool]) -> bool:
    """Do a piece of a job's work and return whether there was any; set it back if it fails.

    Raises:
        django.db.Error: the database is away, which is not this work's fault.
    """
    try:
        done = work()
    except Exception as error:  # a bug in the rules of one game must not stop the clocks of all
        if database.is_passing(error) and not database.is_cut_short(error):
            raise  # what takes too long is set back like what fails: it must not stop the others
        log.exception("%s %s failed", job, key)
        _set_back(job, key, error)
        return False
    if done:
        Setback.objects.filter(job=job, key=key).delete()
    return done


def attempt_each(job: str, keys: Iterable[int], work: Callable[[int], bool]) -> int:
    """Do a piece of work for each of these keys, as `attempt`; return how many there were.

    After `PASS` the rest is left for the next look, so that other jobs have their turn.
    """
    until, done = time.monotonic() + PASS, 0
    for key in keys:
        done += attempt(job, key, partial(work, key))
        if time.monotonic() > until:
            break
    return done


def _set_back(job: str, key: int, error: Exception) -> None:
    with transaction.atomic():
        setback, _made = Setback.objects.select_for_update().get_or_create(job=job, key=key)
        setback.failures += 1
        pause = _FIRST_PAUSE * 2 ** (setback.failures - 1)
        setback.not_before = timezone.now() + pause if setback.failures < MOST_FAILURES else None
        setback.error = repr(error)
        setback.save()


def waiting(job: str, now: datetime) -> set[int]:
    """Return the keys of a job's work that must not be tried now: set back for a while, or given up."""
    rows = Setback.objects.filter(job=job).exclude(not_before__lte=now)
    return set(rows.values_list("key", flat=True))
