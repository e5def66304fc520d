"""Matches of Shifting Stones for the load: how they begin, and how two people play one over HTTP and sockets."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from games.engine import fair, runner
from games.engine.protocol import Options, Seat
from games.titles import games
from tests.benchmarks import site, wire
from tests.benchmarks.driving import Moved
from tests.benchmarks.site import Player
from tests.benchmarks.wire import Door, Way

GAME = games()["shifting-stones"]
PUSHED_WITHIN = 60
"""Seconds after which a push that is still missing ends the run."""


@dataclass(frozen=True)
class Begun:
    """A match that has begun, with its seed: who knows that can follow without reading boards."""

    slug: str
    version: int
    players: tuple[Player, ...]
    seed: bytes


def make_duels(count: int) -> list[Begun]:
    """Begin this many matches between new people."""
    return [begin(f"duel{number}", "shifting-stones", {}, 2, number.to_bytes(32, "big")) for number in range(count)]


def begin(name: str, game: str, options: Options, seats: int, seed: bytes) -> Begun:
    """Begin a match between people who are named after it."""
    from accounts.models import User
    from games.play import commands
    from games.play.models import Match, Seat as SeatRow
    from games.play.store import lock, writing

    people = [f"{name}{letter}" for letter in "abcdefgh"[:seats]]
    players = tuple(site.player(person) for person in people)
    with writing():
        match = commands.prepare_match(game, options, seats, rated=True)
        match.server_seed, match.commit = seed, fair.commitment(seed)
        match.save()
        for seat, person in enumerate(people):
            SeatRow.objects.create(match=match, number=seat, user=User.objects.named(person))
        locked = lock(match.pk)
        commands.begin(locked.match, locked.seats)
    version = Match.objects.get(pk=match.pk).version
    return Begun(match.slug, version, players, fair.final_seed(seed, [b""] * seats))


def moves_of(begun: Begun) -> Iterator[tuple[Seat, str]]:
    """Play a match at random; yield who moves, and their actions in the game's notation."""
    play, stream = runner.begin(GAME, 2, {}, begun.seed), fair.Stream(begun.seed, "load")
    while play.outcome is None:
        seat = min(play.to_move)
        legal = list(GAME.legal_actions(play.state, seat))
        action = legal[stream.below(len(legal))]
        yield seat, GAME.notate(action)
        play = runner.act(GAME, play.position, seat, action, begun.seed)


class Duel:
    """A match as the load plays it (`driving.Match`), each player through a door of their own."""

    def __init__(self, begun: Begun, doors: tuple[Door, Door], way: type[Way]) -> None:
        self.begun, self.doors, self.kind = begun, doors, way
        self.version = begun.version
        self.moves = moves_of(begun)
        self.sockets: list[ClientConnection] = []
        self.ways: list[Way] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.awaited: tuple[int, int, asyncio.Future[float]] | None = None

    async def open(self) -> None:
        for seat, (door, player) in enumerate(zip(self.doors, self.begun.players, strict=True)):
            socket = await wire.dial(door, f"/ws/match/{self.begun.slug}/?page=page{seat}", player)
            self.sockets.append(socket)
            self.ways.append(self.kind(door, player, socket))
            self.tasks += [asyncio.create_task(self._listen(seat)), asyncio.create_task(_look(socket))]

    async def move(self) -> Moved | None:
        if (move := next(self.moves, None)) is None:
            return None
        moved = await self._submit(*move)
        self.version += 1
        return moved

    async def close(self) -> None:
        for way in self.ways:
            await way.close()
            await way.socket.close()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _submit(self, seat: int, notation: str) -> Moved:
        names = {"client_id": f"load-{self.version:08}", "page": f"page{seat}"}
        fields = {"action": notation, "version": str(self.version), **names}
        arrival: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self.awaited = (1 - seat, self.version + 1, arrival)
        started = time.perf_counter()
        status = await self.ways[seat].submit(f"/match/{self.begun.slug}/act/", fields)
        answered = time.perf_counter() - started
        if status != wire.DONE:
            raise SystemExit(f"a move was answered with {status}")
        return Moved(answered, await asyncio.wait_for(arrival, PUSHED_WITHIN) - started)

    async def _listen(self, seat: int) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for message in self.sockets[seat]:
                heard = wire.read(str(message))
                if heard.request is not None:
                    self.ways[seat].answered(heard.request, heard.status)
                elif heard.version is not None:
                    self._pushed(seat, heard.version)

    def _pushed(self, seat: int, version: int) -> None:
        if self.awaited is not None and (seat, version) == self.awaited[:2] and not self.awaited[2].done():
            self.awaited[2].set_result(time.perf_counter())


async def _look(socket: ClientConnection) -> None:
    """Report, as a visible page does, that its reader is looking at the match."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await socket.send(wire.PRESENCE)
            await asyncio.sleep(wire.PRESENT_EVERY)


def duels_at(origin: str, ports: Sequence[int], begun: Sequence[Begun]) -> list[Duel]:
    """Return the matches as people play them at this site, whose processes listen on these ports.

    With several processes, the two players of a match use the same as often as chance would have it.
    """
    doors = [Door(origin, port) for port in ports]
    way = wire.offered(doors[0], f"/match/{begun[0].slug}/", begun[0].players[0])
    return [
        Duel(each, (doors[index % len(doors)], doors[index // len(doors) % len(doors)]), way)
        for index, each in enumerate(begun)
    ]
