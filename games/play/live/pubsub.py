"""Pub/sub: tells open pages, in this process and in others, that something changed.

A message is a hint with a version, never content, and may be lost. A process subscribes once for all of its sockets:
to one channel of the channel layer, and to none where it is alone.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import Context, ContextVar
from typing import Any, Protocol, TypeAlias

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import transaction

log = logging.getLogger(__name__)

Hint: TypeAlias = tuple[str, dict[str, Any]]
"""A topic, and what is said about it."""

PROCESS = secrets.token_hex(8)
"""The name of this process, which gets its own hints without the channel layer."""

EVERYBODY = "everybody"
"""The group that every process joins."""

LOBBY = "lobby"

PAUSE = 1.0
"""Seconds between two attempts to receive while the channel layer is away."""

_loop: asyncio.AbstractEventLoop | None = None
_page: ContextVar[str] = ContextVar("page", default="")
_held: ContextVar[list[Hint] | None] = ContextVar("held", default=None)
_underway: set[asyncio.Task[None]] = set()


def match_topic(slug: str) -> str:
    return f"match.{slug}"


def user_topic(user_id: int) -> str:
    return f"user.{user_id}"


def use_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Set the event loop that this process's sockets run on."""
    global _loop  # noqa: PLW0603  # a process has one server and one loop
    _loop = loop


def on_loop(task: Callable[[], object]) -> None:
    """Do something on the loop of this process's sockets, after all that was put there before; from any thread."""
    if _loop is not None:
        with suppress(RuntimeError):  # the server has just ended, and with it the sockets
            _loop.call_soon_threadsafe(task)


def is_under_way(task: asyncio.Task[None] | None) -> bool:
    """Return whether a task has begun on this loop and not ended; on the event loop."""
    return task is not None and not task.done() and task.get_loop() is asyncio.get_running_loop()


def has_others() -> bool:
    """Return whether other processes may serve sockets too."""
    return not isinstance(get_channel_layer(), InMemoryChannelLayer)


# --- publishing -------------------------------------------------------------------------------------------------------


@contextmanager
def asked_by(page: str) -> Iterator[None]:
    """Name the open page whose request is handled: it gets the board as its answer, so its socket need not push it.

    What is published meanwhile goes out together at the end, so that what the answer and the pushes share is made once.
    """
    hints: list[Hint] = []
    named, held = _page.set(page), _held.set(hints)
    try:
        yield
    finally:
        _page.reset(named)
        _held.reset(held)
        if hints:
            _publish(hints)


def match_changed(slug: str, version: int) -> None:
    """Publish a new version of a match once the transaction is committed."""
    _on_commit(match_topic(slug), {"type": "match.changed", "version": version, "page": _page.get()})


def waiting_changed(user_ids: Iterable[int | None]) -> None:
    """Tell people, once committed, that the number of matches waiting for them may have changed."""
    to_people(user_ids, "waiting.changed")


def to_people(user_ids: Iterable[int | None], kind: str) -> None:
    """Tell people, once committed, that something their sockets know about has changed."""
    for user_id in user_ids:
        if user_id is not None:
            to_topic(user_topic(user_id), kind)


def to_topic(topic: str, kind: str) -> None:
    """Tell the subscribers of a topic, once committed, that what it is about has changed."""
    _on_commit(topic, {"type": kind})


def lobby_changed() -> None:
    """Publish, once committed, that an open table was added, changed or removed."""
    to_topic(LOBBY, "lobby.changed")


def _on_commit(topic: str, message: dict[str, Any]) -> None:
    transaction.on_commit(lambda: _send(topic, message), robust=True)


def _send(topic: str, message: dict[str, Any]) -> None:
    held = _held.get()
    if held is None:
        _publish([(topic, message)])
    else:
        held.append((topic, message))


def _publish(hints: Sequence[Hint]) -> None:
    """Send from any thread on the server's loop; from a command of management, which has none, directly."""
    try:
        if _loop is not None and _loop.is_running():
            # Not in the context of the request: asgiref would take its thread for busy.
            _loop.call_soon_threadsafe(_spread, _loop, hints, context=Context())
        elif has_others():
            async_to_sync(_send_to_others)(hints)
    except RuntimeError as error:  # the server has just ended, and with it the sockets
        _lost(error)


def _spread(loop: asyncio.AbstractEventLoop, hints: Sequence[Hint]) -> None:
    pass_on(hints)
    if has_others():
        task = loop.create_task(_send_to_others(hints))
        _underway.add(task)  # the loop itself does not keep it alive
        task.add_done_callback(_underway.discard)


async def _send_to_others(hints: Sequence[Hint]) -> None:
    """Try to send. The request is complete either way; the heartbeat makes up for what is lost."""
    try:
        await get_channel_layer().group_send(EVERYBODY, {"type": "hints", "process": PROCESS, "hints": hints})
    except Exception as error:  # noqa: BLE001  # a channel layer can raise anything
        _lost(error)


def _lost(error: Exception) -> None:
    log.warning("an announcement is lost, pages learn of changes by their heartbeat: %r", error)


async def finish(seconds: float) -> None:
    """Wait until other processes have been sent what was published so far, at most so long; on the loop."""
    await asyncio.sleep(0)  # what other threads have asked the loop for comes first
    if _underway:
        await asyncio.wait(set(_underway), timeout=seconds)


# --- subscribing ------------------------------------------------------------------------------------------------------


class Subscriber(Protocol):
    """Reacts to hints."""

    def on_hint(self, hint: dict[str, Any]) -> None:
        """React to a hint; on the event loop, and without waiting."""


_subscribers: defaultdict[str, set[Any]] = defaultdict(set)
_receiving: asyncio.Task[None] | None = None


def subscribe(subscriber: Subscriber, topics: Iterable[str]) -> None:
    """Pass every hint about some topics to a subscriber, until it unsubscribes; on the event loop."""
    global _receiving  # noqa: PLW0603  # one for all sockets of a process
    for topic in topics:
        _subscribers[topic].add(subscriber)
    if has_others() and not is_under_way(_receiving):
        _receiving = asyncio.create_task(_receive())


def unsubscribe(subscriber: Subscriber, topics: Iterable[str]) -> None:
    """Undo `subscribe`. Idempotent."""
    for topic in topics:
        _subscribers[topic].discard(subscriber)
        if not _subscribers[topic]:
            del _subscribers[topic]


def subscribers(topic: str) -> tuple[Any, ...]:
    """Return the subscribers of a topic; from any thread."""
    return tuple(_subscribers.get(topic, ()))


def pass_on(hints: Iterable[Hint]) -> None:
    """Pass hints to their subscribers in this process; on the event loop."""
    for topic, hint in hints:
        for subscriber in subscribers(topic):
            subscriber.on_hint(hint)


def deliver(deliveries: Sequence[Callable[[], None]]) -> None:
    """Have things written to sockets, from any thread; the loop is asked once for all of them."""

    def deliver_all() -> None:
        for delivery in deliveries:
            delivery()

    if deliveries:
        on_loop(deliver_all)


async def _receive() -> None:
    """Pass on what other processes publish, until the server ends."""
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add(EVERYBODY, channel)
    while True:
        try:
            said = await layer.receive(channel)
        except Exception as error:  # noqa: BLE001  # a channel layer can raise anything
            log.warning("hints of other processes are not received: %r", error)
            await asyncio.sleep(PAUSE)
        else:
            if said["process"] != PROCESS:
                pass_on(said["hints"])
