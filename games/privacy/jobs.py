"""Jobs of the worker: end accounts, delete what is old, and make exports in short steps.

An export is packed in memory and on the disk of one worker, which stores its progress in the database. If it dies,
another one starts over once the lease has run out; only the holder of the lease can store the file.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from django.conf import settings
from django.utils import timezone

from accounts import logins, registration
from accounts.models import FormerName, User
from accounts.services import KEPT
from games.play import jobs
from games.play.store import writing
from games.privacy import deletions, exports
from games.privacy.exports import Archive
from games.privacy.models import Deletion

_TIDIED_EVERY: Final = timedelta(hours=1)

_AT_A_TIME: Final = 0.2
"""Seconds after which a run of `Exports` takes no more steps."""

_REMOVED_EVERY: Final = timedelta(minutes=1)


class Deletions:
    """Ends accounts. If a worker dies, another one continues."""

    name = "deletions"

    def run_due(self, now: datetime) -> int:
        ready = deletions.due(now)
        if not ready.exists():
            return 0
        keys = ready.exclude(pk__in=jobs.waiting(self.name, now)).order_by("due_at", "pk")
        return jobs.attempt_each(self.name, list(keys.values_list("pk", flat=True)), deletions.end)

    def next_due(self) -> datetime | None:
        waiting = Deletion.objects.exclude(due_at=None)
        if not waiting.exists():
            return None
        free = waiting.exclude(pk__in=jobs.waiting(self.name, timezone.now()))
        return free.order_by("due_at").values_list("due_at", flat=True).first()


class OldGuests:
    """Plans the ends of guests who stay away and of accounts that were never confirmed; deletes what is old."""

    name = "old-guests"

    def __init__(self) -> None:
        self._interval = jobs.Interval(_TIDIED_EVERY)

    def run_due(self, now: datetime) -> int:
        if not self._interval.has_passed(now):
            return 0
        deletions.tidy_journal(now)
        away = User.objects.filter(guest=True, last_login__lt=now - timedelta(seconds=settings.GUEST_AGE))
        with writing():
            deletions.forget_unconfirmed(now)
            FormerName.objects.filter(given_up_at__lt=now - KEPT, forbidden=False).delete()
            logins.forget_ended(now)
            registration.forget_old(now)
            return deletions.plan_ends_of_guests(away) + deletions.plan_ends_of_unconfirmed(now)

    def next_due(self) -> datetime | None:
        return self._interval.next or timezone.now()


class Exports:
    """Makes exports, and deletes them when their time is over.

    Args:
        seconds: how long to work in one run.
    """

    name = "exports"

    def __init__(self, seconds: float = _AT_A_TIME) -> None:
        self._seconds = seconds
        self._archive: Archive | None = None
        self._removals = jobs.Interval(_REMOVED_EVERY)

    def run_due(self, now: datetime) -> int:
        removed = exports.remove_old(now) if self._removals.has_passed(now) else 0
        if self._archive is None and exports.wanted().exists():
            self._archive = exports.claim(now, jobs.waiting(self.name, now))
        if self._archive is None:
            return removed
        return removed + jobs.attempt(self.name, self._archive.export.pk, self._go_on)

    def next_due(self) -> datetime | None:
        """Return now while an export is being made. Old ones may be deleted late, as nobody can fetch them."""
        return timezone.now() if self._archive is not None else None

    def _go_on(self) -> bool:
        """Work on the archive for a while; close it when it is finished, the lease is lost, or it fails."""
        archive, unfinished = self._archive, False
        if archive is None:
            return False
        try:
            unfinished = self._pack(archive)
        finally:
            if not unfinished:
                self._archive = None
                archive.close()
                exports.give_back(archive.export)
        return True

    def _pack(self, archive: Archive) -> bool:
        """Work for a while; return whether there is more to do and the lease is still ours."""
        began = monotonic()
        while archive.go_on():
            if monotonic() - began > self._seconds:
                return exports.store_progress(archive)
        exports.finish(archive)
        return False


for job in (OldGuests(), Deletions(), Exports()):
    jobs.register(job)
