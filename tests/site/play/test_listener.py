"""Sockets handle one message after the other, send in order, and leave nothing behind, whichever side ends it."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator

from games.play.live import sockets
from games.play.live.sockets import Listener


class Slow(Listener):
    """Takes its time with some messages, and fails when told to."""

    left = 0

    async def connect(self) -> None:
        await self.accept()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if text_data == "broken":
            raise RuntimeError("broken")
        self.write(f"heard {text_data}")
        if text_data == "slow":
            await asyncio.sleep(0.05)
        self.write(f"done {text_data}")

    def leave(self) -> None:
        Slow.left += 1


@pytest.fixture(autouse=True)
def _none_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Slow, "left", 0)


async def opened() -> WebsocketCommunicator:
    communicator = WebsocketCommunicator(Slow.as_asgi(), "/")
    assert (await communicator.connect())[0]
    return communicator


class Browser:
    """What is sent to a browser; it takes nothing while `busy`, or is gone."""

    def __init__(self, error: Exception | None = None) -> None:
        self.messages, self.sent = asyncio.Queue[dict[str, Any]](), list[dict[str, Any]]()
        self.free, self.error = asyncio.Event(), error
        self.free.set()
        self.messages.put_nowait({"type": "websocket.connect"})
        self.socket = Slow()
        self.serving = asyncio.create_task(
            self.socket({"type": "websocket", "path": "/"}, self.messages.get, self.take)
        )

    async def take(self, message: dict[str, Any]) -> None:
        self.sent.append(message)
        if message["type"] == "websocket.send":
            if self.error:
                raise self.error
            await self.free.wait()

    async def ready(self) -> None:
        """Wait until the socket is open.

        Raises:
            TimeoutError: it never is.
        """
        async with asyncio.timeout(5):
            while not self.sent:
                await asyncio.sleep(0)

    async def leave(self) -> None:
        self.messages.put_nowait({"type": "websocket.disconnect", "code": 1006})
        await asyncio.wait_for(self.serving, 5)


@pytest.mark.asyncio
async def test_a_message_is_handled_when_the_one_before_it_has_been() -> None:
    socket = await opened()
    for text in ("slow", "hello"):
        await socket.send_to(text)
    heard = [await socket.receive_from() for _ in range(4)]
    assert heard == ["heard slow", "done slow", "heard hello", "done hello"]
    await socket.disconnect()


@pytest.mark.asyncio
@pytest.mark.django_db
async def test_a_message_waits_for_nothing_that_is_read_from_the_database() -> None:
    socket, done = await opened(), threading.Event()
    reading = asyncio.create_task(database_sync_to_async(done.wait)(60))
    await asyncio.sleep(0)
    await socket.send_to("hello")
    assert await socket.receive_from(timeout=60) == "heard hello"
    assert not reading.done()
    done.set()
    await reading
    await socket.disconnect()


@pytest.mark.asyncio
async def test_a_closed_socket_leaves_nothing_behind() -> None:
    before = asyncio.all_tasks()
    socket = await opened()
    await socket.disconnect()
    assert asyncio.all_tasks() == before
    assert Slow.left == 1


@pytest.mark.asyncio
async def test_a_handler_that_fails_ends_the_socket() -> None:
    socket = await opened()
    await socket.send_to("broken")
    with pytest.raises(RuntimeError, match="broken"):
        await socket.wait()
    assert Slow.left == 1


@pytest.mark.asyncio
@pytest.mark.parametrize("error", [OSError("the connection is lost"), RuntimeError("Unexpected ASGI message")])
async def test_a_browser_that_goes_while_it_is_written_to_ends_the_socket_quietly(error: Exception) -> None:
    browser = Browser(error)
    await browser.ready()
    for text in "abc":
        browser.socket.write(text)
    await asyncio.sleep(0)
    await browser.leave()
    assert [message["type"] for message in browser.sent] == ["websocket.accept", "websocket.send"]
    assert Slow.left == 1


@pytest.mark.asyncio
async def test_a_browser_that_takes_nothing_is_sent_no_more_than_so_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MOST_UNSENT", 3)
    browser = Browser()
    await browser.ready()
    browser.free.clear()
    for number in range(9):
        browser.socket.write(str(number))
        await asyncio.sleep(0)
    browser.free.set()
    for _ in range(3):
        await asyncio.sleep(0)
    assert browser.sent[-1] == {"type": "websocket.close", "code": sockets.UNREAD}
    assert len(browser.sent) < 9
    await browser.leave()
