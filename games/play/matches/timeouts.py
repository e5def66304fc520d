"""The duty that handles timeouts which no request has triggered."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from django.db.models import QuerySet
from django.utils import timezone

from games.play import duties
from games.play.course import advance
from games.play.lanes import result_of
from games.play.matches.locking import try_lock
from games.play.matches.snapshots import snapshot
from games.play.matches.storing import store
from games.play.matches.transactions import writing
from games.play.models import Seat

MOST = 200
"""How many seats are handled in one go."""


def expire(match_id: int) -> bool:
    """Take everybody whose time is up out of a match; return whether there was anybody.

    A locked match is left alone: whoever writes to it handles its timeouts first.
    """
    with writing():
        if not try_lock(match_id):
            return False
        now = timezone.now()
        change = advance.wait(snapshot(match_id, now), now)
        if change is not None:
            store(change)
        return change is not None and bool(change.late)


class Timeouts:
    """The duty of handling timeouts."""

    name = "timeouts"

    def run_due(self, now: datetime) -> int:
        due = _deadlines(now).filter(deadline__lte=now).values_list("match", "match__slug")[:MOST]
        slugs = dict(due)
        return duties.attempt_each(self.name, slugs, lambda key: result_of(slugs[key], partial(expire, key)))

    def next_due(self) -> datetime | None:
        return _deadlines(timezone.now()).values_list("deadline", flat=True).first()


def _deadlines(now: datetime) -> QuerySet[Seat]:
    """Return the seats whose clocks run, the first deadline first, except in matches that are set back."""
    waiting = duties.waiting(Timeouts.name, now)
    return Seat.objects.filter(deadline__isnull=False).exclude(match__in=waiting).order_by("deadline")


duties.register(Timeouts())
