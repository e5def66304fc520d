"""The channel layer of several processes: that of channels_redis, made to survive outages of Redis.

While Redis is away, the original raises whenever something subscribes or unsubscribes, so no page could open a socket,
and it waits without end for a Redis that has fallen silent. Here sockets open, rely on their heartbeat, and receive
announcements again as soon as Redis is back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer, RedisSingleShardConnection
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisSilent

from config.ops.outages import REDIS

ANSWER_SECONDS = 2.0
"""How long to wait for an answer from Redis."""

PAUSE = 1.0
"""Seconds between two attempts to subscribe again."""

POLL = 0.1
"""Seconds between two checks whether anything is subscribed."""

_AWAY = (RedisError, OSError, TimeoutError)


class RedisLayer(RedisPubSubChannelLayer):  # type: ignore[misc]  # channels_redis ships no types
    """Channels' interface; each event loop has a connection of its own."""

    def _get_layer(self) -> Any:
        layer = super()._get_layer()
        if not isinstance(layer._shards[0], PatientConnection):  # noqa: SLF001  # the library offers no other way
            layer._shards = [PatientConnection(shard.host, layer) for shard in layer._shards]  # noqa: SLF001  # as above
        return layer


class PatientConnection(RedisSingleShardConnection):  # type: ignore[misc]  # channels_redis ships no types
    """One Redis: sending while it is away raises; subscriptions are made up for when it is back."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._wanted: set[str] = set()
        self._making_up: asyncio.Task[None] | None = None
        self._is_away = False

    async def publish(self, channel: str, message: bytes) -> None:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await super().publish(channel, message)
        except TimeoutError as error:
            raise RedisSilent(f"no answer within {ANSWER_SECONDS:g} seconds") from error
        REDIS.answers()

    async def subscribe(self, channel: str) -> None:
        """Subscribe to a channel, now or when Redis is back."""
        self._wanted.add(channel)
        is_made_up_for = self._making_up is not None and not self._making_up.done()
        if not is_made_up_for and not await self._try(super().subscribe(channel)):
            self._making_up = asyncio.get_running_loop().create_task(self._make_up())

    async def unsubscribe(self, channel: str) -> None:
        """Unsubscribe from a channel; a Redis that is away loses its subscriptions anyway."""
        self._wanted.discard(channel)
        await self._try(super().unsubscribe(channel))

    async def flush(self) -> None:
        """Drop all subscriptions and close the connection."""
        self._wanted.clear()
        if self._making_up is not None:
            self._making_up.cancel()
        await super().flush()

    async def _make_up(self) -> None:
        while missing := self._wanted - self._subscribed_to:
            if not await self._try(super().subscribe(missing.pop())):
                await asyncio.sleep(PAUSE)

    async def _try(self, attempt: Awaitable[None]) -> bool:
        """Wait for an attempt; return whether Redis answered."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await attempt
        except _AWAY as error:
            self._note(error)
            return False
        self._note(None)
        return True

    async def _do_receiving(self) -> None:
        """Receive as the original does, which would log a traceback every second while Redis is away."""
        while True:
            try:
                await self._receive_next()
            except _AWAY as error:
                self._note(error)
                await asyncio.sleep(PAUSE)

    async def _receive_next(self) -> None:
        if not (self._pubsub and self._pubsub.subscribed):
            await asyncio.sleep(POLL)
            return
        self._receive_message(await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=POLL))
        if self._is_away and self._wanted <= self._subscribed_to:
            self._note(None)

    def _note(self, error: Exception | None) -> None:
        self._is_away = error is not None
        if error is None:
            REDIS.answers()
        else:
            REDIS.fails(error)
