"""Outages: time during which no worker watched the clocks is charged to nobody.

Workers note when they were last at work. If none was for longer than `snapshots.OUTAGE`, every clock goes on from now
with what it had then (`course.timeouts.forgive`). Outages are kept, since a clock that stood still meanwhile may be put
back to an earlier moment (`clockwork.take_back`).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from django.utils import timezone

from games.play import duties
from games.play.course import advance
from games.play.lanes import result_of
from games.play.matches.snapshots import WORKER, snapshot, unwatched_since
from games.play.matches.storing import store
from games.play.matches.transactions import writing
from games.play.models import Outage, Seat, Watch

BEAT = timedelta(seconds=10)

SILENCE = 3 * BEAT
"""A worker that was not seen for longer is not running."""


class Watching:
    """The duty that notes every `BEAT` that a worker is running, and forgives the time during which none was."""

    name = "watching"

    def run_due(self, now: datetime) -> int:
        since = unwatched_since(now)
        if since is not None:
            Outage.objects.update_or_create(begin=since, defaults={"end": now})
            _forgive_all(since)
        seen, made = Watch.objects.get_or_create(name=WORKER, defaults={"seen_at": now})
        if made or now - seen.seen_at < BEAT:
            return 0
        return Watch.objects.filter(name=WORKER, seen_at__lt=now).update(seen_at=now)

    def next_due(self) -> datetime | None:
        seen = worker_seen()
        return None if seen is None else seen + BEAT


def worker_seen() -> datetime | None:
    """Return when a worker last noted that it is running; None if none ever did."""
    return Watch.objects.filter(name=WORKER).values_list("seen_at", flat=True).first()


def is_watched(now: datetime) -> bool:
    """Return whether a worker is running, as far as one can tell."""
    seen = worker_seen()
    return seen is not None and now - seen <= SILENCE


def _forgive_all(since: datetime) -> None:
    running = Seat.objects.filter(deadline__isnull=False).order_by("match").values_list("match", "match__slug")
    for match_id, slug in dict(running).items():
        result_of(slug, partial(_forgive, match_id, since))


def _forgive(match_id: int, since: datetime) -> None:
    with writing():
        now = timezone.now()
        store(advance.forgive(snapshot(match_id, now), since, now))


duties.register(Watching())
