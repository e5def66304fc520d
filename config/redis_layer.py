"""The channel layer for several processes: groups over Redis's pub/sub.

While Redis is away, sending raises and receiving waits: sockets still open, rely on their heartbeat, and get messages
again once Redis is back.
"""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import msgspec
from channels.layers import BaseChannelLayer
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError, TimeoutError as RedisSilent

from config.ops.outages import REDIS

ANSWER_SECONDS = 2.0
"""Seconds to wait for an answer from Redis."""

PAUSE = 1.0
"""Seconds between two attempts to subscribe again."""


class RedisLayer(BaseChannelLayer):  # type: ignore[misc]  # channels ships no types
    """The part of Channels' interface that this site uses: groups, and channels that receive messages to them.

    Args:
        url: the address of Redis.
    """

    extensions = ("groups",)

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._groups: dict[str, set[str]] = {}
        self._subscriptions: dict[str, PubSub] = {}
        self._clients: dict[asyncio.AbstractEventLoop, Redis] = {}

    def _client(self) -> Redis:
        """Return a client with a single connection, so that an unresponsive Redis does not hold many."""
        return Redis.from_url(self._url, single_connection_client=True, socket_connect_timeout=ANSWER_SECONDS)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Send a message to every channel of a group.

        Raises:
            RedisError, OSError: Redis is away, refuses, or does not answer within `ANSWER_SECONDS`.
        """
        data = msgspec.msgpack.encode(message)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                if client := self._clients.get(asyncio.get_running_loop()):
                    await client.publish(group, data)
                else:  # nothing receives on this event loop: it is that of a command, which ends soon
                    async with self._client() as client:
                        await client.publish(group, data)
        except TimeoutError as error:
            raise RedisSilent(f"no answer within {ANSWER_SECONDS:g} seconds") from error
        REDIS.answers()

    async def new_channel(self, prefix: str = "specific") -> str:
        """Return the name of a new channel; one task calls `receive` for it."""
        channel = f"{prefix}.{uuid4().hex}"
        self._groups[channel] = set()
        return channel

    async def group_add(self, group: str, channel: str) -> None:
        """Let a channel receive messages to a group, from the next `receive` on."""
        self._groups[channel].add(group)

    async def receive(self, channel: str) -> dict[str, Any]:
        """Wait for the next message to a channel, and for Redis while it is away."""
        while True:
            try:
                subscription = self._subscriptions.get(channel) or await self._subscribe(channel)
                received = await subscription.get_message(ignore_subscribe_messages=True, timeout=None)
            except (RedisError, OSError) as error:
                REDIS.fails(error)
                await self._close(channel)
                await asyncio.sleep(PAUSE)
            except asyncio.CancelledError:
                await self._close(channel)
                raise
            else:
                if received is not None:
                    message: dict[str, Any] = msgspec.msgpack.decode(received["data"])
                    return message
                REDIS.answers()  # that the channel is subscribed

    async def _subscribe(self, channel: str) -> PubSub:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._clients[loop] = self._client()
        subscription = self._subscriptions[channel] = self._clients[loop].pubsub()
        await subscription.subscribe(*self._groups[channel])
        return subscription

    async def _close(self, channel: str) -> None:
        """Close the connections of this event loop; the next `receive` opens new ones."""
        if subscription := self._subscriptions.pop(channel, None):
            await subscription.aclose()  # type: ignore[no-untyped-call]  # redis ships no type for it
        if client := self._clients.pop(asyncio.get_running_loop(), None):
            await client.aclose()
