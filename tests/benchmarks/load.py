"""The load of `bench_live`: matches whose players move over HTTP and see each other's moves by socket."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from games.engine import fair, runner
from games.engine.protocol import Seat
from games.titles import games
from tests.benchmarks import site
from tests.benchmarks.site import Player

WARM_UP = 3
"""Seconds in which matches move and nothing is counted: what these matches and people show first is then made."""
PRESENT_EVERY = 12
"""Seconds after which the page of a match says again that somebody looks (`match.js`)."""
GAME = games()["shifting-stones"]


@dataclass
class Duel:
    """One match as the load plays it; it knows the seed, so it can follow without reading boards."""

    slug: str
    version: int
    players: tuple[Player, Player]
    seed: bytes
    play: runner.Play[Any]
    sockets: list[ClientConnection] = field(default_factory=list)
    arrived: dict[int, asyncio.Future[float]] = field(default_factory=dict)
    stream: fair.Stream | None = None


@dataclass
class Measured:
    """Seconds from the submit to the answer and to the opponent's push, moves made, start and duration.

    `opening` has the seconds each socket took, opened one after the other, two for each match.
    """

    answers: list[float] = field(default_factory=list)
    pushes: list[float] = field(default_factory=list)
    moves: int = 0
    began: float = field(default_factory=time.perf_counter)
    seconds: float = 0
    opening: float = 0

    @property
    def rate(self) -> float:
        """Moves a second."""
        return self.moves / self.seconds

    def forget(self) -> None:
        """Start counting again."""
        self.began = time.perf_counter()
        self.answers.clear()
        self.pushes.clear()
        self.moves = 0


def make_duels(count: int) -> list[Duel]:
    """Begin so many matches between new people."""
    from accounts.models import User
    from games.play.matches import services
    from games.play.matches.locking import lock
    from games.play.matches.transactions import writing
    from games.play.models import Match
    from games.play.models import Seat as SeatRow

    duels = []
    for number in range(count):
        players = (site.player(f"duel{number}a"), site.player(f"duel{number}b"))
        seed = number.to_bytes(32, "big")
        with writing():
            match = services.prepare_match("shifting-stones", {}, 2, rated=True)
            match.server_seed, match.commit = seed, fair.commitment(seed)
            match.save()
            for seat, letter in enumerate("ab"):
                SeatRow.objects.create(match=match, number=seat, user=User.objects.named(f"duel{number}{letter}"))
            locked = lock(match.pk)
            services.begin(locked.match, locked.seats)
        final = fair.final_seed(seed, [b"", b""])
        version = Match.objects.get(pk=match.pk).version
        duel = Duel(match.slug, version, players, final, runner.begin(GAME, 2, {}, final))
        duel.stream = fair.Stream(final, "load")
        duels.append(duel)
    return duels


class Connection:
    """A kept-alive HTTP connection that posts forms."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def post(self, path: str, player: Player, body: str) -> int:
        if not hasattr(self, "reader"):
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: {player.cookie}\r\n"
            f"X-CSRFToken: {player.csrf}\r\nHX-Request: true\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}"
        )
        self.writer.write(head.encode())
        return await self._answer()

    async def _answer(self) -> int:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin1").lower()
        status = int(head.split()[1])
        if "content-length:" in head:
            await self.reader.readexactly(int(head.split("content-length:")[1].split()[0]))
        else:
            while size := int((await self.reader.readline()).strip() or b"0", 16):
                await self.reader.readexactly(size + 2)
            await self.reader.readline()
        return status


async def listen(duel: Duel, seat: int, socket: ClientConnection) -> None:
    """Record when the board with a version arrives."""
    with contextlib.suppress(Exception):
        async for message in socket:
            text = str(message)
            if text.startswith('{"version":') and '"content"' in text[:40]:
                version = int(text[11 : text.index(",")])
                waiting = duel.arrived.get(version * 2 + seat)
                if waiting is not None and not waiting.done():
                    waiting.set_result(time.perf_counter())


async def look(socket: ClientConnection) -> None:
    """Report, as a visible page does, that its reader is looking at the match."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await socket.send('{"kind":"presence"}')
            await asyncio.sleep(PRESENT_EVERY)


async def open_sockets(duels: Sequence[Duel], port: int) -> list[asyncio.Task[None]]:
    tasks = []
    for duel in duels:
        for seat, player in enumerate(duel.players):
            headers = {"Cookie": player.cookie, "Origin": f"http://127.0.0.1:{port}"}
            address = f"ws://127.0.0.1:{port}/ws/match/{duel.slug}/?page=page{seat}"
            socket = await connect(address, additional_headers=headers, compression=None, max_size=None)
            duel.sockets.append(socket)
            tasks += [asyncio.create_task(listen(duel, seat, socket)), asyncio.create_task(look(socket))]
    return tasks


async def move(duel: Duel, connection: Connection, measured: Measured) -> bool:
    """Make one random legal move and wait for the opponent's push; False when the match is over."""
    assert duel.stream is not None
    if duel.play.outcome is not None:
        return False
    seat = min(duel.play.to_move)
    legal = list(GAME.legal_actions(duel.play.state, seat))
    action = legal[duel.stream.below(len(legal))]
    text = GAME.notate(action).replace(" ", "+")
    body = f"action={text}&version={duel.version}&client_id=load-{duel.version:08}&page=page{seat}"
    arrival: asyncio.Future[float] = asyncio.get_running_loop().create_future()
    duel.arrived = {(duel.version + 1) * 2 + (1 - seat): arrival}
    started = time.perf_counter()
    status = await connection.post(f"/match/{duel.slug}/act/", duel.players[seat], body)
    measured.answers.append(time.perf_counter() - started)
    if status != 200:
        raise SystemExit(f"a move was answered with {status}")
    measured.pushes.append(await asyncio.wait_for(arrival, 10) - started)
    duel.play = runner.act(GAME, duel.play.position, Seat(seat), action, duel.seed)
    duel.version += 1
    measured.moves += 1
    return True


async def paced(duel: Duel, port: int, measured: Measured, offset: float, until: float) -> None:
    connection = Connection(port)
    due = time.perf_counter() + offset
    while due < until:
        await asyncio.sleep(max(0, due - time.perf_counter()))
        if not await move(duel, connection, measured):
            return
        due += 1


async def saturated(duel: Duel, port: int, measured: Measured, until: float) -> None:
    connection = Connection(port)
    while time.perf_counter() < until and await move(duel, connection, measured):
        pass


async def load(port: int, duels: list[Duel], is_paced: bool, seconds: float) -> Measured:
    """Let the players of these matches open their sockets and move; return what was measured after the warm-up.

    Raises:
        SystemExit: a move was refused.
    """
    began = time.perf_counter()
    listeners = await open_sockets(duels, port)
    opening = (time.perf_counter() - began) / sum(len(duel.sockets) for duel in duels)
    await asyncio.sleep(1)
    measured, until = Measured(opening=opening), time.perf_counter() + WARM_UP + seconds
    asyncio.get_running_loop().call_later(WARM_UP, measured.forget)
    if is_paced:
        jobs = [paced(duel, port, measured, index / len(duels), until) for index, duel in enumerate(duels)]
    else:
        jobs = [saturated(duel, port, measured, until) for duel in duels]
    await asyncio.gather(*jobs)
    measured.seconds = time.perf_counter() - measured.began  # one match alone is over before its time
    for duel in duels:
        for socket in duel.sockets:
            await socket.close()
        duel.sockets.clear()
    for listener in listeners:
        listener.cancel()
    await asyncio.gather(*listeners, return_exceptions=True)
    return measured
