"""A Channels consumer that listens to its browser alone: of changes the whole process hears at once (`hearing`)."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer

from accounts import limits
from accounts.requests import address_of

Message: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

log = logging.getLogger(__name__)

BROKEN = 1011
"""The code of a socket whose browser takes nothing."""

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
        """Pass a message to its handler, at once, and let the loop turn before the next one: many can be waiting.

        Channels would first visit the thread on which lists and heartbeats are made: a move would wait for all of them.
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
