"""The condition of the site: which of its parts answer, and whether somebody does what is due."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from channels.layers import get_channel_layer
from django.conf import settings
from django.db import Error, connection
from django.utils import timezone

from games.play import duties
from games.play.matches import outages

MOST_OVERDUE = 60
"""Seconds: a worker that is running does within a second or two what is due."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What answers, and what waits.

    Args:
        database: it answers.
        channel_layer: it answers.
        worker: one is running.
        overdue: for how many seconds the oldest due item has waited; 0 if none has, or if the database is away.
    """

    database: bool
    channel_layer: bool
    worker: bool = False
    overdue: int = 0

    @property
    def is_good(self) -> bool:
        return self.database and self.channel_layer and self.worker and self.overdue <= MOST_OVERDUE

    def told(self) -> dict[str, Any]:
        return asdict(self)


def condition() -> Condition:
    """Look at every part; never raises because one is away."""
    layer = _layer_answers()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        now = timezone.now()
        return Condition(True, layer, outages.is_watched(now), overdue(now))
    except Error:
        return Condition(database=False, channel_layer=layer)


def overdue(now: datetime) -> int:
    """Return for how many seconds the oldest due item has waited: a timeout, a notice, whatever duties there are.

    Raises:
        django.db.Error: the database is away.
    """
    first = min(duties.moments(), default=now)
    return max(0, int((now - first).total_seconds()))


def _layer_answers() -> bool:
    """Ping Redis; if it is away this raises or times out. The in-memory layer always answers."""
    if not settings.REDIS_URL:
        return get_channel_layer() is not None
    try:
        asyncio.run(asyncio.wait_for(_ping(), timeout=2))
    except (OSError, TimeoutError):
        return False
    return True


async def _ping() -> None:
    from redis.asyncio import Redis  # noqa: PLC0415  # only where there is a Redis

    async with Redis.from_url(settings.REDIS_URL) as redis:
        try:
            await redis.ping()  # type: ignore[misc]  # redis-py's union of sync and async
        except Exception as error:
            raise OSError(str(error)) from error
