"""The socket of the match page: the whole board as its viewer may see it, and then what changes of it.

What a page asks for is done on the worker of its match, and everybody in this process who watches is shown the board.
What a page shows is known here and nowhere else, and what is written to a socket is written in the order of its worker.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any, Protocol, TypeAlias
from urllib.parse import parse_qs

import msgspec
from django.db import Error, connection
from django.http import Http404, QueryDict
from django.utils import timezone, translation
from prometheus_client import Histogram

from accounts.logins import acting_from_device, device_token
from accounts.moments import zone
from games.engine.protocol import RuleViolation, Viewer
from games.play import commands
from games.play.access import ViewedMatch, access_match, current_match, known_match
from games.play.boards.fragments import match_page
from games.play.live import news, presence, pubsub, workers
from games.play.live.frames import NOT_UNDERSTOOD, Close, form_in
from games.play.live.sockets import Socket
from games.play.reducer.actions import Stale
from games.titles.regions import Page

Board: TypeAlias = tuple[int, Page]
"""A board with its version."""


def board_for(viewed: ViewedMatch, user: Any, language: str, notice: str = "", done: str = "") -> Board:
    """Return what a person's page shows of a match, in their time zone and in the language of the page."""
    with translation.override(language), timezone.override(zone(_zone_of(user))):
        return viewed.match.version, match_page(viewed, user, notice, done)


def _zone_of(user: Any) -> str:
    return user.time_zone if user.is_authenticated else "UTC"


@lru_cache(maxsize=256)
def board_message(board: Board, before: Board | None, answer: str = "", status: str = "") -> str:
    """Return what is sent: the same for all sockets that show the same, and did so before.

    Args:
        board: what is to be shown.
        before: what the page shows, None if that is not known.
        answer: the id of the request that this answers.
        status: how that ended; empty in a push.
    """
    version, page = board
    answered: dict[str, Any] = {"answer": answer, "status": status} if answer else {}
    parts = None if before is None else page.since(before[1])
    if before is None or parts is None:
        return msgspec.json.encode({**answered, "version": version, "content": page.html}).decode()
    return msgspec.json.encode({**answered, "version": version, "base": before[0], "content": parts}).decode()


log = logging.getLogger(__name__)

Deliveries: TypeAlias = list[Callable[[], None]]
"""What is written to sockets, all at once when the work is done."""

_VALID_SESSION = """
SELECT 1 FROM accounts_user person, django_session session
WHERE person.id = %s AND person.is_active AND NOT person.held AND person.password = %s
AND session.session_key = %s AND session.expire_date > %s
"""

_answered = Histogram("tessera_push_seconds", "Seconds from a request over a socket to its answer and all pushes")

DONE, REFUSED, STALE, AWAY, BROKEN = "done", "refused", "stale", "away", "broken"


class SessionEnded(Exception):
    """Whoever opened the socket has logged out, has another password, or may no longer log in or play."""


class Watcher(Protocol):
    """A socket that shows a match.

    Attributes:
        shown: the id of the match and the version that the page has or will have; None before the first board.
        sent: the board that the page has or will have; None when that is not known, as it said hello.
        seated: its reader plays in the match.
    """

    user: Any
    language: str
    slug: str
    shown: tuple[int, int] | None
    sent: Board | None
    seated: bool

    def write(self, text: str) -> None: ...
    def bring(self, version: int, text: str = "") -> None: ...
    def end(self, code: int) -> None: ...
    def tell_time(self, version: int | None) -> None: ...


@dataclass(frozen=True, slots=True)
class SocketRequest:
    """A command that came over a socket.

    Args:
        kind: one of `commands.KINDS`.
        form: the fields of the board's form.
        watcher: the socket.
        session: the key of the session with which it was opened.
        device: the number of the browser that opened it, as in `accounts.logins`.
        at: when it was asked, on the clock of `time.perf_counter`.
    """

    kind: str
    form: QueryDict
    watcher: Watcher
    session: str
    device: str = ""
    at: float = field(default_factory=time.perf_counter)

    @property
    def name(self) -> str:
        return self.form.get("client_id", "")


def answer_request(asked: SocketRequest) -> None:
    """Handle one request and push the new board to every other watcher in this process."""
    deliveries: Deliveries = []
    with pubsub.asked_by(""), acting_from_device(asked.device):
        try:
            _do(asked, deliveries)
        except SessionEnded:
            deliveries.append(partial(asked.watcher.end, Close.SESSION_ENDED))
        except Http404:
            deliveries.append(partial(asked.watcher.write, json.dumps({"error": NOT_UNDERSTOOD})))
        except Error as error:  # the page keeps what was chosen, and its reader can send it again
            log.warning("%s in match %s has to wait for the database: %s", asked.kind, asked.watcher.slug, error)
            deliveries.append(partial(asked.watcher.write, _failed(asked, AWAY)))
        except Exception:
            log.exception("%s in match %s failed", asked.kind, asked.watcher.slug)
            deliveries.append(partial(asked.watcher.write, _failed(asked, BROKEN)))
        deliveries.append(lambda: _answered.observe(time.perf_counter() - asked.at))
        pubsub.deliver(deliveries)


def _failed(asked: SocketRequest, status: str) -> str:
    return json.dumps({"answer": asked.name, "status": status})


def _do(asked: SocketRequest, deliveries: Deliveries) -> None:
    """Handle a request, and add its answer and the pushes that follow to `deliveries`.

    Raises:
        SessionEnded: nothing was done.
        Http404: the person does not play in this match, or may not see it.
    """
    watcher, status, notice, done = asked.watcher, DONE, "", ""
    check_session(watcher.user, asked.session)
    viewed = known_match(watcher.user, watcher.slug) or access_match(watcher.user, watcher.slug)
    if viewed.mine is None:
        raise Http404
    with translation.override(watcher.language):
        try:
            receipt = commands.ask(asked.kind, viewed, viewed.mine, asked.form)
            done = commands.done_in_words(asked.kind)
        except (Stale, RuleViolation) as error:
            status, notice = STALE if isinstance(error, Stale) else REFUSED, commands.refusal_in_words(error)
    now = access_match(watcher.user, watcher.slug) if notice else replace(receipt.viewed, viewer=viewed.viewer)
    board = board_for(now, watcher.user, watcher.language, notice, done)
    text = board_message(board, watcher.sent, asked.name, status)
    deliveries.append(partial(watcher.bring, board[0], text))
    _note(watcher, now, board)
    if not notice and receipt.changed:
        _show_others(now, watcher, deliveries)


def check_session(person: Any, session: str) -> None:
    """Raise `SessionEnded` unless a request with this session would still be this person's: one small query.

    Written by hand because with Django's models a move takes 1.4 times the processor time of its worker in the row
    "stock" of the benchmark.
    """
    with connection.cursor() as cursor:
        moment = connection.ops.adapt_datetimefield_value(timezone.now())
        cursor.execute(_VALID_SESSION, [person.pk, person.password, session, moment])
        if cursor.fetchone() is None:
            raise SessionEnded


def _show_others(viewed: ViewedMatch, but: Watcher, deliveries: Deliveries) -> None:
    """Push what was just committed to all other watchers; where that fails, the hint that follows makes up for it.

    What is the same for many is made once, so that a further spectator costs little more than the writing.
    """
    slug, version = viewed.match.slug, viewed.match.version
    boards: dict[tuple[Viewer, str, str], Board] = {}
    for watcher in pubsub.subscribers(pubsub.match_topic(slug)):
        if watcher is but or watcher.shown is None:
            continue
        try:
            seen = known_match(watcher.user, slug, version)
            if seen is None or seen.match.version != version:
                continue
            alike = (seen.viewer, watcher.language, _zone_of(watcher.user))
            if alike not in boards:
                boards[alike] = board_for(seen, watcher.user, watcher.language)
            _push(watcher, seen, boards[alike], deliveries)
        except Exception:
            log.exception("a push in match %s failed", slug)


def push_current(watcher: Watcher, version: int = 0) -> None:
    """Push the current board, unless the page shows this version.

    The cache will do if it has the version. Otherwise the match is loaded and access checked; while a socket opens,
    what its page has loaded will do if it is still current.
    """
    if version and _shows(watcher, version):
        return
    deliveries: Deliveries = []
    load = current_match if watcher.shown is None else access_match
    try:
        known = known_match(watcher.user, watcher.slug, version) if version else None
        seen = known or load(watcher.user, watcher.slug)
        _push(watcher, seen, board_for(seen, watcher.user, watcher.language), deliveries)
    except Http404:  # for instance a private table one has left
        deliveries.append(partial(watcher.end, Close.NO_ACCESS))
    except Error as error:  # the database is away: the heartbeat will try again
        log.warning("push failed: %s", error)
    pubsub.deliver(deliveries)


def push_first(watcher: Watcher) -> None:
    """Push the current board to a page without one; what it asked for when it opened may have failed or still wait."""
    if watcher.shown is None:
        push_current(watcher)


def _push(watcher: Watcher, viewed: ViewedMatch, board: Board, deliveries: Deliveries) -> None:
    opened = watcher.shown is None
    deliveries.append(partial(watcher.bring, board[0], board_message(board, watcher.sent)))
    if opened:  # the page has the time at which it was made, some while ago
        deliveries.append(partial(watcher.tell_time, viewed.match.version))
    _note(watcher, viewed, board)


def _note(watcher: Watcher, viewed: ViewedMatch, board: Board | None) -> None:
    """Note what a page shows or will show; the next push goes out from there."""
    watcher.shown, watcher.sent = (viewed.match.pk, viewed.match.version), board
    watcher.seated = viewed.mine is not None


def _shows(watcher: Watcher, version: int) -> bool:
    """Return whether a page shows this version or a newer one, or will."""
    return watcher.shown is not None and watcher.shown[1] >= version


def note_posted(watcher: Watcher, version: int) -> None:
    """Note that a page gets this version as the answer to a form it has posted, unless it shows a newer one already.

    If the answer is lost the page says hello, as the next heartbeat tells it that it is behind.
    """
    if _shows(watcher, version):
        return
    viewed = known_match(watcher.user, watcher.slug, version)
    if viewed is not None and viewed.match.version == version:
        _note(watcher, viewed, board_for(viewed, watcher.user, watcher.language))
    elif watcher.shown is not None:
        watcher.shown, watcher.sent = (watcher.shown[0], version), None
    pubsub.deliver([partial(watcher.bring, version)])


class MatchConsumer(Socket):
    """Pushes `{"version", "content"}`: the content replaces the board in the page.

    With a `base` the content is what turns the board of that version into the new one. A page that shows another one
    says hello and gets the whole board. Boards are rendered, and requests handled, on the worker of the match.
    """

    shown: tuple[int, int] | None = None
    sent: Board | None = None
    seated = False
    brought = 0
    """The newest version that was written to the socket, or that the page gets as the answer to a form."""

    def topics(self) -> tuple[str, ...]:
        self.slug: str = self.scope["url_route"]["kwargs"]["slug"]
        self.page = parse_qs(self.scope["query_string"].decode("latin1")).get("page", [""])[0]
        return (pubsub.match_topic(self.slug),)

    def shown_version(self) -> tuple[int, int] | None:
        return self.shown

    async def refresh(self, force: bool = False) -> None:
        workers.post(self.slug, partial(push_current, self))

    def match_changed(self, hint: dict[str, Any]) -> None:
        """Push the board, unless what is shown is as new as the hint, or the page has it as its answer."""
        version = hint["version"]
        if not _shows(self, version):
            task = note_posted if self.page and hint["page"] == self.page else push_current
            workers.post(self.slug, partial(task, self, version))

    def bring(self, version: int, text: str = "") -> None:
        """Write a board, unless the page gets it in another way; from now on heartbeats tell of its version."""
        self.brought = version
        if text:
            self.write(text)

    async def beat(self, version: int | None) -> None:
        """Send a heartbeat with the version that the page was brought; if there is a newer one, see that it is pushed.

        The page takes a version that it does not show for lost, and asks for the whole board: it is told of none that
        is still on its way. One without a board, as the database was away, is tried again.
        """
        if self.shown is None:
            workers.post(self.slug, partial(push_first, self))
            return
        if version is not None and version > self.brought:
            workers.post(self.slug, partial(push_current, self, version))
        await super().beat(self.brought)

    async def tell(self, current: news.News) -> None:
        """Tell the person what has changed since they were told last; the board comes first."""
        if self.shown is not None:
            await super().tell(current)

    def forget(self) -> None:
        workers.post(self.slug, partial(setattr, self, "sent", None))

    async def hear(self, message: dict[str, Any]) -> bool:
        """Take a report that a player is looking at this match, or what their board's form asks for."""
        kind = str(message.get("kind"))
        if not self.user.is_authenticated:
            return False
        if kind == "presence" and self.seated and self.shown is not None:
            presence.report(self.user.pk, self.shown[0])
            return True
        if kind not in commands.KINDS:
            return False
        session, device = self.scope["session"].session_key, device_token(self.scope.get("cookies", {}))
        request = SocketRequest(kind, form_in(message), self, session, device)
        workers.post(self.slug, partial(answer_request, request))
        return True
