"""Allowances that come back steadily (token buckets): in this process, or in Redis for all processes.

Of a bucket only the moment is kept at which it will be full again: a use moves that moment on, and is refused where the
bucket would be more than empty. So there is one number to read and write, and a full bucket takes no room.
"""

from __future__ import annotations

import threading
import time
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.conf import settings
from django.core.cache import cache as kept

if TYPE_CHECKING:
    from redis.commands.core import Script


class Allowance(NamedTuple):
    """How much can be used at once, and how much of that comes back in a second."""

    most: float
    per_second: float

    def times(self, factor: int) -> Allowance:
        """Return the allowance for this many people together."""
        return Allowance(self.most * factor, self.per_second * factor)


_SECOND: Final = 1_000_000
"""Moments are whole microseconds, which a Lua number holds exactly."""

_lock = threading.Lock()

_DRAW: Final = """
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local each, empty = tonumber(ARGV[1]), now + tonumber(ARGV[2])
local full = math.min(math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now), empty)
local after = full + each
local stored = after > empty and full or after
if stored <= now then redis.call('DEL', KEYS[1])
else redis.call('SET', KEYS[1], string.format('%.0f', stored), 'PX', math.ceil((stored - now) / 1000)) end
return math.max(0, after - empty)
"""
"""What `_draw_here` does, in one step for all processes and by the clock of Redis."""


def draw(key: str, allowance: Allowance, uses: int = 1) -> float:
    """Take a use out of the bucket of this key.

    Args:
        key: whose bucket it is, and for what.
        allowance: of the bucket.
        uses: how many; -1 puts one back.

    Returns the seconds until it could be taken if the bucket is empty, otherwise 0.
    """
    each, whole = (round(_SECOND * amount / allowance.per_second) for amount in (uses, allowance.most))
    wait = _script()(keys=[key], args=[each, whole]) if settings.REDIS_URL else _draw_here(key, each, whole)
    return int(wait) / _SECOND


def _draw_here(key: str, each: int, whole: int) -> int:
    with _lock:
        now = time.time_ns() // 1000
        empty = now + whole
        known: int = kept.get(key, 0)
        full = min(max(known, now), empty)  # never longer than that, even if the clock was put back
        after = full + each
        stored = full if after > empty else after
        kept.set(key, stored, max(0.0, (stored - now) / _SECOND))
        return max(0, after - empty)


@cache
def _script() -> Script:
    from redis import Redis  # noqa: PLC0415  # only where there is a Redis

    options: Any = settings.CACHES["default"]["OPTIONS"]
    return Redis.from_url(settings.REDIS_URL, **options).register_script(_DRAW)
