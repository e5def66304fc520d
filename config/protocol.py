"""Limits between the network and uvicorn on everything that a stranger can send, or leave unread.

A connection here is an asyncio protocol to the network and an asyncio transport to uvicorn, both public interfaces. It
checks HTTP with httptools, and sockets by the headers of their frames, and passes the bytes on in small pieces, one for
each turn of the event loop. nginx has limits of its own; these apply without it (docs/server.md).
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from accounts import limits
from accounts.buckets import Allowance
from accounts.requests import address_of, network_of

MAX_ADDRESS = 8_192
"""Bytes of the URL in the request line."""

MAX_HEAD = 16_384
"""Bytes of the URL and all headers together."""

MAX_HEADERS = 100

MAX_LINE = 8_000
"""Bytes of a header of a request for a socket: the library that parses it does not answer longer ones at all."""

MAX_REQUEST = 1_000_000
"""Bytes of a whole request, including headers, chunk boundaries and trailers; forms are far smaller."""

MAX_AT_ONCE = 10
"""Requests that begin within one piece: browsers do not pipeline."""

ARRIVAL = 20.0
"""Seconds within which a whole request must arrive, from when its connection opened or it began."""

OPENING = 30.0
"""Seconds within which the site must open a socket or refuse it."""

LINGER = 1.0
"""Seconds for which the rest of a refused request is read and discarded, so that the client can read the answer."""

ENOUGH = 8
"""How many bytes of a URL tell whether a program asks (below /api/)."""

PIECE = 4_096
"""How many bytes are passed on in one turn of the event loop."""

FRAMES_AT_ONCE = 16
"""How many frames of a socket are passed on in one turn of the event loop."""

SMALLEST = 64
"""The fewest bytes for which a piece from a socket counts, as many small pieces cost more than a large one."""

MAX_FRAGMENTS = 64
"""Frames of one message of a socket. uvicorn limits its bytes."""

UNREAD = 60.0
"""Seconds after which a client is cut off that reads nothing of what waits for it."""

UNANSWERED = 12_000
"""Milliseconds after which a client counts as dead that confirms nothing of what it is sent; otherwise 15 minutes."""

TOO_MUCH = b"\x88\x02" + (1008).to_bytes(2, "big")
"""The frame that closes a socket with 1008, policy violation."""

FAIR_SHARE = 0.03
"""The share of its own allowance that a socket must have used to be closed if its address has exceeded its own."""


class Refused(ValueError):
    """Raised to refuse what arrives; `status` is that of the response, or 1008 for a socket."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


# --- allowances of sockets --------------------------------------------------------------------------------------------


class Budget:
    """How much of an allowance is used; it comes back over time."""

    __slots__ = ("allowed", "at", "used")

    def __init__(self, allowed: Allowance, now: float) -> None:
        self.allowed, self.at, self.used = allowed, now, 0.0

    def spend(self, amount: float, now: float) -> float:
        """Use some and return the share of the allowance that is used then; above 1 it is exceeded."""
        back = (now - self.at) * self.allowed.per_second
        self.at, self.used = now, max(0.0, self.used - back) + amount
        return self.used / self.allowed.most


class Meter:
    """What one socket, or all sockets of one network address, have used."""

    def __init__(self, traffic: limits.Traffic, now: float) -> None:
        self.sockets = 0
        self.frames = Budget(traffic.frames, now)
        self.received = Budget(traffic.received, now)
        self.sent = Budget(traffic.sent, now)


_meters: dict[str, Meter] = {}
"""By network address. Kept until the allowance has come back, so that new sockets do not renew it."""


def _leave(network: str, loop: asyncio.AbstractEventLoop) -> None:
    meter = _meters[network]
    meter.sockets -= 1
    if not meter.sockets:
        loop.call_later(limits.ADDRESS_TRAFFIC.comes_back_within, _forget, network, meter)


def _forget(network: str, meter: Meter) -> None:
    if not meter.sockets and _meters.get(network) is meter:
        del _meters[network]


class Frames:
    """Finds the headers of the frames that a client sends to its socket, and skips their content."""

    def __init__(self) -> None:
        self.head = bytearray()
        self.left = 0
        self.fragments = 0

    def take(self, data: bytes) -> tuple[int, int]:
        """Return how many of these bytes are passed on now, and how many frames begin in them.

        Raises:
            Refused: a message consists of too many frames.
        """
        at = count = 0
        while at < len(data):
            if self.left:
                skipped = min(self.left, len(data) - at)
                self.left -= skipped
                at += skipped
                continue
            if count == FRAMES_AT_ONCE and not self.head:
                break
            self.head.append(data[at])
            at += 1
            if self._is_whole():
                count += 1
        return at, count

    def _is_whole(self) -> bool:
        """Read the header if it is complete: two bytes, an extended length, and the mask (RFC 6455, section 5.2)."""
        head = self.head
        if len(head) == 1:
            return False
        longer = {126: 2, 127: 8}.get(head[1] & 127, 0)
        if len(head) < 2 + longer + (4 if head[1] & 128 else 0):
            return False
        self.left = int.from_bytes(head[2 : 2 + longer], "big") if longer else head[1] & 127
        opcode = head[0] & 15
        if opcode < 8:  # noqa: PLR2004  # others are control frames, which may come between the frames of a message
            self.fragments = self.fragments + 1 if opcode == 0 else 1
        head.clear()
        if self.fragments > MAX_FRAGMENTS:
            raise Refused(1008)
        return True


# --- connections ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Head:
    """What has been read of the headers of the current request."""

    address: int = 0
    begin: bytes = b""
    size: int = 0
    headers: int = 0
    longest: int = 0
    received: int = 0
    forwarded: str = ""


class LimitedConnection(asyncio.Protocol):
    """A connection that is refused or closed when something is too large, too slow or too much."""

    outside: asyncio.Transport

    def __init__(
        self,
        config: Any,
        server_state: Any,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self.loop = _loop or asyncio.get_event_loop()
        self.inner: asyncio.BaseProtocol = HttpToolsProtocol(config, server_state, app_state, _loop)
        self.parser: Any = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn's
        self.request = Head()
        self.arriving = self.completed = self.in_head = False
        self.begun = 0

        self.pending = bytearray()
        self.turn_due = self.held = self.clogged = False
        self.ended = self.refused = False
        self.discarded = 0
        self.deadline: asyncio.TimerHandle | None = None
        self.watching: asyncio.TimerHandle | None = None

        self.frames: Frames | None = None
        self.is_open = False
        self.network = ""
        self.own: Meter | None = None
        self.shared: Meter | None = None

    # --- from the network ---------------------------------------------------------------------------------------------
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.outside = cast("asyncio.Transport", transport)  # uvloop's is none by name
        if (connection := transport.get_extra_info("socket")) is not None and connection.family != socket.AF_UNIX:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNANSWERED)
        self.inner.connection_made(cast("asyncio.Transport", self))
        self._begin_deadline()

    def data_received(self, data: bytes) -> None:
        if self.refused:
            self.discarded += len(data)
            if self.discarded > 2 * MAX_REQUEST:
                self.outside.abort()
        elif not self.ended:
            self.pending += data
            self._pass_on()

    def eof_received(self) -> bool | None:
        return None

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended = True
        self._stop_timers()
        if self.shared is not None:
            _leave(self.network, self.loop)
        inner, self.inner, self.parser = self.inner, asyncio.Protocol(), None
        self.pending.clear()
        inner.connection_lost(exc)

    def pause_writing(self) -> None:
        """Read nothing while the client reads nothing, so that responses do not pile up."""
        self.clogged = True
        self.inner.pause_writing()
        self._settle()
        self._watch()

    def resume_writing(self) -> None:
        self.clogged = False
        self.inner.resume_writing()
        self._pass_on_soon()

    # --- in small pieces ----------------------------------------------------------------------------------------------
    def _pass_on_soon(self) -> None:
        if not self.turn_due:
            self.turn_due = True
            self.loop.call_soon(self._turn)

    def _turn(self) -> None:
        self.turn_due = False
        self._pass_on()

    def _pass_on(self) -> None:
        """Check one piece and pass it on; the rest follows in the next turns of the loop, when uvicorn wants more."""
        if not self.turn_due and self.pending and not self._waits():
            piece = bytes(self.pending[:PIECE])
            try:
                taken = self._judge_request(piece) if self.frames is None else self._judge_frames(self.frames, piece)
            except Refused as refused:
                self._refuse(refused.status)
                return
            del self.pending[:taken]
            self.inner.data_received(piece[:taken])  # type: ignore[attr-defined]  # of both protocols of uvicorn
            if self.pending and not self._waits():
                self._pass_on_soon()
        self._settle()

    def _waits(self) -> bool:
        """Return whether to pass on nothing now; before a socket is open uvicorn would fail at a broken frame."""
        return self.ended or self.held or self.clogged or (self.frames is not None and not self.is_open)

    def _settle(self) -> None:
        """Read from the network only while nothing waits here."""
        if self.outside.is_closing():
            return
        wanted = self.refused or not (self.pending or self.held or self.clogged)
        if wanted and not self.outside.is_reading():
            self.outside.resume_reading()
        elif not wanted and self.outside.is_reading():
            self.outside.pause_reading()

    # --- requests -----------------------------------------------------------------------------------------------------
    def _judge_request(self, piece: bytes) -> int:
        """Return how much of a piece of HTTP to pass on: all, or up to the end of the headers if it opens a socket.

        Raises:
            Refused: the request is too large, or not HTTP.
        """
        self.completed, self.begun, taken = False, 0, len(piece)
        try:
            self.parser.feed_data(piece)
        except httptools.HttpParserUpgrade as upgrade:
            if self.request.longest > MAX_LINE:
                raise Refused(431) from upgrade
            taken = upgrade.args[0]
        except httptools.HttpParserError as error:
            cause = error.__context__
            raise Refused(cause.status if isinstance(cause, Refused) else 400) from error
        self.request.received += taken
        if self.in_head and self.request.received > MAX_HEAD:
            raise Refused(431)
        if self.arriving and self.request.received > MAX_REQUEST:
            raise Refused(413)
        if self.arriving or not self.completed:
            self._begin_deadline()
        return int(taken)

    def on_message_begin(self) -> None:
        self.begun += 1
        if self.begun > MAX_AT_ONCE:
            raise Refused(429)
        self.request = Head()
        self.arriving = self.in_head = True

    def on_url(self, part: bytes) -> None:
        self.request.address += len(part)
        self.request.begin = (self.request.begin + part)[:ENOUGH]
        self.request.size += len(part)
        if self.request.address > MAX_ADDRESS:
            raise Refused(414)
        if not part.isascii():  # browsers never send this, and neither WSGI nor uvicorn's sockets can represent it
            raise Refused(400)

    def on_header(self, name: bytes, value: bytes) -> None:
        self.request.headers += 1
        self.request.size += len(name) + len(value)
        self.request.longest = max(self.request.longest, len(name) + len(value))
        if self.request.headers > MAX_HEADERS or self.request.size > MAX_HEAD:
            raise Refused(431)
        if name.lower() == b"x-forwarded-for":
            self.request.forwarded += f",{value.decode('latin1')}"

    def on_headers_complete(self) -> None:
        self.in_head = False

    def on_message_complete(self) -> None:
        self.arriving, self.completed = False, True
        self._forget_deadline()

    # --- sockets ------------------------------------------------------------------------------------------------------
    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Continue with uvicorn's protocol for sockets, and count frames from now on."""
        self.inner.parser = None  # type: ignore[attr-defined]  # with it uvicorn's protocol for HTTP holds itself, and this
        self.inner, self.frames, self.parser = protocol, Frames(), None
        peer = self.outside.get_extra_info("peername")
        source: Mapping[str, Any] = {
            "client": peer if isinstance(peer, tuple) else None,
            "headers": [(b"x-forwarded-for", self.request.forwarded.encode("latin1"))],
        }
        self.network, now = network_of(address_of(source)), self.loop.time()
        self.own = Meter(limits.SOCKET_TRAFFIC, now)
        self.shared = _meters.setdefault(self.network, Meter(limits.ADDRESS_TRAFFIC, now))
        self.shared.sockets += 1
        self._begin_deadline(OPENING)

    def _judge_frames(self, frames: Frames, piece: bytes) -> int:
        """Return how much of a piece to pass on: no more than a few frames.

        Raises:
            Refused: the socket, or all sockets of its network address together, have sent too much.
        """
        taken, count = frames.take(piece)
        if self._exceeds("frames", count) or self._exceeds("received", max(taken, SMALLEST)):
            raise Refused(1008)
        return taken

    def _exceeds(self, what: str, amount: int) -> bool:
        """Count what a socket uses; return whether that is too much, alone or together with others of its address."""
        if self.own is None or self.shared is None:
            return False
        now = self.loop.time()
        own = float(getattr(self.own, what).spend(amount, now))
        shared = float(getattr(self.shared, what).spend(amount, now))
        return own > 1 or (shared > 1 and own > FAIR_SHARE) or shared > 2  # noqa: PLR2004  # twice of what is allowed

    # --- refusals and time --------------------------------------------------------------------------------------------
    def _refuse(self, status: int) -> None:
        """Answer with a status, or close the socket; discard what still arrives and uvicorn's responses."""
        self.ended = self.refused = True
        self.pending.clear()
        self._stop_timers()
        if self.outside.is_closing():
            return
        if self.frames is None:
            self.outside.write(_answer(status, self.request.begin.decode("latin1")))
        elif self.is_open:
            self.outside.write(TOO_MUCH)
        self.outside.write_eof()
        self.deadline = self.loop.call_later(LINGER, self.outside.abort)
        self._settle()

    def _begin_deadline(self, seconds: float | None = None) -> None:
        if self.deadline is None and not self.ended:
            self.deadline = self.loop.call_later(seconds or ARRIVAL, self._too_late)

    def _too_late(self) -> None:
        self.deadline = None
        if self.arriving:
            self._refuse(408)
        else:
            self.close()

    def _forget_deadline(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def _watch(self) -> None:
        """Cut the client off if for a while it reads nothing of what was written."""
        if self.watching is None:
            self.watching = self.loop.call_later(UNREAD, self._look, self.outside.get_write_buffer_size())

    def _look(self, before: int) -> None:
        self.watching = None
        if not (self.clogged or self.outside.is_closing()):
            return
        if self.outside.get_write_buffer_size() >= before:
            self.outside.abort()
        else:
            self._watch()

    def _stop_timers(self) -> None:
        self._forget_deadline()
        if self.watching is not None:
            self.watching.cancel()
            self.watching = None

    # --- from uvicorn -------------------------------------------------------------------------------------------------
    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self.refused:
            return
        if self.frames is not None and not self.is_open:
            self._forget_deadline()
            self.is_open = bytes(data[:12]) == b"HTTP/1.1 101"
            self._pass_on_soon()
        if self._exceeds("sent", len(data)):
            self._refuse(1008)
        else:
            self.outside.write(data)

    def close(self) -> None:
        """Close once the client has read everything; give up if it reads nothing."""
        if not self.ended:
            self.ended = True
            self._stop_timers()
            self.outside.close()
            self._watch()

    def is_closing(self) -> bool:
        return self.ended or self.outside.is_closing()

    def pause_reading(self) -> None:
        self.held = True
        self._settle()

    def resume_reading(self) -> None:
        self.held = False
        self._pass_on_soon()

    def write_eof(self) -> None:
        if not self.refused:
            self.outside.write_eof()

    def __getattr__(self, name: str) -> Any:
        """Return other attributes of the network's transport."""
        if name == "outside":
            raise AttributeError(name)  # not connected yet
        return getattr(self.outside, name)


def _answer(status: int, begin: str) -> bytes:
    """Return the answer to a request that is refused: a bare status, or for programs a problem.

    Args:
        status: of the answer.
        begin: the first characters of the URL, as far as it is known.
    """
    from games.api import problems  # noqa: PLC0415  # needs the apps, which loading the server has made ready
    from games.api.middleware import is_below  # noqa: PLC0415  # as above

    headers, body = {"connection": "close"}, b""
    if is_below(begin.partition("?")[0]):
        problem = problems.usual(status).response
        headers |= {**problem.headers, "access-control-allow-origin": "*", "cache-control": "no-store"}
        body = problem.content
    headers["content-length"] = str(len(body))
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n{lines}\r\n".encode("ascii") + body


class Socket(WebSocketsSansIOProtocol):
    """uvicorn's protocol for sockets, which answers 503 instead of 500 to one not yet open at shutdown."""

    def shutdown(self) -> None:
        if self.handshake_complete or self.close_sent or self.initial_response:
            super().shutdown()
            return
        self.conn.send_response(self.conn.reject(503, "The site is restarting."))
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()
