"""What the worker clears away: tables not filled in time, guests who stay away, and counts no limit needs any more."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.utils import timezone

from accounts.models import User
from games.matchmaking import stale
from games.matchmaking.limits import KEPT
from games.matchmaking.models import Use
from games.matchmaking.services import close, leave
from games.play import duties
from games.play.matches.locking import lock
from games.play.matches.services import resign
from games.play.matches.transactions import writing
from games.play.models import Match, Seat


class StaleTables:
    """The duty of closing tables that have waited too long."""

    name = "stale-tables"

    def run_due(self, now: datetime) -> int:
        found = stale.stale_tables().exclude(pk__in=duties.waiting(self.name, now))
        late = list(found.values_list("pk", flat=True))
        return sum(duties.attempt(self.name, match_id, partial(_close, match_id)) for match_id in late)

    def next_due(self) -> datetime | None:
        """Return None: closing late does no harm, because lists leave out stale tables at once."""
        return None


def _close(match_id: int) -> bool:
    """Close a table unless it has begun or was closed meanwhile; return whether this closed it."""
    with writing():
        match = lock(match_id).match
        late = stale.is_stale(match)
        if late:
            close(match)
    return late


class _Hourly:
    """When a duty is due that has no moment of its own: an hour after it was done last."""

    every = timedelta(hours=1)

    def __init__(self) -> None:
        self._next: datetime | None = None

    def _is_due(self, now: datetime) -> bool:
        """Return whether an hour has passed; the next one begins."""
        if self._next is not None and now < self._next:
            return False
        self._next = now + self.every
        return True

    def next_due(self) -> datetime | None:
        return self._next or timezone.now()


class OldUses(_Hourly):
    """The duty of deleting what was counted for limits, network addresses included, after a day."""

    name = "old-uses"

    def run_due(self, now: datetime) -> int:
        if not self._is_due(now):
            return 0
        with writing():
            count, _by_model = Use.objects.filter(at__lt=now - KEPT).delete()
        return count


class OldGuests(_Hourly):
    """The duty of deleting guests who stay away. Their opponents keep the matches."""

    name = "old-guests"

    def run_due(self, now: datetime) -> int:
        if not self._is_due(now):
            return 0
        away = User.objects.filter(guest=True, last_login__lt=now - timedelta(seconds=settings.GUEST_AGE))
        old = away.exclude(pk__in=duties.waiting(self.name, now))
        return sum(duties.attempt(self.name, guest.pk, partial(_delete, guest)) for guest in old)


def _delete(guest: User) -> bool:
    """Let a guest leave every table and match, and delete the guest."""
    for seat in Seat.objects.filter(user=guest, match__status=Match.Status.OPEN):
        leave(seat.match_id, guest)
    for seat in Seat.objects.filter(user=guest, match__status=Match.Status.RUNNING, left=None):
        resign(seat.match_id, seat.number, secrets.token_hex(16))  # a name that no request of theirs can have had
    guest.delete()
    return True


duties.register(StaleTables())
duties.register(OldUses())
duties.register(OldGuests())
