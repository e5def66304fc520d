"""Matches as programs play them: over the API, each with a stream of the match open."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Mapping, Sequence
from itertools import repeat

import msgspec

from tests.benchmarks.load import SHIFTING_STONES, Begun, Kind, SiteMatch
from tests.benchmarks.site import Player
from tests.benchmarks.wire import ByPost, Door

LONGEST = 1 << 20
"""Bytes of a line."""

_STATE = re.compile(rb'\{"type":"state","version":(\d+)')


def headers(door: Door, player: Player) -> str:
    """Return what every request of a program says."""
    return f"Host: {door.host}\r\nAuthorization: Bearer {player.token}\r\n"


class ByApi(ByPost):
    """Posts each move to the API over a kept-alive connection."""

    def __init__(self, door: Door, player: Player) -> None:
        self.door, self.player = door, player

    def request(self, path: str, fields: Mapping[str, str]) -> bytes:
        asked = {"action": fields["action"], "version": int(fields["version"]), "client_id": fields["client_id"]}
        body = msgspec.json.encode(asked)
        slug = path.split("/")[2]
        head = f"POST /api/v1/matches/{slug}/actions HTTP/1.1\r\n{headers(self.door, self.player)}"
        return f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


class Listening:
    """An open stream.

    Args:
        path: below `stream/`.
    """

    def __init__(self, door: Door, player: Player, path: str) -> None:
        self.door, self.player, self.path = door, player, path

    async def open(self) -> None:
        """Ask for the stream, and read until its first line.

        Raises:
            SystemExit: it is refused.
        """
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.door.port, limit=LONGEST)
        asked = f"GET /api/v1/stream/{self.path} HTTP/1.1\r\n{headers(self.door, self.player)}\r\n"
        self.writer.write(asked.encode())
        head = await self.reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise SystemExit(head.decode("latin1"))
        await self.next()

    async def next(self) -> bytes:
        """Return the next line that says something; empty if the stream has ended."""
        while line := await self.reader.readline():
            if line.startswith(b"{"):  # neither a heartbeat nor the size of a chunk
                return line
        return b""

    async def close(self) -> None:
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


class ProgramMatch(SiteMatch):
    """A match as two programs play it (`driving.Match`)."""

    async def open(self) -> None:
        people = zip(self.doors, self.begun.players, strict=True)
        self.streams = [Listening(door, player, f"matches/{self.begun.slug}") for door, player in people]
        self.closed = asyncio.get_running_loop().create_future()
        for number, stream in enumerate(self.streams):
            await stream.open()
            self.ways.append(ByApi(stream.door, stream.player))
            self.tasks.append(asyncio.create_task(self._follow(number)))

    async def close(self) -> None:
        await super().close()
        for stream in self.streams:
            await stream.close()

    async def _follow(self, number: int) -> None:
        while line := await self.streams[number].next():
            if (told := _STATE.match(line)) and int(told[1]) == self.version + 1:
                self._told(number)
        self.closed.set_result(f"the end of stream {number}")


def programs_at(
    origin: str, ports: Sequence[int], begun: Sequence[Begun], kind: Kind = SHIFTING_STONES
) -> list[ProgramMatch]:
    """Return the matches as programs play them at this site, whose process listens on the first of these ports."""
    door = Door(origin, ports[0])
    return [ProgramMatch(each, list(repeat(door, kind.seats)), kind, ByPost) for each in begun]
