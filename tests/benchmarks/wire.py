"""What the page of a match sends to its server, and what it gets: the only place of the load that knows these formats.

Moves are posted, or go over the socket that the page has open, as the page of that version of Tessera does it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.benchmarks.driving import Stopped
from tests.benchmarks.site import Player

PRESENCE = '{"kind":"presence"}'
"""What a page sends while its reader looks at the match."""
PRESENT_EVERY = 12
"""Seconds after which it does so again (`match.js`)."""
DONE = "done"

T = TypeVar("T")

_PUSHED = re.compile(r'\{"version":(\d+),"(?:base|content)"')
_ANSWERED = re.compile(r'\{"answer":"([^"]+)","status":"([a-z]+)"')


@dataclass(frozen=True)
class Door:
    """The way into a site: its origin, and the port of the process that is asked."""

    origin: str
    port: int

    @property
    def host(self) -> str:
        return self.origin.partition("//")[2]


class Heard(NamedTuple):
    """What a message over the socket says: the board has this version, or this request has been answered so."""

    version: int | None = None
    request: str | None = None
    status: str = ""


def read(message: str) -> Heard:
    """Return what a message says that matters to the load; reads only its beginning."""
    if pushed := _PUSHED.match(message):
        return Heard(version=int(pushed[1]))
    if answered := _ANSWERED.match(message):
        return Heard(request=answered[1], status=answered[2])
    return Heard()


async def dial(
    door: Door,
    path: str,
    player: Player,
    kind: type[ClientConnection] = ClientConnection,
    is_compressed: bool = True,
) -> ClientConnection:
    """Open a socket as the page does; it is of the given kind, and asks for compression unless told not to."""
    headers = {"Cookie": player.cookie, "Origin": door.origin}
    return await connect(
        f"ws://{door.host}{path}",
        additional_headers=headers,
        compression="deflate" if is_compressed else None,
        max_size=None,
        host="127.0.0.1",
        port=door.port,
        create_connection=kind,
    )


async def closing(sockets: Sequence[ClientConnection]) -> str:
    """Wait until one of the sockets is closed; return its code and reason."""
    waiting = {asyncio.ensure_future(socket.wait_closed()): socket for socket in sockets}
    ended, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    socket = waiting[ended.pop()]
    return f"{socket.close_code} {socket.close_reason}".rstrip()


async def before(closed: asyncio.Future[str], wanted: asyncio.Future[T], within: float | None = None) -> T:
    """Return what is to come over sockets.

    Args:
        closed: done when one of the sockets is closed.
        wanted: done when it has come.
        within: seconds to wait; None: as long as the sockets are open.

    Raises:
        Stopped: it did not come in this time, or before a socket was closed.
    """
    await asyncio.wait((wanted, closed), timeout=within, return_when=asyncio.FIRST_COMPLETED)
    if wanted.done():
        return wanted.result()
    raise Stopped(f"a socket was closed with {closed.result()}" if closed.done() else f"no push within {within} s")


class Way:
    """How a player's moves reach the server."""

    def __init__(self, door: Door, player: Player, socket: ClientConnection) -> None:
        self.door = door
        self.player = player
        self.socket = socket

    async def submit(self, path: str, fields: Mapping[str, str]) -> str:
        """Send the form of the board; return the answer, `DONE` if the move was made.

        Raises:
            Stopped: the socket over which it was to come has been closed.
        """
        raise NotImplementedError

    def answered(self, request: str, status: str) -> None:
        """Take note of an answer that came over the socket."""

    async def close(self) -> None:
        """Close what this way has opened for itself."""


class ByPost(Way):
    """Posts each move over a kept-alive HTTP connection, and again as a browser does if the server has closed that."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter | None = None

    def request(self, path: str, fields: Mapping[str, str]) -> bytes:
        """Return what is sent."""
        body = urlencode(fields)
        return (
            f"POST {path} HTTP/1.1\r\nHost: {self.door.host}\r\nCookie: {self.player.cookie}\r\n"
            f"X-CSRFToken: {self.player.csrf}\r\nHX-Request: true\r\nContent-Length: {len(body)}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\n\r\n{body}"
        ).encode()

    async def submit(self, path: str, fields: Mapping[str, str]) -> str:
        request = self.request(path, fields)
        try:
            status = await self._post(request)
        except (asyncio.IncompleteReadError, ConnectionError):  # it was quiet for 5 seconds
            await self.close()
            status = await self._post(request)
        return DONE if status == 200 else str(status)

    async def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
            with contextlib.suppress(ConnectionError):
                await self.writer.wait_closed()
            self.writer = None

    async def _post(self, request: bytes) -> int:
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.door.port)
        self.writer.write(request)
        return await self._status()

    async def _status(self) -> int:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin1").lower()
        if "content-length:" in head:
            await self.reader.readexactly(int(head.split("content-length:")[1].split()[0]))
        else:
            while size := int((await self.reader.readline()).strip() or b"0", 16):
                await self.reader.readexactly(size + 2)
            await self.reader.readline()
        return int(head.split()[1])


class OverSocket(Way):
    """Sends each move over the open socket: the fields of the form, written as they are posted."""

    def __init__(self, door: Door, player: Player, socket: ClientConnection) -> None:
        super().__init__(door, player, socket)
        self.waiting: dict[str, asyncio.Future[str]] = {}
        self.closed = asyncio.ensure_future(closing([socket]))

    async def submit(self, path: str, fields: Mapping[str, str]) -> str:
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.waiting[fields["client_id"]] = answer
        form = urlencode({"csrfmiddlewaretoken": self.player.csrf, **fields})
        with contextlib.suppress(ConnectionClosed):  # `before` says so
            await self.socket.send(json.dumps({"kind": path.split("/")[-2], "form": form}))
        return await before(self.closed, answer)

    def answered(self, request: str, status: str) -> None:
        if waiting := self.waiting.pop(request, None):
            waiting.set_result(status)


def offered(door: Door, path: str, player: Player) -> type[Way]:
    """Return how the page of a match makes moves."""
    request = urllib.request.Request(f"http://127.0.0.1:{door.port}{path}")
    request.add_header("Host", door.host)
    request.add_header("Cookie", player.cookie)
    with urllib.request.urlopen(request, timeout=30) as answer:
        page: bytes = answer.read()
    return OverSocket if b"data-over-socket=" in page else ByPost
