"""What the worker clears away: tables not filled in time, and counts no limit needs any more."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from django.utils import timezone

from games.matchmaking import stale
from games.matchmaking.limits import KEPT
from games.matchmaking.models import Use
from games.matchmaking.services import close
from games.play import duties
from games.play.matches.locking import lock
from games.play.matches.transactions import writing


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


class OldUses:
    """The duty of deleting what was counted for limits, network addresses included, after a day."""

    name = "old-uses"
    every = timedelta(hours=1)

    def __init__(self) -> None:
        self._next: datetime | None = None

    def run_due(self, now: datetime) -> int:
        if self._next is not None and now < self._next:
            return 0
        self._next = now + self.every
        with writing():
            count, _by_model = Use.objects.filter(at__lt=now - KEPT).delete()
        return count

    def next_due(self) -> datetime | None:
        return self._next or timezone.now()


duties.register(StaleTables())
duties.register(OldUses())
