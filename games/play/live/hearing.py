"""What this process hears of changes: hints from its own requests, and those of other processes.

A process listens for all of its sockets: one channel of the channel layer, and none where it is alone.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Protocol

from channels.layers import get_channel_layer

from games.play.matches import announce

log = logging.getLogger(__name__)

PAUSE = 1.0
"""Seconds between two attempts to listen while the channel layer is away."""


class Ear(Protocol):
    """What can be told that something changed."""

    def hear_of(self, hint: dict[str, Any]) -> None:
        """React to a hint; on the event loop, and without waiting."""


_ears: defaultdict[str, set[Any]] = defaultdict(set)
_listening: asyncio.Task[None] | None = None


def listen(ear: Ear, topics: Iterable[str]) -> None:
    """Tell an ear of everything about some topics until it stops."""
    for topic in topics:
        _ears[topic].add(ear)
    _listen_to_others()


def stop(ear: Ear, topics: Iterable[str]) -> None:
    """Undo `listen`. Idempotent."""
    for topic in topics:
        _ears[topic].discard(ear)
        if not _ears[topic]:
            del _ears[topic]


def ears(topic: str) -> tuple[Any, ...]:
    """Return who listens to a topic; from any thread."""
    return tuple(_ears.get(topic, ()))


def pass_on(hints: Iterable[announce.Hint]) -> None:
    """Tell everybody in this process whom it concerns; on the event loop."""
    for topic, hint in hints:
        for ear in ears(topic):
            ear.hear_of(hint)


def deliver(deliveries: Sequence[Callable[[], None]]) -> None:
    """Have things written to sockets, from any thread; the loop is asked once for all of them."""
    if deliveries:
        announce.on_loop(partial(_deliver, deliveries))


def _deliver(deliveries: Sequence[Callable[[], None]]) -> None:
    for delivery in deliveries:
        delivery()


def _listen_to_others() -> None:
    global _listening  # noqa: PLW0603  # one for all sockets of a process
    loop = asyncio.get_running_loop()
    if announce.has_others() and (_listening is None or _listening.done() or _listening.get_loop() is not loop):
        _listening = loop.create_task(_hear_others())


async def _hear_others() -> None:
    """Pass on what other processes say, until the server ends."""
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add(announce.EVERYBODY, channel)
    while True:
        try:
            said = await layer.receive(channel)
        except Exception as error:  # noqa: BLE001  # a channel layer can raise anything
            log.warning("other processes are not heard: %r", error)
            await asyncio.sleep(PAUSE)
        else:
            if said["process"] != announce.PROCESS:
                pass_on(said["hints"])


announce.hear_through(pass_on)
