"""The duties of planned tables: they open at their time, and later the seats of those who did not come are free."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, OuterRef

from games.matchmaking.limits import GRACE
from games.matchmaking.models import Promise
from games.matchmaking.planning import open_due, release
from games.play import duties
from games.play.models import Match, MatchQuerySet


class PlannedTables:
    """The duty of opening planned tables."""

    name = "planned-tables"

    def run_due(self, now: datetime) -> int:
        found = _planned().filter(opens_at__lte=now).exclude(pk__in=duties.waiting(self.name, now))
        keys = list(found.order_by("opens_at").values_list("pk", flat=True))
        return duties.attempt_each(self.name, keys, open_due)

    def next_due(self) -> datetime | None:
        first: datetime | None = _planned().order_by("opens_at").values_list("opens_at", flat=True).first()
        return first


def _planned() -> MatchQuerySet:
    return Match.objects.filter(status=Match.Status.PLANNED)


class KeptSeats:
    """The duty of freeing the seats of those who did not come in time."""

    name = "kept-seats"

    def run_due(self, now: datetime) -> int:
        found = _awaited().filter(created_at__lte=now - GRACE).exclude(pk__in=duties.waiting(self.name, now))
        keys = list(found.values_list("pk", flat=True))
        return duties.attempt_each(self.name, keys, release)

    def next_due(self) -> datetime | None:
        first = _awaited().order_by("created_at").values_list("created_at", flat=True).first()
        return first + GRACE if first else None


def _awaited() -> MatchQuerySet:
    kept = Exists(Promise.objects.filter(match=OuterRef("pk")))
    return Match.objects.filter(kept, status=Match.Status.OPEN, opens_at__isnull=False)


duties.register(PlannedTables())
duties.register(KeptSeats())
