"""The health of the site: database, Redis, worker, and how long due jobs have waited.

The check writes to the database and to Redis, because either may answer and still refuse to write.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from datetime import datetime

from channels.layers import get_channel_layer
from django.conf import settings
from django.db import Error, connection
from django.db.models import F
from django.utils import timezone

from config.ops.outages import DATABASE, REDIS, away_by
from games.play import jobs, timekeeping
from games.play.models import Watch
from games.play.store import WORKER

MOST_OVERDUE = 60
"""Seconds by which a job may be late; with a running worker it is one or two."""

AT_MOST_EVERY = 1.0
"""Seconds between two writes to the database, however often health is checked."""

_wrote_at = -AT_MOST_EVERY


@dataclass(frozen=True, slots=True)
class Condition:
    """The result of a check.

    Args:
        database: whether it answers, writes, and has refused nothing lately.
        channel_layer: the same for Redis.
        worker: whether one is running.
        overdue: for how many seconds the oldest due job has waited; 0 if none has, or if the database is away.
    """

    database: bool
    channel_layer: bool
    worker: bool = False
    overdue: int = 0

    @property
    def is_good(self) -> bool:
        return self.database and self.channel_layer and self.worker and self.overdue <= MOST_OVERDUE


def condition() -> Condition:
    """Check every part. An outage is part of the result and never raised."""
    layer = _layer_writes()
    try:
        _write()
        now = timezone.now()
        return Condition(not DATABASE.has_refused, layer, timekeeping.is_watched(now), overdue(now))
    except Error as error:
        if service := away_by(error):
            service.fails(error)
        connection.close()
        return Condition(database=False, channel_layer=layer)


def _write() -> None:
    """Write a row without changing it, unless that was done a moment ago.

    Raises:
        django.db.Error: the database is away, or does not write.
    """
    global _wrote_at  # noqa: PLW0603  # one for the process
    if time.monotonic() - _wrote_at >= AT_MOST_EVERY:
        Watch.objects.filter(name=WORKER).update(seen_at=F("seen_at"))
        _wrote_at = time.monotonic()
        DATABASE.answers()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def overdue(now: datetime) -> int:
    """Return for how many seconds the oldest due job has waited.

    Raises:
        django.db.Error: the database is away.
    """
    first = min(jobs.moments(), default=now)
    return max(0, int((now - first).total_seconds()))


def _layer_writes() -> bool:
    """Return whether Redis writes; True for the in-memory layer."""
    if not settings.REDIS_URL:
        return get_channel_layer() is not None
    try:
        asyncio.run(asyncio.wait_for(_write_to_redis(), timeout=2))
    except (OSError, TimeoutError):
        return False
    return not REDIS.has_refused


async def _write_to_redis() -> None:
    from redis.asyncio import Redis  # noqa: PLC0415  # only where there is a Redis

    async with Redis.from_url(settings.REDIS_URL) as redis:
        try:
            await redis.set("tessera-health", 1, ex=60)
        except Exception as error:
            if service := away_by(error):
                service.fails(error)
            raise OSError(str(error)) from error
    REDIS.answers()
