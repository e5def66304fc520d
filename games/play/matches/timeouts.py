"""Players whose time is up leave their match: under its lock and only once, whoever notices first."""

from __future__ import annotations

import logging
from datetime import datetime
from functools import partial

from django.db import InterfaceError, OperationalError
from django.db.models import QuerySet
from django.utils import timezone

from games.engine import runner
from games.engine.protocol import Seat as SeatNumber
from games.play import duties
from games.play.matches import clockwork, outages, recording, statements
from games.play.matches.locking import Locked, lock
from games.play.matches.transactions import writing
from games.play.models import AbortReason, Seat

log = logging.getLogger(__name__)

MOST = 200
"""How many seats are handled in one go."""


class TimeoutFailedError(Exception):
    """The timeouts of a match failed because of a bug of ours."""


def time_out(locked: Locked) -> list[int]:
    """Take everybody whose time is up out of a locked match, in the order of their deadlines; return their seats.

    If not everybody has acted yet, the match is aborted instead. Time during which no worker ran is forgiven first.
    """
    late = _late(locked)
    if late and (since := outages.unwatched_since(locked.now)) is not None:
        outages.forgive(locked, since)
        late = _late(locked)
    if late and not all(seat.acted or seat.has_left for seat in locked.seats):
        _abort(locked, late)
    for seat in late:
        if locked.match.is_running:
            play = runner.leave(locked.match.rules, locked.position, SeatNumber(seat.number), runner.TIMEOUT)
            recording.leave(locked, play, client_id=None)
    return [seat.number for seat in late]


def attempt(locked: Locked) -> list[int]:
    """Do as `time_out` does, for a request that must be answered even if that is impossible.

    Raises:
        TimeoutFailedError: it failed, and what it did has to be rolled back.
    """
    try:
        return time_out(locked)
    except (InterfaceError, OperationalError):
        raise  # the database is away
    except Exception as error:
        log.exception("the timeout in match %s failed", locked.match.slug)
        raise TimeoutFailedError from error


def _abort(locked: Locked, late: list[Seat]) -> None:
    """End a match without a result, and record whose time was up."""
    for seat in late:
        seat.timed_out = True
    recording.abort(locked, AbortReason.NO_SHOW, late)


def _late(locked: Locked) -> list[Seat]:
    """Return the seats whose time is up, the first deadline first."""
    late = [(seat.deadline, seat.number, seat) for seat in locked.seats if clockwork.overdue(seat, locked.now)]
    return [seat for _deadline, _number, seat in sorted(late)]


def expire(match_id: int) -> bool:
    """Handle the timeouts of a match; return whether there were any.

    A locked match is left alone: whoever writes to it handles its timeouts first.
    """
    with writing():
        return statements.try_lock(match_id) and bool(time_out(lock(match_id)))


class Timeouts:
    """The duty that handles timeouts which no request has triggered."""

    name = "timeouts"

    def run_due(self, now: datetime) -> int:
        due = _deadlines(now).filter(deadline__lte=now).values_list("match", flat=True)[:MOST]
        return sum(duties.attempt(self.name, match_id, partial(expire, match_id)) for match_id in dict.fromkeys(due))

    def next_due(self) -> datetime | None:
        return _deadlines(timezone.now()).values_list("deadline", flat=True).first()


def _deadlines(now: datetime) -> QuerySet[Seat]:
    """Return the seats whose clocks run, the first deadline first, except in matches that are set back."""
    waiting = duties.waiting(Timeouts.name, now)
    return Seat.objects.filter(deadline__isnull=False).exclude(match__in=waiting).order_by("deadline")


duties.register(Timeouts())
