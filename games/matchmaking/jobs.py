"""Jobs of tables: open planned ones, free seats nobody came for, close old tables, delete old rows."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef

from games.matchmaking.limits import GRACE, RETENTION, expired_tables, is_expired
from games.matchmaking.models import Invitation, Promise, Use
from games.matchmaking.planned import open_planned, release_seats
from games.matchmaking.tables import close_locked
from games.play import jobs
from games.play.models import Match, MatchQuerySet
from games.play.store import lock, writing


class ExpiredTables:
    """Closes tables that have waited too long."""

    name = "stale-tables"

    def run_due(self, now: datetime) -> int:
        found = expired_tables().exclude(pk__in=jobs.waiting(self.name, now))
        return jobs.attempt_each(self.name, list(found.values_list("pk", flat=True)), self._close)

    def next_due(self) -> datetime | None:
        """Return None: closing late does no harm, because lists leave out expired tables at once."""
        return None

    @staticmethod
    def _close(match_id: int) -> bool:
        """Close a table unless it has begun or was closed meanwhile; return whether this closed it."""
        with writing():
            match = lock(match_id).match
            if expired := is_expired(match):
                close_locked(match)
        return expired


class OldRows(jobs.Periodic):
    """Deletes what no limit looks at any more.

    These are counted uses, network addresses included, and expired invitations, except those by which people watch
    matches that have begun.
    """

    name = "old-uses"
    every = timedelta(hours=1)

    def look(self, now: datetime) -> int:
        idle = Match.objects.filter(status__in=[Match.Status.OPEN, Match.Status.CLOSED])
        old = Invitation.objects.filter(expires_at__lt=now - RETENTION, match__in=idle.values("pk"))
        with writing():
            uses, _by_model = Use.objects.filter(at__lt=now - RETENTION).delete()
            invitations, _by_model = old.delete()
        return uses + invitations


class PlannedTables:
    """Opens planned tables at their time."""

    name = "planned-tables"

    def run_due(self, now: datetime) -> int:
        planned = Match.objects.filter(status=Match.Status.PLANNED)
        found = planned.filter(opens_at__lte=now).exclude(pk__in=jobs.waiting(self.name, now))
        keys = list(found.order_by("opens_at").values_list("pk", flat=True))
        return jobs.attempt_each(self.name, keys, open_planned)

    def next_due(self) -> datetime | None:
        planned = Match.objects.filter(status=Match.Status.PLANNED).order_by("opens_at")
        return planned.values_list("opens_at", flat=True).first()


class KeptSeats:
    """Frees the seats of those who did not come to a planned table in time."""

    name = "kept-seats"

    def run_due(self, now: datetime) -> int:
        found = self._tables().filter(created_at__lte=now - GRACE).exclude(pk__in=jobs.waiting(self.name, now))
        keys = list(found.values_list("pk", flat=True))
        return jobs.attempt_each(self.name, keys, release_seats)

    def next_due(self) -> datetime | None:
        first = self._tables().order_by("created_at").values_list("created_at", flat=True).first()
        return first + GRACE if first else None

    @staticmethod
    def _tables() -> MatchQuerySet:
        kept = Exists(Promise.objects.filter(match=OuterRef("pk")))
        return Match.objects.filter(kept, status=Match.Status.OPEN, opens_at__isnull=False)


for job in (ExpiredTables(), OldRows(), PlannedTables(), KeptSeats()):
    jobs.register(job)
