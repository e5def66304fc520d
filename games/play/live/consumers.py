"""The socket of the match page: the board as its own viewer may see it, at once whole, then what changes of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias
from urllib.parse import parse_qs

import msgspec
from channels.db import database_sync_to_async
from django.http import Http404
from django.utils import timezone, translation

from accounts.zones import zone
from games.play.boards.fragments import match_rendering
from games.play.live import presence
from games.play.live.closing import Close
from games.play.live.sockets import Socket
from games.play.matches import announce
from games.play.matches.access import access_match, current_match, known_match
from games.play.matches.viewed import ViewedMatch
from games.titles.regions import Rendering

Load: TypeAlias = Callable[[Any, str], ViewedMatch]
Board: TypeAlias = tuple[int, Rendering]
"""A board with its version."""


class MatchConsumer(Socket):
    """Pushes `{"version", "content"}`: the content replaces the board in the page.

    With a `base` the content is what turns the board of that version into the new one. A page that shows another one
    says hello and gets the whole board.
    """

    async def enter(self) -> bool:
        self.slug: str = self.scope["url_route"]["kwargs"]["slug"]
        self.page = parse_qs(self.scope["query_string"].decode("latin1")).get("page", [""])[0]
        self.shown: tuple[int, int] | None = None
        self.wanted: int | None = None
        self.sent: Board | None = None
        self.answered: ViewedMatch | None = None
        self.seated, self.opening = False, True
        return await self._render() is not None

    def groups_for(self) -> tuple[str, ...]:
        return () if self.shown is None else (announce.match_group(self.shown[0]),)

    def shown_version(self) -> tuple[int, int] | None:
        return self.shown

    async def match_changed(self, event: dict[str, Any]) -> None:
        """Push the board, unless what is shown is as new as the hint.

        The page that asked for the change has the board as its answer. Should that get lost the page says hello, as
        the next heartbeat tells it that it is behind.
        """
        if self.shown is not None and self.shown[1] >= event["version"]:
            return
        if self.page and event["page"] == self.page:
            self.shown = (event["match"], event["version"])
            self._note_answer(event["version"])
            return
        self.wanted = event["version"]
        await self.refresh()

    def _note_answer(self, version: int) -> None:
        """Note that the page gets a board as its answer; that is rendered again, if need be, only for the next push."""
        known = known_match(self.user, self.slug, version)
        self.sent, self.answered = None, known if known and known.match.version == version else None

    def forget(self) -> None:
        """Send the whole board next: what the page shows is not what it was sent."""
        self.sent = self.answered = None

    def hear(self, kind: object) -> bool:
        """Note that a player of this match is looking at it."""
        if kind != "presence" or not self.seated or self.shown is None:
            return False
        presence.hear(self.user.pk, self.shown[0])
        return True

    async def push(self) -> None:
        board = await self._render()
        opened, self.opening = self.opening, False
        if board is None:  # for instance a private table one has left
            await self.close(Close.NO_ACCESS)
            return
        before, self.sent, self.answered = self._on_page(), board, None
        await self.send(text_data=message(board, before))
        if opened and self.shown is not None:  # the page has the time at which it was made, some while ago
            await self.tell_time(self.shown[1])

    def _on_page(self) -> Board | None:
        """Return the board the page has: what was sent last, or its answer to a form; None when that is not known."""
        return self.sent if self.answered is None else _rendered(self.answered, self.user, self.language)

    async def _render(self) -> Board | None:
        """Return what to show, None when this person may not look (any more).

        What this process has just committed is rendered here, without a visit to the database's thread. While a socket
        opens, what its page has loaded will do if it is still current; later everything is checked, access included.
        """
        wanted, self.wanted = self.wanted, None
        viewed = None if wanted is None else known_match(self.user, self.slug, wanted)
        if viewed is not None:
            board = _rendered(viewed, self.user, self.language)
        else:
            load = current_match if self.opening else access_match
            viewed, board = await database_sync_to_async(_loaded)(load, self.user, self.slug, self.language)
        if viewed is None or board is None:
            return None
        self.shown = (viewed.match.pk, viewed.match.version)
        self.seated = viewed.mine is not None
        return board


def _loaded(load: Load, user: Any, slug: str, language: str) -> tuple[ViewedMatch | None, Board | None]:
    try:
        viewed = load(user, slug)
    except Http404:
        return None, None
    return viewed, _rendered(viewed, user, language)


def _rendered(viewed: ViewedMatch, user: Any, language: str) -> Board:
    own_zone = user.time_zone if user.is_authenticated else "UTC"
    with translation.override(language), timezone.override(zone(own_zone)):
        return viewed.match.version, match_rendering(viewed, user)


@lru_cache(maxsize=256)
def message(board: Board, before: Board | None) -> str:
    """Return what is sent: the same for all sockets that show the same, and did so before."""
    version, rendering = board
    parts = None if before is None else rendering.since(before[1])
    if before is None or parts is None:
        return msgspec.json.encode({"version": version, "content": rendering.html}).decode()
    return msgspec.json.encode({"version": version, "base": before[0], "content": parts}).decode()
