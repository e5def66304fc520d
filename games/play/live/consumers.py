"""The socket of the match page: the board as its own viewer may see it, at once whole, then what changes of it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from django.db import Error
from django.http import Http404, QueryDict

from games.play.live import lane, moves, presence
from games.play.live.closing import Close
from games.play.live.showing import Board, board_for, message
from games.play.live.sockets import Socket, form_in
from games.play.matches import announce, asking
from games.play.matches.access import access_match, current_match, known_match
from games.play.matches.viewed import ViewedMatch

log = logging.getLogger(__name__)

Load: TypeAlias = Callable[[Any, str], ViewedMatch]


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
        moves.watch(self.slug, self)
        return await self._render() is not None

    async def disconnect(self, code: int) -> None:
        moves.unwatch(self.scope["url_route"]["kwargs"]["slug"], self)
        await super().disconnect(code)

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

    async def hear(self, told: dict[str, Any]) -> bool:
        """Note that a player of this match is looking at it, or do what their board's form asks for."""
        if self.shown is None or not self.user.is_authenticated:
            return False
        kind = str(told.get("kind"))
        if kind == "presence" and self.seated:
            presence.hear(self.user.pk, self.shown[0])
            return True
        return kind in asking.KINDS and await self._ask(kind, form_in(told), self.shown[0])

    async def _ask(self, kind: str, form: QueryDict, match_id: int) -> bool:
        """Do what the board's form asks for, and answer with the board; False if this person does not play."""
        session = self.scope["session"].session_key
        asked = moves.Asked(kind, form, self, session, self.slug)
        name = form.get("client_id", "")
        try:
            answer = await lane.run(match_id, partial(moves.answer, asked))
        except moves.SessionEnded:
            await self.close(Close.SESSION_ENDED)
        except Http404:
            return False
        except Error as error:  # the page keeps what was chosen, and its reader can send it again
            log.warning("%s in match %s has to wait for the database: %s", kind, self.slug, error)
            await self.send_json({"answer": name, "status": "away"})
        except Exception:
            log.exception("%s in match %s failed", kind, self.slug)
            await self.send_json({"answer": name, "status": "broken"})
        else:
            await self._show(answer)
        return True

    async def _show(self, answer: moves.Answer) -> None:
        async with self.refreshing:
            self.sent, self.answered = answer.board, None
            self.shown = (answer.viewed.match.pk, answer.viewed.match.version)
            self.seated = answer.viewed.mine is not None
            await self.send(text_data=answer.text)

    async def push(self) -> None:
        board = await self._render()
        opened, self.opening = self.opening, False
        if board is None:  # for instance a private table one has left
            await self.close(Close.NO_ACCESS)
            return
        before, self.sent, self.answered = self.on_page(), board, None
        await self.send(text_data=message(board, before))
        if opened and self.shown is not None:  # the page has the time at which it was made, some while ago
            await self.tell_time(self.shown[1])

    def on_page(self) -> Board | None:
        """Return the board the page has: what was sent last, or its answer to a form; None when that is not known."""
        return self.sent if self.answered is None else board_for(self.answered, self.user, self.language)

    async def _render(self) -> Board | None:
        """Return what to show, None when this person may not look (any more).

        What this process has just committed is rendered here, without a visit to the database's thread. While a socket
        opens, what its page has loaded will do if it is still current; later everything is checked, access included.
        """
        wanted, self.wanted = self.wanted, None
        viewed = None if wanted is None else known_match(self.user, self.slug, wanted)
        if viewed is not None:
            board = board_for(viewed, self.user, self.language)
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
    return viewed, board_for(viewed, user, language)
