"""Outages: time during which no worker watched the clocks is charged to nobody.

Workers note when they were last at work. If none was for longer than `OUTAGE`, every clock goes on from now with what
it had then, and with at least `GRACE`, because people need time to find their way back.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from games.play import duties
from games.play.clocks import arithmetic
from games.play.matches import clockwork, statements
from games.play.matches.locking import Locked, lock
from games.play.matches.recording import changed
from games.play.matches.transactions import writing
from games.play.models import Match, Seat, Speed, Watch
from games.play.signals import deadlines_moved

BEAT = timedelta(seconds=10)
OUTAGE = timedelta(seconds=30)
GRACE = {Speed.LIVE: timedelta(minutes=1), Speed.DAYS: timedelta(hours=1)}
_NAME = "worker"


def unwatched_since(now: datetime) -> datetime | None:
    """Return since when no worker has been seen; None if one was seen just now, or never."""
    seen = Watch.objects.filter(name=_NAME).values_list("seen_at", flat=True).first()
    return seen if seen is not None and now - seen > OUTAGE else None


def forgive(locked: Locked, since: datetime) -> None:
    """Let the clocks of a locked match go on from now with what they had at a moment in the past.

    Idempotent. It does not help players whose time was up before that moment.
    """
    running = [seat for seat in locked.seats if seat.deadline is not None and not clockwork.overdue(seat, since)]
    for seat in running:
        left = clockwork.left_of(seat, max(since, seat.running_since or since)) or arithmetic.NOTHING
        seat.bank = max(left, GRACE[Speed(locked.match.speed)])
        seat.running_since = locked.now
        clockwork.set_deadline(seat, locked.now)
        statements.update(seat, *clockwork.FIELDS)
    if running:
        deadlines_moved.send(Match, match=locked.match, seats=running)
        changed(locked.match)


class Watching:
    """The duty that notes every `BEAT` that a worker is running, and forgives the time during which none was."""

    name = "watching"

    def run_due(self, now: datetime) -> int:
        since = unwatched_since(now)
        if since is not None:
            _forgive_all(since)
        seen, made = Watch.objects.get_or_create(name=_NAME, defaults={"seen_at": now})
        if made or now - seen.seen_at < BEAT:
            return 0
        return Watch.objects.filter(name=_NAME, seen_at__lt=now).update(seen_at=now)

    def next_due(self) -> datetime | None:
        seen = Watch.objects.filter(name=_NAME).first()
        return seen.seen_at + BEAT if seen else None


def _forgive_all(since: datetime) -> None:
    running = Seat.objects.filter(deadline__isnull=False).order_by("match").values_list("match", flat=True)
    for match_id in set(running):
        with writing():
            forgive(lock(match_id), since)


duties.register(Watching())
