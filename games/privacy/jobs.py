"""What the worker does: ends accounts, forgets what is old, and makes exports, a little at a time."""

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
from games.privacy import deletions, exports, journal
from games.privacy.archive import Archive
from games.privacy.models import Deletion

_LOOKED_FOR_EVERY: Final = timedelta(hours=1)


class Deletions:
    """The duty of ending accounts. What a worker that dies has begun, another goes on with."""

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
    """The duty of letting accounts end of guests who stay away, or never confirmed, and of forgetting what is old."""

    name = "old-guests"

    def __init__(self) -> None:
        self._next: datetime | None = None

    def run_due(self, now: datetime) -> int:
        if self._next is not None and now < self._next:
            return 0
        self._next = now + _LOOKED_FOR_EVERY
        journal.tidy(now)
        away = User.objects.filter(guest=True, last_login__lt=now - timedelta(seconds=settings.GUEST_AGE))
        with writing():
            deletions.forget_unconfirmed(now)
            FormerName.objects.filter(given_up_at__lt=now - KEPT, forbidden=False).delete()
            logins.forget_ended(now)
            registration.forget_old(now)
            return deletions.end_of_guests(away) + deletions.end_of_unconfirmed(now)

    def next_due(self) -> datetime | None:
        return self._next or timezone.now()


jobs.register(OldGuests())
jobs.register(Deletions())


_AT_A_TIME: Final = 0.2
"""Seconds after which a run ends, with the step it is in."""

_REMOVED_EVERY: Final = timedelta(minutes=1)


class Exports:
    """The duty of making exports and of removing them when their time is over.

    Args:
        seconds: of work in one run.
    """

    name = "exports"

    def __init__(self, seconds: float = _AT_A_TIME) -> None:
        self._seconds = seconds
        self._packing: Archive | None = None
        self._next_removal: datetime | None = None

    def run_due(self, now: datetime) -> int:
        removed = self._remove(now)
        if self._packing is None and exports.wanted().exists():
            self._packing = exports.claim(now, jobs.waiting(self.name, now))
        if self._packing is None:
            return removed
        return removed + jobs.attempt(self.name, self._packing.export.pk, self._go_on)

    def next_due(self) -> datetime | None:
        """Return now while there is something to make; others are removed late, as nobody gets them any more."""
        return timezone.now() if self._packing is not None else None

    def _remove(self, now: datetime) -> int:
        if self._next_removal is not None and self._next_removal - _REMOVED_EVERY <= now < self._next_removal:
            return 0
        self._next_removal = now + _REMOVED_EVERY
        return exports.remove_old(now)

    def _go_on(self) -> bool:
        """Go on with the file in hand; put it down when it is done, when somebody else has it, or when it fails."""
        packing, held = self._packing, False
        if packing is None:
            return False
        try:
            held = self._advance(packing)
        finally:
            if not held:
                self._put_down(packing)
        return True

    def _advance(self, packing: Archive) -> bool:
        """Work for a while; return whether there is more to do."""
        began = monotonic()
        while packing.go_on():
            if monotonic() - began > self._seconds:
                return exports.note_progress(packing)
        exports.finish(packing)
        return False

    def _put_down(self, packing: Archive) -> None:
        self._packing = None
        packing.close()
        exports.give_back(packing.export)


jobs.register(Exports())
