"""Tell open pages that something changed. A message is a hint with a version, never content, and may be lost."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

log = logging.getLogger(__name__)

Hint: TypeAlias = tuple[str, dict[str, Any]]
"""A group, and the message to it."""

_loop: asyncio.AbstractEventLoop | None = None
_is_layer_away = False
_page: ContextVar[str] = ContextVar("page", default="")
_held: ContextVar[list[Hint] | None] = ContextVar("held", default=None)
_underway: set[asyncio.Task[None]] = set()

LOBBY = "lobby"


def match_group(match_id: int) -> str:
    return f"match.{match_id}"


def user_group(user_id: int) -> str:
    return f"user.{user_id}"


def speak_on(loop: asyncio.AbstractEventLoop) -> None:
    """Set the event loop that this process's sockets run on."""
    global _loop  # noqa: PLW0603  # a process has one server and one loop
    _loop = loop


@contextmanager
def asked_by(page: str) -> Iterator[None]:
    """Name the open page whose request is being handled: its answer is the board, so its socket need not push it.

    What is announced meanwhile goes out together at the end, so that what the answer and the pushes share is made once.
    """
    hints: list[Hint] = []
    named, held = _page.set(page), _held.set(hints)
    try:
        yield
    finally:
        _page.reset(named)
        _held.reset(held)
        if hints:
            _speak(hints)


def match_changed(match_id: int, version: int) -> None:
    """Announce a new version of a match once the transaction is committed."""
    hint = {"type": "match.changed", "match": match_id, "version": version, "page": _page.get()}
    _on_commit(match_group(match_id), hint)


def waiting_changed(user_ids: Iterable[int | None]) -> None:
    """Announce to people, once committed, that the number of matches waiting for them may have changed."""
    to_people(user_ids, "waiting.changed")


def to_people(user_ids: Iterable[int | None], kind: str) -> None:
    """Announce to people, once committed, that something their sockets know about has changed."""
    for user_id in user_ids:
        if user_id is not None:
            _on_commit(user_group(user_id), {"type": kind})


def lobby_changed() -> None:
    """Announce, once committed, that an open table was added, changed or removed."""
    _on_commit(LOBBY, {"type": "lobby.changed"})


def _on_commit(group: str, message: dict[str, Any]) -> None:
    transaction.on_commit(lambda: _send(group, message), robust=True)


def _send(group: str, message: dict[str, Any]) -> None:
    held = _held.get()
    if held is None:
        _speak([(group, message)])
    else:
        held.append((group, message))


def _speak(hints: Sequence[Hint]) -> None:
    """Send from a request's thread on the server's loop; from a command, which has none, directly."""
    if _loop is None or not _loop.is_running():
        async_to_sync(_send_all)(hints)
        return
    try:
        _loop.call_soon_threadsafe(_begin_to_send, _loop, hints)
    except RuntimeError as error:  # the server has just ended, and with it the sockets
        _note(error)


def _begin_to_send(loop: asyncio.AbstractEventLoop, hints: Sequence[Hint]) -> None:
    task = loop.create_task(_send_all(hints))
    _underway.add(task)  # the loop itself does not keep it alive
    task.add_done_callback(_underway.discard)


async def _send_all(hints: Sequence[Hint]) -> None:
    for group, message in hints:
        await _attempt(group, message)


async def _attempt(group: str, message: dict[str, Any]) -> None:
    """Try to send. The request is complete either way; the heartbeat makes up for what is lost."""
    try:
        await get_channel_layer().group_send(group, message)
    except Exception as error:  # noqa: BLE001  # a channel layer can raise anything
        _note(error)
    else:
        _note(None)


def _note(error: Exception | None) -> None:
    """Log the first announcement that is lost and the first that gets through again, none in between."""
    global _is_layer_away  # noqa: PLW0603  # a process has one channel layer
    if error is not None and not _is_layer_away:
        log.warning("announcements are lost, pages learn of changes by their heartbeat: %r", error)
    elif error is None and _is_layer_away:
        log.warning("announcements arrive again")
    _is_layer_away = error is not None
