"""Jobs of tables: open planned ones, free seats nobody came for, remove old tables, invitations and counts."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef
from django.utils import timezone

from games.matchmaking.limits import GRACE, RETENTION, expired_tables, is_expired
from games.matchmaking.models import Invitation, Promise, Use
from games.matchmaking.planned import open_planned, release_seats
from games.matchmaking.tables import close_locked
from games.play import jobs
from games.play.models import Match, MatchQuerySet
from games.play.store import lock, writing


class ExpiredTables:
    """The duty of closing tables that have waited too long."""

    name = "stale-tables"

    def run_due(self, now: datetime) -> int:
        found = expired_tables().exclude(pk__in=jobs.waiting(self.name, now))
        late = list(found.values_list("pk", flat=True))
        return jobs.attempt_each(self.name, late, _close_if_expired)

    def next_due(self) -> datetime | None:
        """Return None: closing late does no harm, because lists leave out stale tables at once."""
        return None


def _close_if_expired(match_id: int) -> bool:
    """Close a table unless it has begun or was closed meanwhile; return whether this closed it."""
    with writing():
        match = lock(match_id).match
        late = is_expired(match)
        if late:
            close_locked(match)
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
            count, _by_model = Use.objects.filter(at__lt=now - RETENTION).delete()
        return count


class OldInvitations(_Hourly):
    """The duty of deleting invitations that expired more than a day ago; they let people watch matches that began."""

    name = "old-invitations"

    def run_due(self, now: datetime) -> int:
        if not self._is_due(now):
            return 0
        idle = Match.objects.filter(status__in=[Match.Status.OPEN, Match.Status.CLOSED])
        with writing():
            old = Invitation.objects.filter(expires_at__lt=now - RETENTION, match__in=idle.values("pk"))
            count, _by_model = old.delete()
        return count


jobs.register(ExpiredTables())
jobs.register(OldUses())
jobs.register(OldInvitations())


class PlannedTables:
    """The duty of opening planned tables."""

    name = "planned-tables"

    def run_due(self, now: datetime) -> int:
        found = _planned().filter(opens_at__lte=now).exclude(pk__in=jobs.waiting(self.name, now))
        keys = list(found.order_by("opens_at").values_list("pk", flat=True))
        return jobs.attempt_each(self.name, keys, open_planned)

    def next_due(self) -> datetime | None:
        first: datetime | None = _planned().order_by("opens_at").values_list("opens_at", flat=True).first()
        return first


def _planned() -> MatchQuerySet:
    return Match.objects.filter(status=Match.Status.PLANNED)


class KeptSeats:
    """The duty of freeing the seats of those who did not come in time."""

    name = "kept-seats"

    def run_due(self, now: datetime) -> int:
        found = _awaited().filter(created_at__lte=now - GRACE).exclude(pk__in=jobs.waiting(self.name, now))
        keys = list(found.values_list("pk", flat=True))
        return jobs.attempt_each(self.name, keys, release_seats)

    def next_due(self) -> datetime | None:
        first = _awaited().order_by("created_at").values_list("created_at", flat=True).first()
        return first + GRACE if first else None


def _awaited() -> MatchQuerySet:
    kept = Exists(Promise.objects.filter(match=OuterRef("pk")))
    return Match.objects.filter(kept, status=Match.Status.OPEN, opens_at__isnull=False)


jobs.register(PlannedTables())
jobs.register(KeptSeats())
