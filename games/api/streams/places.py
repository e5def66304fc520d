"""How many streams an account has open, in all processes together.

A place is a key in Django's cache that the process of its stream holds for a while and renews. So what a killed process
held is free again after `HELD` seconds, and Redis that has lost everything knows of the places soon.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Final

from django.core.cache import cache
from django.utils.translation import gettext as _

from accounts.limits import STREAMS, going_on_without_redis
from games.api.problems import Problem
from games.play.live import pubsub

HELD: Final = 30.0
"""Seconds after which a place is free that is not renewed."""

RENEWED: Final = 10.0
"""Seconds between two renewals of all places of a process."""

AGAIN: Final = 3
"""Seconds after which somebody without a place can ask again."""

_own: set[str] = set()
"""The places of the streams of this process; on the event loop."""

_renewing: asyncio.Task[None] | None = None


def take(person: int) -> str:
    """Take a place of somebody's and return it; empty where Redis is away, so that streams work without it.

    Raises:
        Problem: 429 "too-many-streams"; none of their streams is closed.
    """
    numbered = (f"stream:{person}:{number}" for number in range(STREAMS))
    place: str | None = ""
    with going_on_without_redis("streams are not counted"):
        place = next((each for each in numbered if cache.add(each, pubsub.PROCESS, HELD)), None)
    if place is None:
        text = _("You have %(count)s streams open. Close one of them first.") % {"count": STREAMS}
        limit = {"name": "streams", "seconds": AGAIN}
        raise Problem(HTTPStatus.TOO_MANY_REQUESTS, "too-many-streams", text, again=AGAIN, limit=limit)
    return place


def hold(place: str) -> None:
    """Renew a place that was taken until it is left; on the event loop."""
    global _renewing  # noqa: PLW0603  # one renewal for all places of a process
    if not place:
        return
    _own.add(place)
    if not pubsub.is_under_way(_renewing):
        _renewing = asyncio.create_task(_renew())


def leave(place: str) -> None:
    """Let somebody else take a place; on the event loop, which does not wait for it."""
    _own.discard(place)
    if not place:
        return
    asyncio.get_running_loop().run_in_executor(None, _free, place)


def _free(place: str) -> None:
    with going_on_without_redis(f"a stream still counts for {HELD:.0f} s"):
        cache.delete(place)


async def _renew() -> None:
    while _own:
        await asyncio.sleep(RENEWED)
        places = frozenset(_own)
        with going_on_without_redis("streams are not counted"):
            await asyncio.to_thread(cache.set_many, dict.fromkeys(places, pubsub.PROCESS), HELD)
        for place in places - _own:  # left meanwhile, perhaps before it was renewed
            leave(place)
