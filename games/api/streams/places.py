"""How many streams an account has open, in all processes together.

A place is a key in Django's cache that the process of its stream holds for a while and renews. So what a killed process
held is free again after `HELD` seconds, and Redis that has lost everything knows of the places soon.
"""

from __future__ import annotations

import asyncio
import logging
from http import HTTPStatus
from typing import Final

from django.core.cache import cache
from django.utils.translation import gettext as _

from accounts.limits import STREAMS, is_of_redis
from games.api.problems import Problem
from games.play.live import pubsub

log = logging.getLogger(__name__)

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
    try:
        for number in range(STREAMS):
            if cache.add(place := f"stream:{person}:{number}", pubsub.PROCESS, HELD):
                return place
    except Exception as error:
        if not is_of_redis(error):
            raise
        log.warning("streams are not counted: %s", error)
        return ""
    text = _("You have %(count)s streams open. Close one of them first.") % {"count": STREAMS}
    limit = {"name": "streams", "seconds": AGAIN}
    raise Problem(HTTPStatus.TOO_MANY_REQUESTS, "too-many-streams", text, again=AGAIN, limit=limit)


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
    try:
        cache.delete(place)
    except Exception as error:
        if not is_of_redis(error):
            raise
        log.warning("a stream still counts for %s s: %s", HELD, error)


async def _renew() -> None:
    while _own:
        await asyncio.sleep(RENEWED)
        places = frozenset(_own)
        try:
            await asyncio.to_thread(cache.set_many, dict.fromkeys(places, pubsub.PROCESS), HELD)
        except Exception as error:
            if not is_of_redis(error):
                raise
            log.warning("streams are not counted: %s", error)
        for place in places - _own:  # left meanwhile, perhaps before it was renewed
            leave(place)
