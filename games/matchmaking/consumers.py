"""The socket of the lobby: pushes a page of open tables at once, and after changes at most once a second."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from django.db import Error
from django.utils import translation

from games.matchmaking.lobby import lobby_page, own_tables, page_number
from games.play.live.sockets import Socket
from games.play.matches import announce

log = logging.getLogger(__name__)

PAUSE = 1.0
"""Minimum seconds between two pushes to one reader."""

FRESH_ENOUGH = 2.0
"""How old, in seconds, a page may be when sockets share it at a heartbeat."""


class LobbyConsumer(Socket):
    """Pushes `{"content", "own"}`: the lists that everyone sees, and the reader's own tables."""

    due: asyncio.Task[None] | None = None

    async def enter(self) -> bool:
        self.sent = ""
        asked = parse_qs(self.scope["query_string"].decode("latin1"))
        self.number = page_number(asked.get("page", [""])[0])
        self.pushed = self.heard = time.monotonic()
        return True

    def groups_for(self) -> tuple[str, ...]:
        return (announce.LOBBY,)

    async def disconnect(self, code: int) -> None:
        if self.due is not None:
            self.due.cancel()
        await super().disconnect(code)

    async def lobby_changed(self, event: dict[str, Any]) -> None:  # a hint without content
        """Push soon; the same push answers further hints that arrive meanwhile."""
        self.heard = time.monotonic()
        if self.due is None or self.due.done():
            self.due = asyncio.create_task(self._push_soon())

    async def _push_soon(self) -> None:
        await asyncio.sleep(max(0.0, self.pushed + PAUSE - time.monotonic()))
        self.due = None  # hints from here on need another push
        await self._push_news(self.heard)

    async def push(self) -> None:
        self.sent = ""
        await self._push_news(time.monotonic())

    async def beat(self, version: int | None) -> None:
        """Send a heartbeat, and the lists if a hint was lost or a table has waited too long."""
        await super().beat(version)
        if self.due is None:
            await self._push_news(time.monotonic() - FRESH_ENOUGH)

    async def _push_news(self, not_before: float) -> None:
        try:
            message = await database_sync_to_async(_message)(self.user, self.language, self.number, not_before)
        except Error as error:  # the database is away: the heartbeat will try again
            log.warning("lobby push failed: %s", error)
            return
        if message != self.sent:
            self.sent = message
            self.pushed = time.monotonic()
            await self.send(text_data=message)


def _message(user: Any, language: str, number: int, not_before: float) -> str:
    page = lobby_page(number, not_before)
    with translation.override(language):
        own = own_tables(user) if user.is_authenticated else ""
        content = page.shared(user.is_authenticated)
    return json.dumps({"content": content, "own": own}, separators=(",", ":"))
