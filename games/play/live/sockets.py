"""The socket every live page opens: it pushes, and accepts nothing but a hello and what a subclass understands.

Sockets are a convenience, never an authority: what they push is rendered for their own viewer from the database, a
message lost is made good by the next heartbeat, and whoever loses the right to look is disconnected at the next one.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from channels.consumer import get_handler_name
from channels.db import database_sync_to_async
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import Error
from django.utils import timezone

from accounts import limits
from accounts.requests import address_of, network_of
from games.play.clocks import milliseconds
from games.play.live import heartbeat, news, pubsub
from games.play.live.frames import NOT_UNDERSTOOD, BadFrame, Close, decode, language_in, same_origin, told_in

Message: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

log = logging.getLogger(__name__)

UNREAD = 1011
"""The code that closes a socket whose browser does not read what it is sent."""

MOST_UNSENT, MOST_CHARACTERS = 50, 1_000_000
"""Messages that wait for a browser to take them, and their characters; a page that is slower loads everything anew."""


class Listener(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels ships no types
    """Sends in the order of `write`.

    However a socket ends, `leave` is called once: Channels itself tells of a browser that has gone, but neither of a
    handler that failed nor of a server that ends.
    """

    channel_layer_alias = ""
    """None: no socket has a channel of its own."""

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        self.unsent: deque[Message] = deque()
        self.sending: asyncio.Task[None] | None = None
        self.ended = False
        try:
            with limits.asked_from(address_of(scope)):
                await super().__call__(scope, receive, _unless_gone(send))
        finally:
            self.ended = True
            self.unsent.clear()
            self.leave()

    async def dispatch(self, message: Message) -> None:
        """Pass a message to its handler at once, and yield to the event loop before the next one.

        Channels would first close old connections, on the thread that makes lists and heartbeats: a move would wait.
        """
        if message["type"] == "websocket.disconnect":
            raise StopConsumer
        await getattr(self, get_handler_name(message))(message)
        await asyncio.sleep(0)

    def leave(self) -> None:
        """Undo what `connect` did; on the event loop."""

    def write(self, text: str) -> None:
        """Send a text after what was written before; on the event loop."""
        waiting = sum(len(message.get("text", "")) for message in self.unsent)
        if not self.unsent or (len(self.unsent) < MOST_UNSENT and waiting + len(text) <= MOST_CHARACTERS):
            self._put({"type": "websocket.send", "text": text})
        else:
            self.unsent.clear()
            self.end(UNREAD)

    def end(self, code: int) -> None:
        """Close the socket after what was written before; on the event loop."""
        self._put({"type": "websocket.close", "code": code})
        self.ended = True

    def _put(self, message: Message) -> None:
        if self.ended:
            return
        self.unsent.append(message)
        if self.sending is None:
            self.sending = asyncio.get_running_loop().create_task(self._send_all())

    async def _send_all(self) -> None:
        try:
            while self.unsent:
                await self.base_send(self.unsent.popleft())
        finally:
            self.sending = None


def _unless_gone(send: Send) -> Send:
    """Return a `send` that does nothing once the browser is gone.

    Browsers leave without notice, often while being sent a message. The server then raises an OSError (ASGI 2.4), or a
    RuntimeError because the socket has just been closed; either way it tells the socket soon that it is closed, and
    nothing more is to be done.
    """

    gone = False  # not an attribute of the socket, which would then hold itself

    async def sending(message: Message) -> None:
        nonlocal gone
        if gone:
            return
        try:
            await send(message)
        except (OSError, RuntimeError) as error:
            log.debug("a browser has gone: %r", error)
            gone = True

    return sending


@lru_cache(maxsize=64)
def _time_message(version: int | None, now: int) -> str:
    """Return the text of a heartbeat, the same for all that are told at once."""
    return json.dumps({"version": version, "now": now}, separators=(",", ":"))


MAX_MESSAGES = 100
WINDOW = 20.0
"""At most MAX_MESSAGES in WINDOW seconds for each socket."""

MAX_SOCKETS = limits.SOCKETS.person

HELLO_EVERY = 1.0
"""Seconds between two hellos of a socket that are answered at once; the heartbeat answers those in between."""

MOST_TOASTS = 3
"""How many new notes are shown in words at once; of the others only the number is told."""

_open_sockets: Counter[tuple[str, Any]] = Counter()
"""How many are open: of one person, of the guests and visitors at one network address, of everybody there, in all."""

ALL = ("all", "")


_passed_on: dict[str, str] = {}


def register_hint(kind: str, name: str) -> None:
    """Send a person's pages `{name: true}` for a hint of this type, so that they look again themselves."""
    _passed_on[kind] = name


def open_sockets() -> int:
    """Return how many sockets are open in this process."""
    return _open_sockets[ALL]


class Socket(Listener):
    """Base of the consumers: who may open one, what it subscribes to, and its heartbeat.

    A subclass says to which topics it subscribes, what it pushes when `refresh` is called, and which version it shows.
    """

    is_here = True
    counted: tuple[tuple[str, Any], ...] = ()
    pushing: asyncio.Task[None] | None = None
    changed = False
    listening: tuple[str, ...] = ()
    followed: frozenset[str] = frozenset()

    @property
    def credential(self) -> heartbeat.Credential | None:
        """Return the session with which the page was loaded, None for a visitor."""
        if self.user.pk is None:
            return None
        return heartbeat.Credential(heartbeat.SESSION, str(self.scope["session"].session_key))

    async def connect(self) -> None:
        self.user: Any = self.scope["user"]
        self.language = language_in(self.scope["query_string"])
        self.numbers: dict[str, int] = {}
        self.known: set[int] | None = None
        self.told = told_in(self.scope["query_string"])
        self.recent: deque[float] = deque(maxlen=MAX_MESSAGES)
        self.refreshing = asyncio.Lock()
        self.stale = self.owed = False
        self.greeted = -HELLO_EVERY
        if not same_origin(dict(self.scope["headers"]), self.scope.get("scheme", "ws")):
            await self.close(Close.BAD_ORIGIN)
            return
        if not self._count():
            await self.close(Close.TOO_MANY)
            return
        await self.accept()
        if not await self.enter():
            await self.close(Close.NO_ACCESS)
            return
        self.listening = self.topics()
        if self.user.is_authenticated:
            self.listening += (pubsub.user_topic(self.user.pk),)
        pubsub.subscribe(self, self.listening)
        heartbeat.join(self, self.tell)
        if self.user.is_authenticated:
            heartbeat.ask(self)
        await self.refresh()

    def _count(self) -> bool:
        """Count this socket for its person and for their network address; False when there are too many of either."""
        network = network_of(address_of(self.scope))
        most = {("address", network): limits.SOCKETS.address} if network else {}
        if self.user.pk is not None:
            most[("person", self.user.pk)] = self.most()
        if self.user.pk is None or (network and self.user.guest):
            most[("guests", network)] = limits.SOCKETS.guests
        if any(_open_sockets[whose] >= allowed for whose, allowed in most.items()):
            return False
        self.counted = (*most, ALL)
        _open_sockets.update(self.counted)
        return True

    def leave(self) -> None:
        if self.pushing is not None:
            self.pushing.cancel()
        heartbeat.leave(self)
        for whose in self.counted:
            _open_sockets[whose] -= 1
            if not _open_sockets[whose]:
                del _open_sockets[whose]
        self.counted = ()
        pubsub.unsubscribe(self, self.listening)
        self.follow(frozenset())

    def follow(self, topics: frozenset[str]) -> None:
        """Subscribe, besides `topics`, to these and to no others: of what the page shows just now."""
        pubsub.unsubscribe(self, self.followed - topics)
        pubsub.subscribe(self, topics - self.followed)
        self.followed = topics

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answer a hello with what is current; anything else with an error, and close the socket after too many."""
        now = time.monotonic()
        too_many = len(self.recent) == MAX_MESSAGES and now - self.recent[0] < WINDOW
        self.recent.append(now)
        if too_many:
            await self.close(Close.TOO_MANY)
            return
        try:
            message = decode(text_data, bytes_data)
            if message.get("kind") == "hello":
                await self._greet()
            elif not await self.hear(message):
                self.say(error=NOT_UNDERSTOOD)
        except BadFrame as error:
            self.say(error=str(error))

    async def _greet(self) -> None:
        """Push what is current, or let the next heartbeat do it when the page has just said hello before."""
        self.forget()
        now = time.monotonic()
        self.owed = now - self.greeted < HELLO_EVERY
        if not self.owed:
            self.greeted = now
            await self.refresh(force=True)

    def say(self, **message: Any) -> None:
        self.write(json.dumps(message, separators=(",", ":")))

    async def refresh(self, force: bool = False) -> None:
        """Push what is current. Hints that arrive while a push is being made lead to one more push, not to many."""
        self.stale = True
        if self.refreshing.locked() and not force:
            return
        async with self.refreshing:
            while self.stale or force:
                self.stale = force = False
                try:
                    await self.push()
                except Error as error:  # the database is away: the heartbeat will try again
                    log.warning("push failed: %s", error)
                    return

    def push_soon(self) -> None:
        """Push the news soon; hints that arrive meanwhile lead to one more push."""
        self.changed = True
        if self.pushing is None or self.pushing.done():
            self.pushing = asyncio.create_task(self._push_while_changed())

    async def _push_while_changed(self) -> None:
        while self.changed:
            self.changed = False
            await self.push_news()

    def on_hint(self, hint: dict[str, Any]) -> None:
        """Pass a hint to the page if that is registered for its type, otherwise to the method named after the type."""
        if name := _passed_on.get(hint["type"]):
            self.say(**{name: True})
        else:
            getattr(self, hint["type"].replace(".", "_"))(hint)

    def waiting_changed(self, hint: dict[str, Any]) -> None:
        """Tell the person how many matches wait for them."""
        heartbeat.ask(self)

    def notices_changed(self, hint: dict[str, Any]) -> None:
        """Tell the person what they have not seen yet."""
        heartbeat.ask(self)

    async def tell(self, current: news.News) -> None:
        """Tell the person what has changed since they were told last: numbers, and new notes in words."""
        for name, number in current.numbers.items():
            if self.numbers.get(name) != number:
                self.numbers[name] = number
                self.say(**{name: number})
        if keys := self._new(current.notes):
            for words in await database_sync_to_async(news.words)(keys, self.language):
                self.say(toast=words)

    def _new(self, notes: Sequence[news.Note]) -> list[int]:
        """Return the newest notes since the page was made, except those about the match it shows."""
        known, shown = self.known, self.shown_version()
        if known is None:
            known = {note.key for note in notes if self.told is None or note.key <= self.told}
        self.known = known | {note.key for note in notes}
        fresh = [note.key for note in notes if note.key not in known and not (shown and note.match == shown[0])]
        return fresh[-MOST_TOASTS:]

    # What a subclass says.

    def most(self) -> int:
        """Return how many sockets of one person may be open with this one."""
        return MAX_SOCKETS

    async def enter(self) -> bool:
        """Get ready; False when this person may not look."""
        return True

    def topics(self) -> tuple[str, ...]:
        """Return the topics to subscribe to, besides the person's own."""
        return ()

    async def push(self) -> None:
        """Send what is current."""

    async def push_news(self) -> None:
        """Send what has changed, after `push_soon`."""

    def forget(self) -> None:
        """Forget what was pushed: a page that says hello may not have it."""

    async def hear(self, message: dict[str, Any]) -> bool:
        """Handle a message other than a hello; return whether it was understood.

        Raises:
            BadFrame: it was not, for a reason.
        """
        return False

    def shown_version(self) -> tuple[int, int] | None:
        """Return (match id, version shown), None for a page that shows no match."""
        return None

    async def beat(self, version: int | None) -> None:
        """Send a heartbeat: the time, the version of the match that the page shows, and what a hello is owed."""
        self.tell_time(version)
        if self.owed:
            self.owed = False
            await self.refresh()

    def tell_time(self, version: int | None) -> None:
        """Send the time, which the page's clocks go by, and the version that the page should show."""
        self.write(_time_message(version, milliseconds(timezone.now())))
