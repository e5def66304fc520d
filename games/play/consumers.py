"""The socket of the match page: the whole board as its own viewer may see it, at once and after every change."""

from __future__ import annotations

import json
from typing import Any

from channels.db import database_sync_to_async
from django.http import Http404
from django.utils import translation

from games.play import announce
from games.play.access import access_match, recent_match
from games.play.fragments import match_fragment
from games.play.sockets import Close, Socket


class MatchConsumer(Socket):
    """Pushes `{"version", "content"}`; the content replaces the board in the page."""

    async def enter(self) -> bool:
        self.slug: str = self.scope["url_route"]["kwargs"]["slug"]
        self.shown: tuple[int, int] | None = None
        self.wanted: int | None = None
        return await self._render() is not None

    def groups_for(self) -> tuple[str, ...]:
        return () if self.shown is None else (announce.match_group(self.shown[0]),)

    def shown_version(self) -> tuple[int, int] | None:
        return self.shown

    async def match_changed(self, event: dict[str, Any]) -> None:
        """Push the board, unless what is shown is as new as the hint."""
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
        wanted, self.wanted = self.wanted, None
        loaded = await database_sync_to_async(_load)(self.user, self.slug, self.language, wanted)
        if loaded is None:
            return None
        match_id, version, message = loaded
        self.shown = (match_id, version)
        return str(message)


def _load(user: Any, slug: str, language: str, wanted: int | None) -> tuple[int, int, str] | None:
    """Return match id, version and the message for this viewer, None when they may not look.

    `wanted` is the version of the hint which is followed; without one the match is loaded from the database.
    """
    try:
        table = access_match(user, slug) if wanted is None else recent_match(user, slug, wanted)
    except Http404:
        return None
    with translation.override(language):
        content = match_fragment(table, user)
    match = table.match
    return match.pk, match.version, json.dumps({"version": match.version, "content": content}, separators=(",", ":"))
