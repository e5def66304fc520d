"""Sockets listen to the browser and their channel, one message after the other, until either side ends it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from channels.layers import get_channel_layer
from channels.testing import WebsocketCommunicator

from games.play.live.listener import Listener

GROUP = "listening"


class Slow(Listener):
    """Takes its time with hints, answers the browser at once, and fails when told to."""

    async def connect(self) -> None:
        await self.channel_layer.group_add(GROUP, self.channel_name)
        await self.accept()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        await self.send(text_data=f"heard {text_data}")

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(GROUP, self.channel_name)

    async def hint_slow(self, event: dict[str, Any]) -> None:
        await self.send(text_data="begun")
        await asyncio.sleep(0.05)
        await self.send(text_data="done")

    async def hint_broken(self, event: dict[str, Any]) -> None:
        raise RuntimeError("broken")


async def opened() -> WebsocketCommunicator:
    communicator = WebsocketCommunicator(Slow.as_asgi(), "/")
    assert (await communicator.connect())[0]
    return communicator


async def hint(kind: str) -> None:
    await get_channel_layer().group_send(GROUP, {"type": kind})


@pytest.mark.asyncio
async def test_a_message_is_handled_when_the_one_before_it_has_been() -> None:
    socket = await opened()
    await hint("hint.slow")
    assert await socket.receive_from() == "begun"
    await socket.send_to("hello")
    assert [await socket.receive_from() for _ in range(2)] == ["done", "heard hello"]
    await socket.disconnect()


@pytest.mark.asyncio
async def test_a_closed_socket_leaves_nothing_behind() -> None:
    before = asyncio.all_tasks()
    socket = await opened()
    await socket.disconnect()
    assert asyncio.all_tasks() == before
    assert GROUP not in get_channel_layer().groups


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", ["hint.broken", "hint.unknown"])
async def test_a_handler_that_fails_ends_the_socket_and_all_it_listens_to(kind: str) -> None:
    socket = await opened()
    await hint(kind)
    with pytest.raises(ExceptionGroup):
        await socket.wait()
    assert GROUP not in get_channel_layer().groups


@pytest.mark.asyncio
@pytest.mark.parametrize("error", [OSError("the connection is lost"), RuntimeError("Unexpected ASGI message")])
async def test_a_browser_that_goes_while_it_is_written_to_ends_the_socket_quietly(error: Exception) -> None:
    messages, sent = asyncio.Queue[dict[str, Any]](), list[str]()

    async def send(message: dict[str, Any]) -> None:
        sent.append(message["type"])
        if message["type"] == "websocket.send":
            raise error

    messages.put_nowait({"type": "websocket.connect"})
    socket = asyncio.create_task(Slow()({"type": "websocket", "path": "/"}, messages.get, send))
    while "websocket.accept" not in sent:
        await asyncio.sleep(0)
    await hint("hint.slow")
    await asyncio.sleep(0.1)
    messages.put_nowait({"type": "websocket.disconnect", "code": 1006})
    await asyncio.wait_for(socket, 5)
    assert sent == ["websocket.accept", "websocket.send"]
    assert GROUP not in get_channel_layer().groups


@pytest.mark.asyncio
async def test_what_is_being_handled_is_finished_before_the_socket_ends() -> None:
    socket = await opened()
    await hint("hint.slow")
    assert await socket.receive_from() == "begun"
    await socket.disconnect()
    assert await socket.receive_from() == "done"
