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
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

from channels.db import database_sync_to_async
from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.db import Error
from django.http import QueryDict
from django.utils import timezone, translation

from games.play.boards.faces import milliseconds
from games.play.live import news, pulse
from games.play.live.addresses import address_of
from games.play.live.closing import Close
from games.play.live.listener import Listener
from games.play.matches import announce

log = logging.getLogger(__name__)

MAX_MESSAGES = 100
WINDOW = 20.0
"""At most MAX_MESSAGES in WINDOW seconds for each socket."""

MAX_SOCKETS = 20
"""Open sockets of one person in one process."""

MAX_ANONYMOUS = 50
"""Open sockets of people who are not logged in, from one address (of IPv6 one network of 64 bits), in one process."""

HELLO_EVERY = 1.0
"""Seconds between two hellos of a socket that are answered at once; the heartbeat answers those in between."""

MOST_TOASTS = 3
"""How many new notes are shown in words at once; of the others only the number is told."""

MAX_TEXT = 8_000
"""Characters of the longest message accepted: the form of a long turn is shorter."""


MAX_DIGITS = 12


_open_sockets: Counter[int | str] = Counter()


class BadFrame(Exception):
    """A message we do not understand; the text is for its sender."""


def decode(text: str | None, data: bytes | None) -> dict[str, Any]:
    """Read one message strictly: a small JSON object, finite numbers, no nesting.

    Raises:
        BadFrame: anything else.
    """
    if data is not None or text is None:
        raise BadFrame("binary frames are not accepted")
    if len(text) > MAX_TEXT:
        raise BadFrame("the message is too long")
    try:
        message = json.loads(text, parse_constant=_no_constant, parse_int=_small_int)
    except (ValueError, RecursionError) as error:
        raise BadFrame("not JSON") from error
    if not isinstance(message, dict) or any(isinstance(value, list) for value in message.values()):
        raise BadFrame("a message is one object without lists")
    return message


def form_in(message: dict[str, Any]) -> QueryDict:
    """Return the fields of a form in a message, written as a browser writes them when it posts the form.

    Raises:
        BadFrame: there is no form, it has too many fields, or a NUL, which no text needs.
    """
    text = message.get("form")
    if not isinstance(text, str) or any(mark in text for mark in ("\0", "%00")):
        raise BadFrame("this is no form")
    try:
        return QueryDict(text)
    except SuspiciousOperation as error:
        raise BadFrame("the form has too many fields") from error


def _no_constant(name: str) -> float:
    raise ValueError(name)


def _small_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError("a number of this size means nothing here")
    return int(digits)


def same_origin(headers: dict[bytes, bytes], scheme: str) -> bool:
    """Say whether the page that opens the socket is ours: scheme, host and port, not the host alone."""
    origin = urlsplit(headers.get(b"origin", b"").decode("latin1"))
    host = headers.get(b"host", b"").decode("latin1")
    secure = scheme == "wss" or headers.get(b"x-forwarded-proto") == b"https"
    return bool(host) and (origin.scheme, origin.netloc) == ("https" if secure else "http", host)


def _language(query: bytes) -> str:
    """Return the language of the page that opened the socket: it says so itself, as it was rendered in it."""
    wanted = parse_qs(query.decode("latin1")).get("language", [""])[0]
    try:
        return translation.get_supported_language_variant(wanted)
    except LookupError:
        return str(settings.LANGUAGE_CODE)


class Socket(Listener):
    """Base of the consumers: who may open one, what it listens to, and its heartbeat.

    A subclass says which groups it listens to once `enter` has let it in, what to push when `refresh` is called, and
    which version it shows.
    """

    counted: int | str | None = None
    listening: tuple[str, ...] = ()

    async def connect(self) -> None:
        user = self.scope["user"]
        self.user: Any = getattr(user, "_wrapped", user)  # each push asks for much of them: the lazy one costs more
        self.language = _language(self.scope["query_string"])
        self.numbers: dict[str, int] = {}
        self.known: set[int] | None = None
        self.recent: deque[float] = deque(maxlen=MAX_MESSAGES)
        self.refreshing = asyncio.Lock()
        self.stale = self.owed = False
        self.greeted = -HELLO_EVERY
        if not same_origin(dict(self.scope["headers"]), self.scope.get("scheme", "ws")):
            await self.close(Close.BAD_ORIGIN)
        elif not self._count():
            await self.close(Close.TOO_MANY)
        else:
            await self._enter()

    def _count(self) -> bool:
        """Count this socket for its person, or for its address; False when there are too many."""
        key, most = (address_of(self.scope), MAX_ANONYMOUS) if self.user.pk is None else (self.user.pk, self.most())
        if _open_sockets[key] >= most:
            return False
        _open_sockets[key] += 1
        self.counted = key
        return True

    async def _enter(self) -> None:
        await self.accept()
        if not await self.enter():
            await self.close(Close.NO_ACCESS)
            return
        personal = [announce.user_group(self.user.pk)] if self.user.is_authenticated else []
        self.listening = (*self.groups_for(), *personal)
        for group in self.listening:
            await self.channel_layer.group_add(group, self.channel_name)
        pulse.join(self)
        if self.user.is_authenticated:
            pulse.ask(self)
        await self.refresh()

    async def disconnect(self, code: int) -> None:
        pulse.leave(self)
        if self.counted is not None:
            _open_sockets[self.counted] -= 1
            if not _open_sockets[self.counted]:
                del _open_sockets[self.counted]
            self.counted = None
        for group in self.listening:
            await self.channel_layer.group_discard(group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answer a hello with what is current; anything else with an error, and close the socket after too many."""
        if self._too_many():
            await self.close(Close.TOO_MANY)
            return
        try:
            await self._handle(decode(text_data, bytes_data))
        except BadFrame as error:
            await self.send_json({"error": str(error)})

    async def _handle(self, message: dict[str, Any]) -> None:
        if message.get("kind") == "hello":
            await self._greet()
        elif not await self.hear(message):
            raise BadFrame("this is not understood")

    async def _greet(self) -> None:
        """Push what is current, or let the next heartbeat do it when the page has just said hello before."""
        self.forget()
        now = time.monotonic()
        self.owed = now - self.greeted < HELLO_EVERY
        if not self.owed:
            self.greeted = now
            await self.refresh(force=True)

    def _too_many(self) -> bool:
        now = time.monotonic()
        full = len(self.recent) == MAX_MESSAGES and now - self.recent[0] < WINDOW
        self.recent.append(now)
        return full

    async def send_json(self, message: dict[str, Any]) -> None:
        await self.send(text_data=json.dumps(message, separators=(",", ":")))

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

    async def waiting_changed(self, event: dict[str, Any]) -> None:
        """Tell the person how many matches wait for them."""
        pulse.ask(self)

    async def notices_changed(self, event: dict[str, Any]) -> None:
        """Tell the person what they have not seen yet."""
        pulse.ask(self)

    async def tell(self, standing: news.Standing) -> None:
        """Tell the person what has changed since they were told last: numbers, and new notes in words."""
        for name, number in (("waiting", standing.waiting), ("notices", standing.unseen)):
            if self.numbers.get(name) != number:
                self.numbers[name] = number
                await self.send_json({name: number})
        if keys := self._new(standing.notes):
            for words in await database_sync_to_async(news.words)(keys, self.language):
                await self.send_json({"toast": words})

    def _new(self, notes: Sequence[news.Note]) -> list[int]:
        """Return the newest notes since the page was opened, except those about the match it shows."""
        first, shown = self.known is None, self.shown_version()
        known = self.known or set()
        self.known = known | {note.key for note in notes}
        fresh = [note.key for note in notes if note.key not in known and not (shown and note.match == shown[0])]
        return [] if first else fresh[-MOST_TOASTS:]

    # What a subclass says.

    def most(self) -> int:
        """Return how many sockets of one person may be open with this one."""
        return MAX_SOCKETS

    async def enter(self) -> bool:
        """Load what the socket is about; False when this person may not look."""
        raise NotImplementedError

    def groups_for(self) -> tuple[str, ...]:
        """Return the groups to listen to."""
        raise NotImplementedError

    async def push(self) -> None:
        """Send what is current."""
        raise NotImplementedError

    def forget(self) -> None:
        """Forget what was pushed: a page that says hello may not have it."""

    async def hear(self, told: dict[str, Any]) -> bool:
        """Handle a message other than a hello; return whether it was understood.

        Raises:
            BadFrame: it was not, for a reason.
        """
        return False

    def shown_version(self) -> tuple[int, int] | None:
        """Return (match id, version shown), None for a page that shows no match."""
        return None

    async def beat(self, version: int | None) -> None:
        """Send a heartbeat: the time, the current version, and the board if the page does not show that version."""
        await self.tell_time(version)
        shown = self.shown_version()
        behind = shown is not None and version is not None and shown[1] < version
        if behind or self.owed:
            self.owed = False
            await self.refresh()

    async def tell_time(self, version: int | None) -> None:
        """Send the time, which the page's clocks go by, and the current version."""
        await self.send_json({"version": version, "now": milliseconds(timezone.now())})
