"""The parts of the benchmarks that need no server: figures, ratios, and the formats of what is sent and heard."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.client import ClientProtocol
from websockets.uri import parse_uri

from tests.benchmarks import bench_scaled, node, processor, wire
from tests.benchmarks.alternating import alternate, middle, ratio
from tests.benchmarks.driving import Measured, Moved, Plan, Stopped, drive, percentile
from tests.benchmarks.load import Begun, Kind, SiteMatch
from tests.benchmarks.peer import framing, serving
from tests.benchmarks.site import Player
from tests.benchmarks.wire import ByPost, Door, OverSocket, Way

PLAN = Plan(2, is_paced=False)
ANNA = Player("session", "token")
FIELDS = {"action": "shift 12 a1 b1", "version": "7", "client_id": "load-00000007", "page": "page0"}


def measured(moves: int, seconds: float) -> Measured:
    return Measured(moves=moves, seconds=seconds, spent={"web": 3.0, "Redis": 1.0})


def test_percentiles_are_values_below_which_so_many_of_a_hundred_lie() -> None:
    values = [float(number) for number in range(1, 1000)]
    assert (percentile(values, 50), percentile(values, 99)) == (500, 990)


def test_sides_alternate() -> None:
    order: list[str] = []

    def side(name: str, moves: Iterator[int]) -> Measured:
        order.append(name)
        return measured(next(moves), 2)

    ours, theirs = iter((10, 90, 30)), iter((40, 20, 60))
    results = alternate({"A": lambda _plan: side("A", ours), "B": lambda _plan: side("B", theirs)}, PLAN)
    assert "".join(order) == "ABABAB"
    assert middle(results["A"], lambda run: run.rate) == 15
    assert ratio(results["A"], results["B"], lambda run: run.rate) == "0.75 (round by round 0.25 to 4.50)"


def test_the_cost_of_a_move_is_that_of_all_processes() -> None:
    assert measured(8, 2).cost == 0.5
    assert bench_scaled.costs([measured(8, 2), measured(4, 2), measured(2, 2)]) == {"web": 750, "Redis": 250}


def test_a_process_with_a_core_carries_as_much_more_as_a_move_costs_less() -> None:
    shared = {"web 1": 2.0, "web 2": 2.0, "PostgreSQL": 1.0}
    carried = "3 web processes carry 2.25 times what one does; PostgreSQL uses 0.8 cores"
    assert bench_scaled.calculated(3, 3.0, shared) == carried


class Finite:
    """A match of so many moves, after which it is over, or cannot go on."""

    def __init__(self, moves: int, stopped: Stopped | None = None) -> None:
        self.left, self.stopped = moves, stopped

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def move(self) -> Moved | None:
        self.left -= 1
        if self.left < 0 and self.stopped:
            raise self.stopped
        return None if self.left < 0 else Moved(0.25, 0.5)


def test_a_load_counts_every_move_until_the_matches_are_over() -> None:
    used = iter(({"web": 1.0}, {"web": 3.0}))
    result = drive([Finite(3), Finite(5)], PLAN, lambda: next(used))
    assert (result.moves, result.answers[0], result.late, result.spent) == (8, 0.25, 0.5, {"web": 2.0})


def test_a_load_that_cannot_go_on_says_why() -> None:
    matches = [Finite(3), *(Finite(1, Stopped("a socket was closed with 4429")) for _ in range(2))]
    with pytest.raises(SystemExit, match=r"^a socket was closed with 4429$"):
        drive(matches, PLAN)


def test_processor_time_includes_descendants() -> None:
    # Much more than is waited for: /proc counts whole ticks of user and of system time, and drops the rest of each.
    busy = "import time\nwhile time.process_time() < 0.6: pass\n"

    async def all_used() -> None:
        nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy + 'input()'!r}])"
        parent = await asyncio.create_subprocess_exec(sys.executable, "-c", nested, stdin=asyncio.subprocess.PIPE)
        while processor.seconds_with_descendants(parent.pid) < 0.3:
            await asyncio.sleep(0.05)
        await parent.communicate(b"\n")

    asyncio.run(asyncio.wait_for(all_used(), 30))


def test_a_process_that_has_ended_has_used_nothing() -> None:
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    assert processor.seconds_with_descendants(child) == 0


def test_events_of_boardgame_io_come_back_as_they_were_sent() -> None:
    said = framing.read(framing.sync("match", 1, "secret"))
    assert said == ("sync", ["match", "1", "secret"])


def test_a_move_of_boardgame_io_names_the_state_that_the_player_saw() -> None:
    said = framing.read(framing.click("match", 0, "secret", 4, {"_stateID": 17, "G": {}}))
    assert said is not None
    action, *rest = said.arguments
    assert (said.name, rest) == ("update", [17, "match", "0"])
    assert action == {
        "type": "MAKE_MOVE",
        "payload": {"type": "clickCell", "args": [4], "playerID": "0", "credentials": "secret"},
    }


@pytest.mark.parametrize("frame", [framing.PING, framing.JOIN, '0{"sid":"a"}', '42/elsewhere,["update"]'])
def test_other_frames_are_no_events(frame: str) -> None:
    assert framing.read(frame) is None


def test_without_node_boardgame_io_is_absent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(node.Absent, match=r"^node and npm not found$"):
        serving.install()


def test_a_push_tells_the_version_of_its_board() -> None:
    assert wire.read('{"version":12,"content":"<div>"}').version == 12
    assert wire.read('{"version":12}') == wire.Heard()


class Server:
    """Answers every frame as the site answers a move over the socket, and keeps what it got."""

    def __init__(self, status: str) -> None:
        self.status = status
        self.got: list[dict[str, object]] = []

    async def answer(self, socket: ServerConnection) -> None:
        async for frame in socket:
            self.got.append(json.loads(frame))
            form = parse_qs(str(self.got[-1]["form"]))
            await socket.send(f'{{"answer":"{form["client_id"][0]}","status":"{self.status}"}}')


@pytest.mark.parametrize("status", ["done", "stale"])
async def test_a_move_over_the_socket_waits_for_the_answer_to_it(status: str) -> None:
    server = Server(status)
    async with serve(server.answer, "127.0.0.1", 0) as listening:
        port = next(iter(listening.sockets)).getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}/") as socket:
            way = OverSocket(Door(f"http://127.0.0.1:{port}", port), ANNA, socket)
            submitted = asyncio.create_task(way.submit("/match/slug/act/", FIELDS))
            heard = wire.read(str(await socket.recv()))
            assert heard.request is not None
            way.answered(heard.request, heard.status)
            assert await submitted == status
    form = parse_qs(str(server.got[0]["form"]))
    assert {name: form[name] for name in FIELDS} == {name: [value] for name, value in FIELDS.items()}
    assert server.got[0]["kind"] == "act"


class Closing:
    """Makes every move, and closes one of the sockets when it gets one: of player 0, player 1 or the spectator."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.sockets: dict[int, ServerConnection] = {}

    async def answer(self, socket: ServerConnection) -> None:
        assert socket.request is not None
        self.sockets[int(socket.request.path[-1])] = socket
        async for frame in socket:
            if "form" in (got := json.loads(frame)):
                await self.sockets[self.number].close(4429, "too many")
                await socket.send(f'{{"answer":"{parse_qs(got["form"])["client_id"][0]}","status":"done"}}')


@pytest.mark.parametrize("number", range(3))
async def test_a_socket_that_the_server_closes_ends_every_wait_of_its_match(number: int) -> None:
    begun = Begun("slug", 1, (ANNA, ANNA), bytes(32), (ANNA,))
    async with serve(Closing(number).answer, "127.0.0.1", 0) as listening:
        port = next(iter(listening.sockets)).getsockname()[1]
        match = SiteMatch(begun, [Door(f"http://127.0.0.1:{port}", port)] * 3, Kind(spectators=1), OverSocket)
        await match.open()
        for _ in range(2):
            with pytest.raises(Stopped, match=r"^a socket was closed with 4429 too many$"):
                await match.move()
        await match.close()


async def served_page(page: str, status: int = 200) -> tuple[asyncio.Server, Door, list[bytes]]:
    """Serve one page on every address; return the server, its door and what it was asked."""
    asked: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.read(4096))
        writer.write(f"HTTP/1.1 {status} Fine\r\nContent-Length: {len(page)}\r\n\r\n{page}".encode())
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    return server, Door("http://127.0.0.1:1", port), asked


@pytest.mark.parametrize(
    ("page", "way"), [("<form hx-post='/act/'>", ByPost), ("<form data-over-socket='act' hx-post='/act/'>", OverSocket)]
)
async def test_the_page_says_how_moves_are_made(page: str, way: type[Way]) -> None:
    server, door, _ = await served_page(page)
    async with server:
        assert await asyncio.to_thread(wire.offered, door, "/match/slug/", ANNA) is way


@pytest.mark.parametrize(("status", "answer"), [(200, wire.DONE), (409, "409")])
async def test_a_posted_move_is_the_form_at_the_origin_of_the_site(status: int, answer: str) -> None:
    server, door, asked = await served_page("the board", status)
    way = ByPost(door, ANNA, ClientConnection(ClientProtocol(parse_uri("ws://127.0.0.1:1/"))))
    async with server:
        assert await way.submit("/match/slug/act/", FIELDS) == answer
        assert await way.submit("/match/slug/act/", FIELDS) == answer, "over a connection that the server has closed"
        await way.close()
    assert asked[0] == asked[1]
    head, _, body = asked[0].decode().partition("\r\n\r\n")
    assert head.startswith("POST /match/slug/act/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\n")
    assert body == "action=shift+12+a1+b1&version=7&client_id=load-00000007&page=page0"
