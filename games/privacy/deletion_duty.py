"""The duties that end accounts: those whose grace is over, and those of guests who stay away."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.utils import timezone

from accounts import logins, registration
from accounts.models import FormerName, User
from accounts.services import KEPT
from games.play import duties
from games.play.matches.transactions import writing
from games.privacy import deletions, journal
from games.privacy.models import Deletion

_LOOKED_FOR_EVERY: Final = timedelta(hours=1)


class Deletions:
    """The duty of ending accounts. What a worker that dies has begun, another goes on with."""

    name = "deletions"

    def run_due(self, now: datetime) -> int:
        ready = deletions.due(now)
        if not ready.exists():
            return 0
        keys = ready.exclude(pk__in=duties.waiting(self.name, now)).order_by("due_at", "pk")
        return duties.attempt_each(self.name, list(keys.values_list("pk", flat=True)), deletions.end)

    def next_due(self) -> datetime | None:
        waiting = Deletion.objects.exclude(due_at=None)
        if not waiting.exists():
            return None
        free = waiting.exclude(pk__in=duties.waiting(self.name, timezone.now()))
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


duties.register(OldGuests())
duties.register(Deletions())
