"""What the worker clears away: old tables, old invitations, and counts of limits."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from games.matchmaking import stale
from games.matchmaking.closing import close
from games.matchmaking.limits import KEPT
from games.matchmaking.models import Invitation, Use
from games.play import duties
from games.play.matches.locking import lock
from games.play.matches.transactions import writing
from games.play.models import Match


class StaleTables:
    """The duty of closing tables that have waited too long."""

    name = "stale-tables"

    def run_due(self, now: datetime) -> int:
        found = stale.stale_tables().exclude(pk__in=duties.waiting(self.name, now))
        late = list(found.values_list("pk", flat=True))
        return duties.attempt_each(self.name, late, _close)

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
        if self._next is not None and self._next - self.every <= now < self._next:
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


class OldInvitations(_Hourly):
    """The duty of deleting invitations that expired more than a day ago; they let people watch matches that began."""

    name = "old-invitations"

    def run_due(self, now: datetime) -> int:
        if not self._is_due(now):
            return 0
        idle = Match.objects.filter(status__in=[Match.Status.OPEN, Match.Status.CLOSED])
        with writing():
            old = Invitation.objects.filter(expires_at__lt=now - KEPT, match__in=idle.values("pk"))
            count, _by_model = old.delete()
        return count


duties.register(StaleTables())
duties.register(OldUses())
duties.register(OldInvitations())
