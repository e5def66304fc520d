"""The socket of the match page: the whole board as its own viewer may see it, at once and after every change."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any

import msgspec
from channels.db import database_sync_to_async
from django.http import Http404
from django.utils import translation

from games.engine.protocol import Viewer
from games.play import announce
from games.play.access import Table, access_match, known_match
from games.play.fragments import match_fragment
from games.play.sockets import Close, Socket

OWN_PAUSE = 0.05
"""Seconds after which one's own action is pushed, for the sake of other tabs; rendered by then, it costs nothing."""


class MatchConsumer(Socket):
    """Pushes `{"version", "content"}`; the content replaces the board in the page."""

    async def enter(self) -> bool:
        self.slug: str = self.scope["url_route"]["kwargs"]["slug"]
        self.shown: tuple[int, int] | None = None
        self.seat: Viewer = None
        self.wanted: int | None = None
        return await self._render() is not None

    def groups_for(self) -> tuple[str, ...]:
        return () if self.shown is None else (announce.match_group(self.shown[0]),)

    def shown_version(self) -> tuple[int, int] | None:
        return self.shown

    async def match_changed(self, event: dict[str, Any]) -> None:
        """Push the board, unless what is shown is as new as the hint.

        Whoever asked for the change has the board by the answer; their sockets wait for it to be rendered there.
        """
        if self.seat is not None and event.get("by") == self.seat:
            await asyncio.sleep(OWN_PAUSE)
        if self.shown is None or self.shown[1] < event["version"]:
            self.wanted = event["version"]
            await self.refresh()

    async def push(self) -> None:
        rendered = await self._render()
        if rendered is None:  # for instance a private table one has left
            await self.close(Close.NO_ACCESS)
        else:
            await self.send(text_data=rendered)

    async def _render(self) -> str | None:
        """Return the message to send, None when this person may not look (any more).

        What this process has just committed is rendered here, without a visit to the database's thread.
        """
        wanted, self.wanted = self.wanted, None
        table = None if wanted is None else known_match(self.user, self.slug, wanted)
        if table is not None:
            message = _rendered(table, self.user, self.language)
        else:
            table, message = await database_sync_to_async(_loaded)(self.user, self.slug, self.language)
        if table is None:
            return None
        self.shown = (table.match.pk, table.match.version)
        self.seat = table.viewer
        return message


def _loaded(user: Any, slug: str, language: str) -> tuple[Table | None, str]:
    try:
        table = access_match(user, slug)
    except Http404:
        return None, ""
    return table, _rendered(table, user, language)


def _rendered(table: Table, user: Any, language: str) -> str:
    with translation.override(language):
        return _message(table.match.version, match_fragment(table, user))


@lru_cache(maxsize=256)
def _message(version: int, content: str) -> str:
    """Return what is sent: the same for all sockets that show the same."""
    return msgspec.json.encode({"version": version, "content": content}).decode()
