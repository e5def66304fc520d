"""A Channels consumer that spends less on each message."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer

Message: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

log = logging.getLogger(__name__)

BROKEN = 1011
"""The code of a socket that ends because a handler failed."""


class Listener(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels ships no types
    """Listens to the browser and to its channel by two tasks that live as long as the socket does.

    Channels makes a task for each message and waits for both anew, which takes the server's loop three rounds where
    one will do; and it visits the database's thread before each handler, where ours tidy up by themselves. Here as
    there, a message is handled when the one before it has been. However a socket ends, `disconnect` is called once;
    and no exception is kept then, as its traceback would hold all of the socket until the collector comes.
    """

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        self.scope, self.base_send = scope, _unless_gone(send)
        self.channel_layer = get_channel_layer()
        self.channel_name = await self.channel_layer.new_channel()
        self.handling, self.code = asyncio.Lock(), BROKEN
        try:
            async with asyncio.TaskGroup() as group:
                hints = group.create_task(self._listen(lambda: self.channel_layer.receive(self.channel_name)))
                group.create_task(self._until_closed(receive, hints))
        finally:
            await self.disconnect(self.code)

    async def _until_closed(self, receive: Receive, hints: asyncio.Task[None]) -> None:
        await self._listen(receive)
        async with self.handling:
            hints.cancel()

    async def _listen(self, receive: Receive) -> None:
        while (message := await receive())["type"] != "websocket.disconnect":
            async with self.handling:
                await self.dispatch(message)
        self.code = message["code"]

    async def dispatch(self, message: Message) -> None:
        """Pass a message to the method named after its type.

        Raises:
            ValueError: there is no such method.
        """
        handler = getattr(self, get_handler_name(message), None)
        if handler is None:
            raise ValueError(f"No handler for message type {message['type']}")
        await handler(message)


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
