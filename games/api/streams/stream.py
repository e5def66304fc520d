"""A stream: lines of JSON, sent in the order of `write`, each of them whole.

A stream is a convenience, as sockets are: each line says what is so, lines may be left out, and whoever has lost a
stream opens another. It takes part in the heartbeat, which mends lost hints and ends it with its token.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, Final, TypeAlias

import msgspec

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
"""Seconds after which an empty line says once more that the stream still lives."""

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

END: Final = b""
"""Stands for the end among the lines of a stream."""

_open: set[Stream] = set()

_saying: asyncio.Task[None] | None = None

_is_ending = False  # this process, for good


class Stream:
    """An open stream of somebody's; a subclass says what it tells.

    While nothing happens there is little of it in memory: a stream waits in the one task in which the server runs it,
    and has another only for as long as it sends.

    Args:
        caller: who has opened it, with a token.
        language: of the words in its lines; by default that of their account.

    Attributes:
        place: that it has among the streams of its account (`places.take`); empty if it is not counted.
    """

    __slots__ = (
        "_ended",
        "_lines",
        "_send",
        "_sending",
        "credential",
        "is_here",
        "language",
        "place",
        "topics",
        "user",
    )

    address = ""

    def __init__(self, caller: Caller, language: str = "") -> None:
        self.user: Any = caller.user
        self.language = language or caller.user.language or None
        self.credential = Credential(*caller.token.split("/", 1))
        self.is_here = bool(self.user.is_bot)  # people are here when they have a page open
        self.place = ""
        self.topics: tuple[str, ...] = ()
        self._lines: list[bytes] = []  # a deque takes 0.7 kB
        self._send: Send | None = None
        self._sending: asyncio.Task[None] | None = None
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

    # --- lines --------------------------------------------------------------------------------------------------------
    def write(self, line: bytes) -> None:
        """Send a line after what was written before; on the event loop."""
        if len(self._lines) < MOST_UNSENT:
            self._put(line)
        else:
            self.end()

    def say_alive(self) -> None:
        """Send an empty line, unless others are being sent."""
        if self._sending is None:
            self._put(b"\n")

    def say_bye(self) -> None:
        """End the stream with the advice to come back; on the event loop."""
        self.write(line_of("bye", retry=RETRY))
        self.end()

    def end(self) -> None:
        """End the stream after what was written before; on the event loop."""
        self._put(END)
        self._ended = True

    async def close(self, _code: int) -> None:
        """End the stream, as the heartbeat has found its token to be valid no more."""
        self.end()

    def _put(self, line: bytes) -> None:
        if self._ended:
            return
        self._lines.append(line)
        if self._sending is None and self._send is not None:
            self._sending = asyncio.get_running_loop().create_task(self._send_all(self._send))

    async def _send_all(self, send: Send) -> None:
        try:
            while self._lines:
                line = self._lines.pop(0)
                await send({"type": "http.response.body", "body": line, "more_body": line != END})
        finally:
            self._sending = None

    # --- as long as it lasts ------------------------------------------------------------------------------------------
    async def serve(self, receive: Receive, send: Send) -> None:
        """Open the stream, and stay until it has ended or the program has gone."""
        places.hold(self.place)
        try:
            await send(_beginning(self.address))
            self._send = send
            self._open()
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            self._ended = True
            self._lines.clear()
            heartbeat.leave(self)
            pubsub.unsubscribe(self, self.topics)
            _open.discard(self)
            places.leave(self.place)

    def _open(self) -> None:
        global _saying  # noqa: PLW0603  # one for all streams of a process
        _open.add(self)
        pubsub.subscribe(self, self.topics)
        heartbeat.join(self)
        self.begin()
        if _is_ending:  # since this one was asked for
            self.say_bye()
        if not pubsub.is_under_way(_saying):
            _saying = asyncio.create_task(_say_alive())


def _beginning(address: str) -> Message:
    """Return the message with which a stream begins."""
    told = leaving.headers_of(f"GET {address}").items()
    headers = [*HEADERS, *((name.lower().encode(), value.encode()) for name, value in told)]
    return {"type": "http.response.start", "status": HTTPStatus.OK, "headers": headers}


async def _say_alive() -> None:
    """Say that the streams of this process still live, as long as there are any."""
    while _open:
        await asyncio.sleep(QUIET)
        for stream in tuple(_open):
            stream.say_alive()
            await asyncio.sleep(0)  # moves come in between


def line_of(kind: str, **told: Any) -> bytes:
    """Return a line: a JSON object of this `type`."""
    return msgspec.json.encode({"type": kind, **told}) + b"\n"


def say_bye() -> None:
    """End all streams of this process, also those still to open, with the advice to come back; on the event loop."""
    global _is_ending  # noqa: PLW0603  # one process, one end
    _is_ending = True
    for stream in tuple(_open):
        stream.say_bye()
