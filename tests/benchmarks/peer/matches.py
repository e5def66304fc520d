"""Matches of boardgame.io as the load plays them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
import urllib.request
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.benchmarks.driving import Moved
from tests.benchmarks.peer import framing

TOLD_WITHIN = 60
"""Seconds after which an update that is still missing ends the run."""


def begin(port: int) -> tuple[str, tuple[str, str]]:
    """Create a match and let two players join it, as a lobby does; return its id and their credentials."""
    match = _ask(port, "create", numPlayers=2)["matchID"]
    one, two = (_ask(port, f"{match}/join", playerID=str(seat), playerName=f"Player {seat}") for seat in range(2))
    return match, (one["playerCredentials"], two["playerCredentials"])


def _ask(port: int, path: str, **facts: object) -> dict[str, Any]:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/games/{framing.GAME}/{path}", json.dumps(facts).encode())
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=10) as answer:
        told: dict[str, Any] = json.load(answer)
        return told


class PeerMatch:
    """A match of two players (`driving.Match`), which goes on for ever."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.match, self.credentials = begin(port)
        self.chance = random.Random(self.match)
        self.sockets: list[ClientConnection] = []
        self.listeners: list[asyncio.Task[None]] = []
        self.state: dict[str, Any] = {}
        self.told: list[asyncio.Future[float]] = []

    async def open(self) -> None:
        for seat in range(2):
            address = f"ws://127.0.0.1:{self.port}{framing.PATH}"
            socket = await connect(address, compression=None, max_size=None)
            self.sockets.append(socket)
            await socket.send(framing.JOIN)
            while not str(await socket.recv()).startswith(framing.JOIN):
                pass
            await socket.send(framing.sync(self.match, seat, self.credentials[seat]))
            self.state = await _synced(socket)
            self.listeners.append(asyncio.create_task(self._listen(seat)))

    async def move(self) -> Moved:
        seat = int(self.state["ctx"]["currentPlayer"])
        free = [cell for cell, mark in enumerate(self.state["G"]["cells"]) if mark is None]
        self.told = [asyncio.get_running_loop().create_future() for _ in range(2)]
        frame = framing.click(self.match, seat, self.credentials[seat], self.chance.choice(free), self.state)
        started = time.perf_counter()
        await self.sockets[seat].send(frame)
        times = await asyncio.wait_for(asyncio.gather(*self.told), TOLD_WITHIN)
        return Moved(times[seat] - started, times[1 - seat] - started)

    async def close(self) -> None:
        for socket in self.sockets:
            await socket.close()
        await asyncio.gather(*self.listeners)

    async def _listen(self, seat: int) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for frame in self.sockets[seat]:
                if frame == framing.PING:
                    await self.sockets[seat].send(framing.PONG)
                elif (said := framing.read(str(frame))) and said.name == "update":
                    self._updated(seat, said.arguments[1])

    def _updated(self, seat: int, state: dict[str, Any]) -> None:
        arrived = time.perf_counter()
        self.state = state
        self.told[seat].set_result(arrived)


async def _synced(socket: ClientConnection) -> dict[str, Any]:
    while (said := framing.read(str(await socket.recv()))) is None or said.name != "sync":
        pass
    state: dict[str, Any] = said.arguments[1]["state"]
    return state
