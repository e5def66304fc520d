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

from accounts import logins
from accounts.applications.access import forget_expired
from accounts.joining import registration
from accounts.models import FormerName, User
from accounts.services import KEPT
from games.play import jobs
from games.play.store import writing
from games.privacy import deletions, exports
from games.privacy.exports import Archive
from games.privacy.models import Deletion

_AT_A_TIME: Final = 0.2
"""Seconds after which a run of `Exports` takes no more steps."""


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


class OldGuests(jobs.Periodic):
    """Plans the ends of guests who stay away and of accounts that were never confirmed; deletes what is old."""

    name = "old-guests"
    every = timedelta(hours=1)

    def look(self, now: datetime) -> int:
        deletions.tidy_journal(now)
        away = User.objects.filter(guest=True, last_login__lt=now - timedelta(seconds=settings.GUEST_AGE))
        with writing():
            deletions.forget_unconfirmed(now)
            FormerName.objects.filter(given_up_at__lt=now - KEPT, forbidden=False).delete()
            logins.forget_ended(now)
            registration.forget_old(now)
            forget_expired(now)
            return deletions.plan_ends_of_guests(away) + deletions.plan_ends_of_unconfirmed(now)


class Exports:
    """Makes exports.

    Args:
        seconds: how long to work in one run.
    """

    name = "exports"

    def __init__(self, seconds: float = _AT_A_TIME) -> None:
        self._seconds = seconds
        self._archive: Archive | None = None

    def run_due(self, now: datetime) -> int:
        if self._archive is None and exports.wanted().exists():
            self._archive = exports.claim(now, jobs.waiting(self.name, now))
        if self._archive is None:
            return 0
        return jobs.attempt(self.name, self._archive.export.pk, self._go_on)

    def next_due(self) -> datetime | None:
        """Return now while an export is being made."""
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


class OldExports(jobs.Periodic):
    """Deletes exports whose time is over; until then nobody can fetch them any more."""

    name = "old-exports"
    every = timedelta(minutes=1)

    def look(self, now: datetime) -> int:
        return exports.remove_old(now)


for job in (OldGuests(), Deletions(), Exports(), OldExports()):
    jobs.register(job)
