"""Matches for the load: how they begin, and how people play and watch one over HTTP and sockets."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from games.engine import fair, runner
from games.engine.contract.playouts import option_combinations
from games.engine.protocol import AnyGame, Options, Seat
from games.titles import games
from tests.benchmarks import site, wire
from tests.benchmarks.driving import Moved, Stopped
from tests.benchmarks.site import Player
from tests.benchmarks.wire import Door, Way

GAME = games()["shifting-stones"]
PUSHED_WITHIN = 60
"""Seconds after which a push that is still missing ends the run."""


@dataclass(frozen=True)
class Kind:
    """What is played in the matches of a run, and how it is followed.

    Attributes:
        game: the rules.
        seats: how many play each match.
        spectators: how many others watch each match.
        is_compressed: sockets ask for compression, as those of browsers do.
    """

    game: AnyGame = GAME
    seats: int = 2
    spectators: int = 0
    is_compressed: bool = True

    @property
    def options(self) -> Options:
        """The first value of each option of the game."""
        return option_combinations(self.game, self.seats)[0]


SHIFTING_STONES = Kind()
"""For two."""


@dataclass(frozen=True)
class Begun:
    """A match that has begun, with its seed: who knows that can follow without reading boards."""

    slug: str
    version: int
    players: tuple[Player, ...]
    seed: bytes
    spectators: tuple[Player, ...] = ()


def make_duels(count: int) -> list[Begun]:
    """Begin this many matches of Shifting Stones between two new people each."""
    return [begin(f"duel{number}", "shifting-stones", {}, 2, number.to_bytes(32, "big")) for number in range(count)]


def begin(name: str, game: str, options: Options, seats: int, seed: bytes) -> Begun:
    """Begin a match between people who are named after it."""
    from accounts.models import User
    from games.play import commands
    from games.play.models import Match, Seat as SeatRow
    from games.play.store import lock, writing

    people = [f"{name}{letter}" for letter in "abcdefgh"[:seats]]
    players = tuple(site.player(person, has_token=True) for person in people)
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


def moves_of(begun: Begun, kind: Kind = SHIFTING_STONES) -> Iterator[tuple[Seat, str]]:
    """Play a match at random; yield who moves, and their actions in the game's notation."""
    game, stream = kind.game, fair.Stream(begun.seed, "load")
    play = runner.begin(game, kind.seats, kind.options, begun.seed)
    while play.outcome is None:
        seat = min(play.to_move)
        legal = list(game.legal_actions(play.state, seat))
        action = legal[stream.below(len(legal))]
        yield seat, game.notate(action)
        play = runner.act(game, play.position, seat, action, begun.seed)


class SiteMatch:
    """A match of a site as the load plays it (`driving.Match`).

    Args:
        begun: the match.
        doors: of the players, and then of the spectators.
        kind: what is played.
        way: how the page makes moves.
    """

    closed: asyncio.Future[str]
    """Done when one of the sockets is closed."""

    def __init__(self, begun: Begun, doors: Sequence[Door], kind: Kind, way: type[Way]) -> None:
        self.begun, self.doors, self.kind, self.way = begun, doors, kind, way
        self.version = begun.version
        self.moves = moves_of(begun, kind)
        self.sockets: list[ClientConnection] = []
        self.ways: list[Way] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.untold: set[int] = set()
        self.all_told: asyncio.Future[float] | None = None

    async def open(self) -> None:
        watchers = (*self.begun.players, *self.begun.spectators)
        for number, (door, person) in enumerate(zip(self.doors, watchers, strict=True)):
            path = f"/ws/match/{self.begun.slug}/?page=page{number}"
            socket = await wire.dial(door, path, person, is_compressed=self.kind.is_compressed)
            self.sockets.append(socket)
            self.tasks.append(asyncio.create_task(self._listen(number)))
            if number < self.kind.seats:
                self.ways.append(self.way(door, person, socket))
                self.tasks.append(asyncio.create_task(_look(socket)))
        self.closed = asyncio.ensure_future(wire.closing(self.sockets))

    async def move(self) -> Moved | None:
        if (move := next(self.moves, None)) is None:
            return None
        moved = await self._submit(*move)
        self.version += 1
        return moved

    async def close(self) -> None:
        for way in self.ways:
            await way.close()
        for socket in self.sockets:
            await socket.close()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _submit(self, seat: int, notation: str) -> Moved:
        names = {"client_id": f"load-{self.version:08}", "page": f"page{seat}"}
        fields = {"action": notation, "version": str(self.version), **names}
        all_told: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self.untold, self.all_told = set(range(len(self.doors))) - {seat}, all_told
        started = time.perf_counter()
        status = await self.ways[seat].submit(f"/match/{self.begun.slug}/act/", fields)
        answered = time.perf_counter() - started
        if status != wire.DONE:
            raise Stopped(f"a move was answered with {status}")
        return Moved(answered, await wire.before(self.closed, all_told, PUSHED_WITHIN) - started)

    async def _listen(self, number: int) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for message in self.sockets[number]:
                heard = wire.read(str(message))
                if heard.request is not None:
                    self.ways[number].answered(heard.request, heard.status)
                elif heard.version == self.version + 1:
                    self._told(number)

    def _told(self, number: int) -> None:
        self.untold.discard(number)
        if not self.untold and self.all_told is not None and not self.all_told.done():
            self.all_told.set_result(time.perf_counter())


async def _look(socket: ClientConnection) -> None:
    """Report, as the visible page of a player does, that its reader is looking at the match."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await socket.send(wire.PRESENCE)
            await asyncio.sleep(wire.PRESENT_EVERY)


def matches_at(
    origin: str, ports: Sequence[int], begun: Sequence[Begun], kind: Kind = SHIFTING_STONES
) -> list[SiteMatch]:
    """Return the matches as people play them at this site, whose processes listen on these ports.

    With several processes, the two players of a match use the same as often as chance would have it.
    """
    doors = [Door(origin, port) for port in ports]
    way = wire.offered(doors[0], f"/match/{begun[0].slug}/", begun[0].players[0])
    watchers = range(kind.seats + kind.spectators)
    return [
        SiteMatch(each, [doors[index // len(doors) ** number % len(doors)] for number in watchers], kind, way)
        for index, each in enumerate(begun)
    ]
