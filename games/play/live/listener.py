"""A Channels consumer that listens to its browser alone: of changes the whole process hears at once (`hearing`)."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from channels.generic.websocket import AsyncWebsocketConsumer

Message: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

log = logging.getLogger(__name__)

BROKEN = 1011
"""The code of a socket that ends because a handler failed."""

MOST_UNSENT = 50
"""Messages that wait for a browser to take them; a page that is slower loads everything anew."""


class Listener(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels ships no types
    """Handles a message from the browser when the one before has been handled, and sends in the order of `write`.

    However a socket ends, `disconnect` is called once; and no exception is kept then, as its traceback would hold all
    of the socket until the collector comes.
    """

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        self.scope, self.base_send = scope, _unless_gone(send)
        self.unsent: deque[Message] = deque()
        self.sending: asyncio.Task[None] | None = None
        self.ended, code = False, BROKEN
        try:
            while (message := await receive())["type"] != "websocket.disconnect":
                await self.dispatch(message)
            code = message["code"]
        finally:
            self.ended = True
            self.unsent.clear()
            await self.disconnect(code)

    async def dispatch(self, message: Message) -> None:
        """Pass a message to its handler, without Channels' visit to the database's thread: ours tidy up themselves."""
        if message["type"] == "websocket.connect":
            await self.websocket_connect(message)
        else:
            await self.websocket_receive(message)

    def write(self, text: str) -> None:
        """Send a text after what was written before; on the event loop."""
        if len(self.unsent) < MOST_UNSENT:
            self._put({"type": "websocket.send", "text": text})
        else:
            self.unsent.clear()
            self.end(BROKEN)

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
