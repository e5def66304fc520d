"""The socket of the page of an event: pushes the parts of it that have changed, each as its own reader sees it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection
from typing import Any

from channels.db import database_sync_to_async
from django.db import Error
from django.http import Http404, QueryDict
from django.utils import timezone, translation

from accounts.moments import zone
from accounts.requests import whole_number
from games.events import pages
from games.events.access import access_event
from games.events.signals import event_topic
from games.play.live import pubsub
from games.play.live.frames import Close
from games.play.live.sockets import Socket

log = logging.getLogger(__name__)

PAUSE = 1.0
"""Minimum seconds between two pushes to one reader."""


class EventConsumer(Socket):
    """Pushes `{"content"}`: the parts that have changed since the last push, as htmx's partials.

    What happens in the event can change all of them, a move in one of the matches on the page only their boards.
    """

    pending: asyncio.Task[None] | None = None
    wanted: frozenset[str] = frozenset()
    pushed = 0.0
    shown = None
    """It shows no position: hints say in which of the listed matches somebody has moved."""

    async def enter(self) -> bool:
        self.forget()
        self.slug: str = self.scope["url_route"]["kwargs"]["event"]
        self.before = whole_number(QueryDict(self.scope["query_string"]).get("before") or "", pages.ROUND_DIGITS)
        try:
            await database_sync_to_async(access_event)(self.user, self.slug)
        except Http404:
            return False
        return True

    def topics(self) -> tuple[str, ...]:
        return (event_topic(self.slug),)

    def leave(self) -> None:
        if self.pending is not None:
            self.pending.cancel()
        super().leave()

    def forget(self) -> None:
        self.sent: dict[str, str] = {}
        self.version: Any = None

    def event_changed(self, hint: dict[str, Any]) -> None:
        self._push_later(pages.PARTS)

    def match_changed(self, hint: dict[str, Any]) -> None:
        self._push_later({pages.BOARDS_PART})

    def _push_later(self, parts: Collection[str]) -> None:
        """Push these parts soon; one push answers all hints that arrive before it."""
        self.wanted = self.wanted.union(parts)
        if self.pending is None or self.pending.done():
            self.pending = asyncio.create_task(self._push_after_pause())

    async def _push_after_pause(self) -> None:
        await asyncio.sleep(max(0.0, self.pushed + PAUSE - time.monotonic()))
        parts, self.wanted, self.pending = self.wanted, frozenset(), None  # hints from here on need another push
        await self._push(parts)

    async def push(self) -> None:
        self.forget()
        await self._push(pages.PARTS)

    async def beat(self, version: int | None) -> None:
        """Send a heartbeat, and the parts if something has happened: a hint may have been lost."""
        await super().beat(version)
        await self._push(pages.PARTS, unless=self.version)

    async def _push(self, parts: Collection[str], unless: Any = None) -> None:
        """Push what has changed of some parts, if the event shows another version than `unless`."""
        try:
            found = await database_sync_to_async(self._load)(parts, unless)
        except Http404:
            self.end(Close.NO_ACCESS)
            return
        except Error as error:  # the database is away: the heartbeat will try again
            log.warning("push of an event failed: %s", error)
            return
        if found is None or self.ended:
            return
        version, drawn, slugs = found
        self.follow(frozenset(map(pubsub.match_topic, slugs)))
        self.version = version if len(drawn) == len(pages.PARTS) else self.version
        self.pushed = time.monotonic()
        news = {name: html for name, html in drawn.items() if self.sent.get(name) != html}
        self.sent |= news
        if news:
            self.say(content=pages.partials(news))

    def _load(self, parts: Collection[str], unless: Any) -> tuple[Any, dict[str, str], list[str]] | None:
        """Return the version of the event, parts of its page, and the addresses of the matches it shows the boards of.

        None if it is the version `unless`.
        """
        event = access_event(self.user, self.slug)
        version = pages.version_of(event)
        if version == unless:
            return None
        known = self.user.is_authenticated
        with translation.override(self.language), timezone.override(zone(self.user.time_zone if known else "UTC")):
            page = pages.EventPage(event, self.user, self.before)
            drawn = pages.drawn_parts(page, parts)
            return version, drawn, [board.match.slug for board in page.boards]
