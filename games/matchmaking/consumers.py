"""The sockets of the lobby and of "My matches": push the whole lists once, then only what has changed.

Tables that come and go are pushed at most once a second, and so are the pictures of running matches.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from channels.db import database_sync_to_async
from django.db import Error
from django.http import QueryDict
from django.utils import timezone, translation

from accounts.moments import zone
from games.matchmaking import lobby
from games.matchmaking.filters import read_filters
from games.play.live import pubsub
from games.play.live.sockets import Socket

log = logging.getLogger(__name__)

PAUSE = 1.0
"""Minimum seconds between two pushes to one reader."""

Load: TypeAlias = Callable[[float], tuple[str | None, dict[str, lobby.Listing]]]
"""Returns the reader's own tables and the lists, as of this monotonic time or later."""

FRESH_ENOUGH = 2.0
"""How old, in seconds, a page may be when sockets share it at a heartbeat."""


def _changes(lists: Mapping[str, lobby.Listing], before: Mapping[str, lobby.Sent]) -> dict[str, Any]:
    """Return what to push to a page of these lists, by name."""
    return {name: change for name, it in lists.items() if (change := lobby.listing_changes(it, before.get(name)))}


class LobbyConsumer(Socket):
    """Pushes `{"content": {"tables", "running", "own"}}`, each only if it has changed since the last push.

    Of `tables` and `running` it pushes the entries that have changed (`lobby.listing_changes`), `own` as a whole.
    """

    pending: asyncio.Task[None] | None = None
    heard: float | None = None
    """When the latest hint about the lobby came; None once it has been answered."""
    shown = None
    """It shows no position: hints say which of the listed matches have changed."""

    async def enter(self) -> bool:
        self.forget()
        asked = QueryDict(self.scope["query_string"])
        self.number = lobby.page_number(asked.get("page") or "")
        self.filters = read_filters(asked)
        self.pushed = self.moved = time.monotonic()
        return True

    def topics(self) -> tuple[str, ...]:
        return (pubsub.LOBBY,)

    def leave(self) -> None:
        if self.pending is not None:
            self.pending.cancel()
        super().leave()

    def forget(self) -> None:
        self.lists: dict[str, lobby.Sent] = {}
        self.own: str | None = None

    def lobby_changed(self, hint: dict[str, Any]) -> None:
        self.heard = time.monotonic()
        self._push_later()

    def match_changed(self, hint: dict[str, Any]) -> None:
        self.moved = time.monotonic()
        self._push_later()

    def _push_later(self) -> None:
        """Push soon; one push answers all hints that arrive before it."""
        if self.pending is None or self.pending.done():
            self.pending = asyncio.create_task(self._push_after_pause())

    async def _push_after_pause(self) -> None:
        await asyncio.sleep(max(0.0, self.pushed + PAUSE - time.monotonic()))
        heard, self.heard, self.pending = self.heard, None, None  # hints from here on need another push
        if heard is None:
            await self._push_news(self.moved, self._load_running)
        else:
            await self._push_news(max(heard, self.moved))

    async def push(self) -> None:
        self.forget()
        await self._push_news(time.monotonic())

    async def beat(self, version: int | None) -> None:
        """Send a heartbeat, and the lists if they have changed: a hint may have been lost, a table may have expired."""
        await super().beat(version)
        if self.heard is None:
            await self._push_news(time.monotonic() - FRESH_ENOUGH)

    async def _push_news(self, not_before: float, load: Load | None = None) -> None:
        try:
            own, lists = await database_sync_to_async(load or self._load)(not_before)
        except Error as error:  # the database is away: the heartbeat will try again
            log.warning("lobby push failed: %s", error)
            return
        if self.ended:
            return
        self.follow(frozenset(pubsub.match_topic(lobby.slug_of(it)) for it in lists["running"].entries))
        news = _changes(lists, self.lists)
        if own != self.own:
            news["own"] = own
        if news:
            self.lists |= {name: lobby.sent(listing) for name, listing in lists.items()}
            self.own = own
            self.pushed = time.monotonic()
            self.say(content=news)

    def _load(self, not_before: float) -> tuple[str | None, dict[str, lobby.Listing]]:
        known = self.user.is_authenticated
        with translation.override(self.language), timezone.override(zone(self.user.time_zone if known else "UTC")):
            return lobby.lists_for(self.user, self.number, self.filters, not_before)

    def _load_running(self, not_before: float) -> tuple[str | None, dict[str, lobby.Listing]]:
        """Return only the matches to watch, which all readers share and are much cheaper than the whole lobby."""
        with translation.override(self.language):
            return self.own, {"running": lobby.running_matches(not_before).listing()}


class MineConsumer(Socket):
    """Pushes the lists of a member's own matches in the same way: at the heartbeat, and at once when a turn changes."""

    async def enter(self) -> bool:
        self.forget()
        return bool(self.user.is_authenticated)

    def forget(self) -> None:
        self.lists: dict[str, lobby.Sent] = {}
        self.versions: dict[int, int] | None = None

    async def push(self) -> None:
        self.forget()
        await self.push_news()

    def waiting_changed(self, hint: dict[str, Any]) -> None:
        super().waiting_changed(hint)
        self.push_soon()

    async def beat(self, version: int | None) -> None:
        await super().beat(version)
        await self.push_news()

    async def push_news(self) -> None:
        try:
            lists = await database_sync_to_async(self._load)()
        except Error as error:  # the database is away: the heartbeat will try again
            log.warning("push of own matches failed: %s", error)
            return
        news = _changes(lists, self.lists)
        self.lists |= {name: lobby.sent(lists[name]) for name in news}
        if news:
            self.say(content=news)

    def _load(self) -> dict[str, lobby.Listing]:
        """Return the lists by their ids, or nothing if no match has another version."""
        versions = lobby.versions_of(self.user)
        if versions == self.versions:
            return {}
        self.versions = versions
        with translation.override(self.language), timezone.override(zone(self.user.time_zone)):
            found = lobby.listings_of(self.user, lobby.matches_of(self.user))
        return {f"{name}-list": listing for name, listing in found.items()}
