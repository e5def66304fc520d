"""What a push weighs on the wire in each title: a match played at random over real sockets, its second half.

Counted are the bytes that reach a client which asks for compression, as browsers do: frames with their headers, and
what else comes with a push, such as a heartbeat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from websockets.asyncio.client import ClientConnection

from tests.benchmarks import site, wire
from tests.benchmarks.bench_pushes import LARGE, MEDIAN, spread
from tests.benchmarks.load import PUSHED_WITHIN, Begun, Kind, begin, moves_of
from tests.benchmarks.site import Player
from tests.benchmarks.wire import ByPost, Door


class Weighing(ClientConnection):
    """A socket that counts the bytes that have reached it."""

    received = 0

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        super().data_received(data)


@dataclass
class Reader:
    """Somebody who looks at a match, and what each push to them has weighed."""

    socket: Weighing
    counted: int = 0
    pushes: list[int] = field(default_factory=list)

    async def see(self, version: int) -> None:
        """Read until the board has this version, and note how much that was."""
        while (wire.read(str(await self.socket.recv())).version or 0) < version:
            pass
        self.pushes.append(self.socket.received - self.counted)
        self.counted = self.socket.received


async def opened(door: Door, slug: str, player: Player) -> Reader:
    socket = await wire.dial(door, f"/ws/match/{slug}/", player, Weighing)
    assert isinstance(socket, Weighing)
    return Reader(socket)


async def played(door: Door, kind: Kind, begun: Begun, spectator: Player) -> list[list[int]]:
    """Play a match at random to its end; return what each reader's pushes weighed, the spectator's last."""
    readers = [await opened(door, begun.slug, player) for player in (*begun.players, spectator)]
    ways = [ByPost(door, *each) for each in zip(begun.players, (reader.socket for reader in readers), strict=False)]
    version = begun.version
    await _all_see(readers, version)
    for seat, text in moves_of(begun, kind):
        fields = {"action": text, "version": str(version), "client_id": f"load-{version:08}"}
        if (status := await ways[seat].submit(f"/match/{begun.slug}/act/", fields)) != wire.DONE:
            raise SystemExit(f"{text} was answered with {status}")
        version += 1
        await _all_see(readers, version)
    for way, reader in zip(ways, readers, strict=False):
        await way.close()
        await reader.socket.close()
    return [reader.pushes[1:] for reader in readers]


async def _all_see(readers: Sequence[Reader], version: int) -> None:
    await asyncio.wait_for(asyncio.gather(*(reader.see(version) for reader in readers)), PUSHED_WITHIN)


def main() -> None:
    port = site.prepare()
    from games.titles import games

    door, spectator = Door(f"http://127.0.0.1:{port}", port), site.player("spectator")
    kinds = [Kind(game, seats) for game in games().values() for seats in game.seats]
    begun = [begin(f"reader{it.seats}", it.game.slug, it.options, it.seats, bytes(32)) for it in kinds]
    print(f"kB of a push on the wire, median / 95 %; aims: {MEDIAN:g} / {LARGE:g}")
    print(f"{'title':16} {'seats':>5} {'reader':10} {'pushes':>7} {'wire':>13}")
    with site.served(port):
        for kind, match in zip(kinds, begun, strict=True):
            *players, watched = asyncio.run(played(door, kind, match, spectator))
            for name, found in (("player", players), ("spectator", [watched])):
                sizes = [size for column in found for size in column[len(column) // 2 :]]
                print(f"{kind.game.slug:16} {kind.seats:5} {name:10} {len(sizes):7} {spread(sizes):>13}", flush=True)


if __name__ == "__main__":
    main()
