"""HTTP for the web process: uvicorn's fast parser, with limits on everything a stranger could send without end.

docs/server.md compares the alternatives. nginx has its own limits; these apply without nginx too.
"""

from __future__ import annotations

import asyncio
from itertools import chain
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

MAX_ADDRESS = 8_192
"""Bytes of the address in the request line."""

MAX_HEAD = 16_384
"""Bytes of the address and all headers together."""

MAX_HEADERS = 100

MAX_REQUEST = 1_000_000
"""Bytes of a whole request with its head, the marks between chunks, and trailers; forms are far smaller."""

ARRIVAL = 20.0
"""Seconds for a whole request to arrive, counted from when its connection opened or the request began."""

LINGER = 1.0
"""Seconds for which the rest of a refused request is discarded, so that the client can read the refusal."""


class Refused(ValueError):
    """Raised to stop the parser in the middle of a request; `status` is that of the answer."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class LimitedProtocol(HttpToolsProtocol):
    """A connection that refuses and closes when a request is too large or arrives too slowly."""

    _received = _piece = 0
    _in_head = _arriving = _refused = _is_socket = False
    _status = 400
    _deadline: asyncio.TimerHandle | None = None
    _served: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._deadline = self.loop.call_later(ARRIVAL, self._too_late)

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse the data, then refuse a request that has become too large.

        Data is parsed before it is judged: one piece is at most the buffer of the loop (256 kB).
        """
        if self._refused:
            self._throw_away(data)
            return
        self._piece = len(data)
        self._received += self._piece
        super().data_received(data)
        if not self._refused:
            self._judge()

    def _judge(self) -> None:
        """Let a whole request be answered; anything else must keep to the limits, blank lines between requests too."""
        if self._is_served():
            self._forget_deadline()
        elif status := self._too_large():
            self._refuse(status)
        elif self._deadline is None:
            self._deadline = self.loop.call_later(ARRIVAL, self._too_late)

    def _is_served(self) -> bool:
        """Return whether a whole request is being answered, or the connection has become a socket."""
        if self._arriving:
            return False
        return self._is_socket or (self.cycle is not None and not self.cycle.response_complete)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._served = cycle
        super()._start_asgi_task(cycle, app)

    def handle_websocket_upgrade(self) -> None:
        self._is_socket = True
        super().handle_websocket_upgrade()

    def _too_large(self) -> int:
        """Return the status that refuses a partly received request, 0 if it may continue."""
        if self._in_head and len(self.url) > MAX_ADDRESS:
            return 414
        if self._in_head and self._received > MAX_HEAD:
            return 431
        return 413 if self._received > MAX_REQUEST else 0

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._received, self._in_head, self._arriving = self._piece, True, True

    def on_headers_complete(self) -> None:
        self._in_head = False
        if len(self.url) > MAX_ADDRESS:
            self._stop(414)
        if len(self.headers) > MAX_HEADERS or (self._received > MAX_HEAD and self._head() > MAX_HEAD):
            self._stop(431)
        super().on_headers_complete()

    def _head(self) -> int:
        """Return the size of a complete head, without the body that came with it."""
        return sum(map(len, chain(*self.headers))) + len(self.url)

    def on_message_complete(self) -> None:
        self._arriving = False
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer a request the parser stopped at: with the status of our limit, or 400 if it is not HTTP."""
        self._refuse(self._status)

    def _stop(self, status: int) -> None:
        """Leave the parser, which reports any exception as an error in the request.

        Raises:
            Refused: always.
        """
        self._status = status
        raise Refused(status)

    def _refuse(self, status: int) -> None:
        """Answer with a bare status and close; discard what still comes, and the answers to earlier requests."""
        self._refused = True
        self._forget_deadline()
        self.pipeline.clear()
        if self._served is not None:
            self._served.disconnected = True
            self._served.message_event.set()
        if self.transport.is_closing():
            return
        self.transport.write(STATUS_LINE[status] + b"content-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.write_eof()
        self._deadline = self.loop.call_later(LINGER, self.transport.abort)

    def _throw_away(self, data: bytes) -> None:
        self._received += len(data)
        if self._received > 2 * MAX_REQUEST:
            self.transport.abort()

    def _too_late(self) -> None:
        self._deadline = None
        if self._arriving:
            self._refuse(408)
        else:
            self.transport.close()

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class QuietSocket(WebSocketsSansIOProtocol):
    """A socket that just closes at a broken frame which came before it was open, where uvicorn logs a traceback."""

    def handle_parser_exception(self) -> None:
        if self.conn.close_sent is None:
            self.transport.abort()
        else:
            super().handle_parser_exception()
