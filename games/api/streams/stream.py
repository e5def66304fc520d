"""A stream: lines of JSON, sent in the order of `write`, each of them whole.

A stream is a convenience, as sockets are: each line says what is so, lines may be left out, and whoever has lost a
stream opens another. It takes part in the heartbeat, which mends lost hints and ends it with its token.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, Final, TypeAlias

import msgspec
from django.utils import translation

from games.api.answers import LINES
from games.api.authentication import Caller
from games.api.streams import places
from games.api.v1 import leaving
from games.play.live import heartbeat, pubsub
from games.play.live.heartbeat import Credential

Message: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

QUIET: Final = 7.0
"""Seconds after which an empty line says that the stream still lives."""

MOST_UNSENT: Final = 50
"""Lines that wait for a program which reads too slowly; with one more its stream ends."""

RETRY: Final = 3
"""Seconds after which to come back, when the server ends."""

HEADERS: Final = [
    (b"content-type", LINES.encode()),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"access-control-allow-origin", b"*"),
]

_open: set[Stream] = set()


class Stream:
    """An open stream of somebody's; a subclass says what it tells.

    Args:
        caller: who has opened it, with a token.
        language: of the words in its lines; by default that of their account.
    """

    address = ""
    topics: tuple[str, ...] = ()

    def __init__(self, caller: Caller, language: str = "") -> None:
        self.user: Any = caller.user
        self.language = language or caller.user.language or None
        self.credential = Credential(*caller.token.split("/", 1))
        self.is_here = bool(self.user.is_bot)  # people are here when they have a page open
        self._lines: deque[bytes] = deque()
        self._written = asyncio.Event()
        self._ended = False

    # --- what a subclass says -----------------------------------------------------------------------------------------
    def begin(self) -> None:
        """Write what is so, or have it written; on the event loop."""

    def on_hint(self, hint: dict[str, Any]) -> None:
        """React to a hint about one of `topics`; on the event loop, and without waiting."""

    def shown_version(self) -> tuple[int, int] | None:
        """Return (match id, version told), None for a stream that is about no match."""
        return None

    async def beat(self, version: int | None) -> None:
        """Take a heartbeat with the current version of the match."""

    async def tell(self, current: Any) -> None:
        """Take the person's news of a heartbeat."""

    # --- lines --------------------------------------------------------------------------------------------------------
    def write(self, line: bytes) -> None:
        """Send a line after what was written before; on the event loop."""
        if self._ended:
            return
        if len(self._lines) >= MOST_UNSENT:
            self.end()
            return
        self._lines.append(line)
        self._written.set()

    def end(self) -> None:
        """End the stream after what was written before; on the event loop."""
        self._ended = True
        self._written.set()

    async def close(self, _code: int) -> None:
        """End the stream, as the heartbeat has found its token to be valid no more."""
        self.end()

    async def serve(self, receive: Receive, send: Send) -> None:
        """Open the stream, and send its lines until it ends or the program has gone.

        Raises:
            Problem: 429 "too-many-streams"; nothing has been sent then, and no other stream is closed.
        """
        place = await asyncio.to_thread(self._take_place)
        places.hold(place)
        _open.add(self)
        pubsub.subscribe(self, self.topics)
        heartbeat.join(self)
        try:
            told = leaving.headers_of(f"GET {self.address}").items()
            headers = [*HEADERS, *((name.lower().encode(), value.encode()) for name, value in told)]
            await send({"type": "http.response.start", "status": HTTPStatus.OK, "headers": headers})
            self.begin()
            listening = asyncio.ensure_future(_has_gone(receive))
            sending = asyncio.ensure_future(self._send_all(send))
            await asyncio.wait({listening, sending}, return_when=asyncio.FIRST_COMPLETED)
            listening.cancel()
            sending.cancel()
        finally:
            self._ended = True
            heartbeat.leave(self)
            pubsub.unsubscribe(self, self.topics)
            _open.discard(self)
            places.leave(place)

    def _take_place(self) -> str:
        with translation.override(self.language):
            return places.take(self.user.pk)

    async def _send_all(self, send: Send) -> None:
        """Send what is written; an empty line when there is nothing for a while."""
        while not self._ended or self._lines:
            self._written.clear()
            if not self._lines:
                try:
                    async with asyncio.timeout(QUIET):
                        await self._written.wait()
                except TimeoutError:
                    await send({"type": "http.response.body", "body": b"\n", "more_body": True})
            while self._lines:
                await send({"type": "http.response.body", "body": self._lines.popleft(), "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def _has_gone(receive: Receive) -> None:
    """Wait until the program has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


def line_of(kind: str, **told: Any) -> bytes:
    """Return a line: a JSON object of this `type`."""
    return msgspec.json.encode({"type": kind, **told}) + b"\n"


def say_bye() -> None:
    """End all streams of this process, each with the advice to come back; on the event loop."""
    bye = line_of("bye", retry=RETRY)
    for stream in tuple(_open):
        stream.write(bye)
        stream.end()
