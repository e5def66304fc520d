"""The heartbeat of all sockets of this process.

Every `EVERY` seconds a few queries answer for up to `TOGETHER` of them: which versions are current, what waits for
whom, which credentials (sessions, and what other apps register) are still valid and who may still log in. So a lost
message heals, and a socket never outlives a logout, a password change or a deactivation by more than one beat. Before
that, a beat stores who has looked at what.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from channels.db import database_sync_to_async
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db import Error
from django.utils import timezone

from accounts.services import REPORTED_EVERY, record_presence
from games.play.live import news, presence, pubsub
from games.play.live.frames import Close
from games.play.models import Match
from games.play.signals import pages_open

log = logging.getLogger(__name__)

EVERY = 4.0
"""Seconds between two heartbeats of a socket."""

AT_ONCE = 10
"""Sockets that are told before others have their turn on the event loop: a few milliseconds."""

TOGETHER = 100
"""For how many sockets one query answers: what thousands ask at once would take megabytes that are never given back."""

GATHERING = 0.2
"""Seconds for which questions about numbers and notes are gathered, and how far a page's title may lag its board."""


class Credential(NamedTuple):
    """What somebody has shown to be let in: of which kind, and which one."""

    kind: str
    key: str


SESSION: Final = "session"

Checking: TypeAlias = Callable[[Collection[str]], set[str]]
"""Returns which credentials of a kind are still valid, in one query."""


def _valid_sessions(keys: Collection[str]) -> set[str]:
    valid = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    return set(valid.values_list("session_key", flat=True))


_checkings: dict[str, Checking] = {SESSION: _valid_sessions}


def register_credentials(kind: str, checking: Checking) -> None:
    """Let what was opened with another kind of credential take part; the app does this when it is ready."""
    _checkings[kind] = checking


class Socket(Protocol):
    """What takes part in the heartbeat: the socket of a page, or what else tells somebody what happens.

    Attributes:
        user: who has opened it.
        credential: with what; None for a visitor.
        is_here: whether its person counts as being here by it.
    """

    user: Any

    @property
    def credential(self) -> Credential | None: ...
    @property
    def is_here(self) -> bool: ...
    def shown_version(self) -> tuple[int, int] | None: ...
    async def beat(self, version: int | None) -> None: ...
    async def close(self, code: int) -> None: ...


Telling: TypeAlias = Callable[[news.News], Awaitable[None]]
"""Tells a socket what waits for its person."""

_sockets: dict[Socket, Telling | None] = {}
"""The sockets that take part, and how they are told news; None for those that hear none."""

_task: asyncio.Task[None] | None = None
_polling: dict[int, float] = {}
"""By person: when a page of theirs last asked by HTTP for what no socket brings, on the clock of `time.monotonic`."""

POLLED = 75.0
"""Seconds for which such a page counts as open: twice the longest pause between its questions, and some more."""

_seen: dict[int, datetime] = {}
"""When this process last stored that somebody is here."""


def join(socket: Socket, tell: Telling | None = None) -> None:
    """Let the socket take part in the heartbeat until it leaves, and be told its person's news if it says how."""
    _sockets[socket] = tell
    _start()


def note_poll(user_id: int) -> None:
    """Let somebody take part whose page has no socket and asks by HTTP; from any thread."""
    _polling[user_id] = time.monotonic()
    pubsub.on_loop(_start)


def _start() -> None:
    global _task  # noqa: PLW0603  # one heartbeat per process
    if not pubsub.is_under_way(_task):
        _task = asyncio.create_task(_beating())


def leave(socket: Socket) -> None:
    _sockets.pop(socket, None)
    _questions.drop(socket)


def ask(socket: Socket) -> None:
    """Send a socket its person's news soon: the same queries serve all sockets that ask meanwhile."""
    _questions.add(socket)


class Asker(Protocol):
    """Who asks for something about their person."""

    user: Any


AskerT = TypeVar("AskerT", bound=Asker)
Found = TypeVar("Found")


class Questions(Generic[AskerT, Found]):
    """Questions that are gathered for a moment and then answered together; on the event loop.

    Args:
        seconds: for which they are gathered.
        find: returns the answer for each of some people, by their keys; in a thread.
        tell: tells one who has asked.
    """

    def __init__(
        self,
        seconds: float,
        find: Callable[[set[int]], Mapping[int, Found]],
        tell: Callable[[AskerT, Found], Awaitable[None]],
    ) -> None:
        self._seconds, self._find, self._tell = seconds, find, tell
        self._asking: set[AskerT] = set()
        self._answering: asyncio.Task[None] | None = None

    def add(self, asker: AskerT) -> None:
        """Answer somebody soon, once however often they ask meanwhile."""
        self._asking.add(asker)
        if not pubsub.is_under_way(self._answering):
            self._answering = asyncio.create_task(self._answer())

    def drop(self, asker: AskerT) -> None:
        """Answer somebody no more who has gone."""
        self._asking.discard(asker)

    async def _answer(self) -> None:
        while self._asking:
            await asyncio.sleep(self._seconds)
            askers = list(self._asking)
            self._asking.clear()
            for some in _in_parts(askers, TOGETHER):
                try:
                    found = await database_sync_to_async(self._find)({asker.user.pk for asker in some})
                except Error as error:  # the database is away: the heartbeat will try again
                    log.warning("questions without the database: %s", error)
                    return
                told = (self._tell(asker, found[asker.user.pk]) for asker in some)
                await asyncio.gather(*told, return_exceptions=True)


def _news_of(people: set[int]) -> Mapping[int, news.News]:
    return news.news_of(people)


async def _tell_news(socket: Socket, current: news.News) -> None:
    if tell := _sockets.get(socket):
        await tell(current)


_questions: Questions[Socket, news.News] = Questions(GATHERING, _news_of, _tell_news)


async def _beating() -> None:
    while _sockets or _polling or presence.is_waiting():
        await asyncio.sleep(EVERY)
        try:
            await _beat(tuple(_sockets))
        except Error as error:  # the database is away: pages keep what they show
            log.warning("heartbeat without the database: %s", error)


@dataclass(frozen=True, slots=True)
class State:
    """The state at one beat: versions by match; for each person their news, and the stored password.

    `credentials` are those that are still valid.
    """

    versions: dict[int, int]
    news: dict[int, news.News]
    credentials: set[Credential] = field(repr=False)
    passwords: dict[int, str] = field(repr=False)

    def admits(self, socket: Socket) -> bool:
        """Return whether what a socket was opened with, if anything, is still valid."""
        if socket.credential is None:
            return True
        valid = socket.credential in self.credentials
        return valid and socket.user.password == self.passwords.get(socket.user.pk)


async def _beat(sockets: Sequence[Socket]) -> None:
    """Send one heartbeat to these sockets and close those whose session or person is gone."""
    if reports := presence.take_reports():
        try:
            await database_sync_to_async(presence.store_reports)(reports)
        except Error as error:  # whoever is still looking will report again
            log.warning("who looks at which match is not stored: %s", error)
    for person in [person for person, at in tuple(_polling.items()) if at + POLLED < time.monotonic()]:
        del _polling[person]
    here = {socket.user.pk for socket in sockets if socket.user.pk and socket.is_here} | set(_polling)
    await _record_people(here)
    if here:
        await database_sync_to_async(pages_open.send_robust)(Match, people=here)
    for some in _in_parts(sockets, TOGETHER):
        current = await database_sync_to_async(_current)(
            {shown[0] for socket in some if (shown := socket.shown_version())},
            {socket.credential for socket in some if socket.credential},
            {socket.user.pk for socket in some if socket.user.pk},
            {socket.user.pk for socket in some if socket.user.pk and _sockets.get(socket)},
        )
        for few in _in_parts(some, AT_ONCE):
            await asyncio.gather(*(_tell(socket, current) for socket in few), return_exceptions=True)
            await asyncio.sleep(0)  # moves come in between


Part = TypeVar("Part")


def _in_parts(them: Sequence[Part], size: int) -> Iterator[Sequence[Part]]:
    """Yield some in parts of a size."""
    return (them[first : first + size] for first in range(0, len(them), size))


async def _record_people(people: set[int]) -> None:
    """Store whose pages are open: of each person at once, and then from time to time."""
    now = timezone.now()
    recent = {key: at for key, at in _seen.items() if key in people and now - REPORTED_EVERY < at <= now}
    late = people - recent.keys()
    if late:
        try:
            await database_sync_to_async(record_presence)(late)
        except Error as error:  # the next beat tries again
            log.warning("who is here is not stored: %s", error)
            late = set()
    _seen.clear()
    _seen.update({**recent, **dict.fromkeys(late, now)})


async def _tell(socket: Socket, current: State) -> None:
    if not current.admits(socket):
        leave(socket)
        await socket.close(Close.SESSION_ENDED)
        return
    shown = socket.shown_version()
    await socket.beat(current.versions.get(shown[0]) if shown else None)
    if socket.user.pk in current.news:
        await _tell_news(socket, current.news[socket.user.pk])


def _current(matches: set[int], credentials: set[Credential], people: set[int], hearing: set[int]) -> State:
    active = get_user_model().objects.filter(pk__in=people, is_active=True)
    return State(
        versions=dict(Match.objects.filter(pk__in=matches).values_list("pk", "version")),
        news=news.news_of(hearing),
        credentials=_valid(credentials),
        passwords=dict(active.values_list("pk", "password")),
    )


def _valid(credentials: set[Credential]) -> set[Credential]:
    """Return which credentials are still valid: one query for each kind."""
    shown: defaultdict[str, set[str]] = defaultdict(set)
    for credential in credentials:
        shown[credential.kind].add(credential.key)
    return {Credential(kind, key) for kind, keys in shown.items() for key in _checkings[kind](keys)}
