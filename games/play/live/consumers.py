"""The socket of the match page: the board as its own viewer may see it, at once whole, then what changes of it."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import parse_qs

from accounts.logins import device_token
from games.play import lanes
from games.play.live import moves, news, presence
from games.play.live.frames import form_in
from games.play.live.showing import Board
from games.play.live.sockets import Socket
from games.play.matches import announce, asking


class MatchConsumer(Socket):
    """Pushes `{"version", "content"}`: the content replaces the board in the page.

    With a `base` the content is what turns the board of that version into the new one. A page that shows another one
    says hello and gets the whole board. Everything else happens on the lane of the match (`moves`).
    """

    shown: tuple[int, int] | None = None
    sent: Board | None = None
    seated = False

    def topics(self) -> tuple[str, ...]:
        self.slug: str = self.scope["url_route"]["kwargs"]["slug"]
        self.page = parse_qs(self.scope["query_string"].decode("latin1")).get("page", [""])[0]
        return (announce.match_topic(self.slug),)

    def shown_version(self) -> tuple[int, int] | None:
        return self.shown

    async def refresh(self, force: bool = False) -> None:
        lanes.post(self.slug, partial(moves.refresh, self))

    def match_changed(self, hint: dict[str, Any]) -> None:
        """Push the board, unless what is shown is as new as the hint, or the page has it as its answer."""
        version = hint["version"]
        if self.shown is not None and self.shown[1] >= version:
            return
        job = moves.note_posted if self.page and hint["page"] == self.page else moves.refresh
        lanes.post(self.slug, partial(job, self, version))

    async def beat(self, version: int | None) -> None:
        """Send a heartbeat; a page that has no board yet, as the database was away, is tried again."""
        await (self.refresh() if self.shown is None else super().beat(version))

    async def tell(self, standing: news.Standing) -> None:
        """Tell the person what has changed since they were told last; the board comes first."""
        if self.shown is not None:
            await super().tell(standing)

    def forget(self) -> None:
        lanes.post(self.slug, partial(moves.forget, self))

    async def hear(self, told: dict[str, Any]) -> bool:
        """Note that a player of this match is looking at it, or have done what their board's form asks for."""
        kind = str(told.get("kind"))
        if not self.user.is_authenticated:
            return False
        if kind == "presence" and self.seated and self.shown is not None:
            presence.hear(self.user.pk, self.shown[0])
            return True
        if kind not in asking.KINDS:
            return False
        session, device = self.scope["session"].session_key, device_token(self.scope.get("cookies", {}))
        asked = moves.Asked(kind, form_in(told), self, session, device)
        lanes.post(self.slug, partial(moves.answer, asked))
        return True
