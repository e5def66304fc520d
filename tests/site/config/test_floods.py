"""What one client can send over a socket, or leave unread, whatever frames it is made of; the others are served.

Each check is made a second time on a server without what it is about, where it must fail.
"""

from __future__ import annotations

import asyncio
import itertools
import socket
import threading
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from hypothesis import example, given, strategies as st
from uvicorn.server import ServerState

from accounts import limits
from accounts.buckets import Allowance
from config import protocol
from config.protocol import FRAMES_AT_ONCE, MAX_FRAGMENTS, TOO_MUCH, Frames, LimitedConnection, Refused
from tests.site.config.processes import Running, output_of, serving

HURRIED = "import config.protocol as protocol; protocol.UNREAD = 2; protocol.LINGER = 5"
"""A server that soon gives up on whoever reads nothing, and lets whoever is refused read that on a busy machine."""

WITHOUT_ALLOWANCES = f"""
{HURRIED}
from accounts import limits
from accounts.buckets import Allowance
endless = limits.Traffic(*[Allowance(10**12, 10**12)] * 3)
limits.SOCKET_TRAFFIC = limits.ADDRESS_TRAFFIC = endless
protocol.MAX_FRAGMENTS = 10**9
"""

DEAF = f"""
{WITHOUT_ALLOWANCES}
protocol.LimitedConnection.pause_writing = lambda self: self.inner.pause_writing()
"""
"""Reads on while its answers are not read."""

SERVE = "\nfrom config.serve import main; main()"

HANDSHAKE = (
    "GET /ws/lobby/ HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nX-Forwarded-For: {address}\r\n"
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{more}\r\n"
)
"""Of a visitor of the lobby; behind a proxy, which says whence they come."""

DEFLATED = "Sec-WebSocket-Extensions: permessage-deflate\r\n"

CONTINUED, TEXT, PING, PONG = 0, 1, 9, 10


def frame(opcode: int, payload: bytes = b"", last: bool = True, compressed: bool = False) -> bytes:
    """Return a frame as a browser sends it, with a mask of zeros."""
    longer = len(payload) >= 126
    size = bytes([0x80 | 126, *len(payload).to_bytes(2, "big")]) if longer else bytes([0x80 | len(payload)])
    return bytes([last << 7 | compressed << 6 | opcode]) + size + bytes(4) + payload


def a_bomb() -> bytes:
    """Return a small frame that becomes 16 kB."""
    packed = zlib.compressobj(9, zlib.DEFLATED, -12)
    data = packed.compress(b"[" * 16_000) + packed.flush(zlib.Z_SYNC_FLUSH)
    return frame(TEXT, data[:-4], compressed=True)


@contextmanager
def server(folder: Path, code: str) -> Iterator[Running]:
    with serving(folder, code + SERVE, TRUSTED_PROXIES="1", EMBEDDED_WORKER="0") as running:
        running.wait(path="/healthz?live")
        yield running


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("floods")


@pytest.fixture(scope="module")
def site(logged: Path, django_db_setup: None) -> Iterator[Running]:
    with server(logged, HURRIED) as running:
        yield running


@pytest.fixture(scope="module")
def generous(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Running]:
    """A server where nobody's allowance ends."""
    with server(tmp_path_factory.mktemp("generous"), WITHOUT_ALLOWANCES) as running:
        yield running


def handshake(site: Running, address: str, more: str = "") -> bytes:
    return HANDSHAKE.format(host=f"127.0.0.1:{site.port}", address=address, more=more).encode()


@contextmanager
def opened(site: Running, address: str, more: str = "") -> Iterator[socket.socket]:
    """Open a socket of the lobby as a visitor from some address, and read the answer to the handshake."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=60) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(handshake(site, address, more))
        heard = b""
        while b"\r\n\r\n" not in heard:
            heard += connection.recv(1)
        assert b" 101 " in heard
        yield connection


class Reader(threading.Thread):
    """Reads what comes until the other side closes, or answers a ping with the payload `END`."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__(daemon=True)
        self.connection, self.latest, self.size, self.is_cut_off = connection, b"", 0, False
        self.start()

    def run(self) -> None:
        is_answered = False
        with suppress(OSError):
            while not is_answered and (data := self.connection.recv(65_536)):
                self.size += len(data)
                is_answered = END in self.latest + data  # what was asked for before it may be answered after it
                self.latest = (self.latest + data)[-64:]
        self.is_cut_off = not is_answered


END = b"the end of it"


def poured(connection: socket.socket, block: bytes, size: int) -> int:
    """Send a block again and again; return how many bytes the other side took before it closed."""
    for sent in range(0, size, len(block)):
        try:
            connection.sendall(block)
        except OSError:
            return sent
    return size


FLOODS: dict[str, tuple[bytes, str]] = {
    "empty pings": (frame(PING) * 500, ""),
    "full pings": (frame(PING, b"x" * 125) * 100, ""),
    "pongs nobody asked for": (frame(PONG) * 500, ""),
    "empty continuations": (frame(TEXT, last=False) + frame(CONTINUED, last=False) * 500, ""),
    "small texts": (frame(TEXT, b"{}") * 500, ""),
    "large texts": (frame(TEXT, b"x" * 16_000) * 10, ""),
    "texts that unpack": (a_bomb() * 100, DEFLATED),
}
MOST = 20_000_000
"""Bytes of a flood, of which systems keep some on their way."""


def check_cut_off(site: Running, name: str, size: int = MOST) -> None:
    """Check that a flood ends with its socket, was hardly answered, and that others are served meanwhile."""
    block, more = FLOODS[name]
    if name == "empty continuations":
        first, block = block[:6], block[6:]
    else:
        first = b""
    with opened(site, f"192.0.2.{list(FLOODS).index(name)}", more) as connection:
        reader = Reader(connection)
        connection.sendall(first)
        taken = poured(connection, block, size)
        assert site.ask("GET", "/healthz?live")[0] == 200
        with suppress(OSError):
            connection.sendall(frame(PING, END))
        reader.join(60)
        assert not reader.is_alive()
    assert reader.is_cut_off
    assert taken < size
    assert reader.size < 200_000


@pytest.mark.parametrize("name", list(FLOODS))
def test_whoever_sends_too_much_is_cut_off(site: Running, logged: Path, name: str) -> None:
    check_cut_off(site, name)
    assert "Traceback" not in output_of(logged)


@pytest.mark.parametrize("name", ["empty pings", "full pings", "pongs nobody asked for", "empty continuations"])
def test_without_allowances_nobody_is(generous: Running, name: str) -> None:
    with pytest.raises(AssertionError):
        check_cut_off(generous, name, len(FLOODS[name][0]) * 3)


def test_whoever_is_cut_off_is_told_why(site: Running) -> None:
    with opened(site, "192.0.2.50") as connection:
        reader = Reader(connection)
        poured(connection, frame(PING), 6 * 200)
        reader.join(60)
        assert reader.latest.endswith(TOO_MUCH)


# --- one turn of the event loop ---------------------------------------------------------------------------------------


async def most_in_a_turn(monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many frames of a flood are passed on in one turn of the loop, at most, where no allowance ends."""
    endless = limits.Traffic(*[Allowance(1e12, 1e12)] * 3)
    monkeypatch.setattr(limits, "SOCKET_TRAFFIC", endless)
    monkeypatch.setattr(limits, "ADDRESS_TRAFFIC", endless)
    monkeypatch.setattr(protocol, "_meters", {})  # what other tests have used of this process would count
    turns, found, gone = itertools.count(), Counter[int](), asyncio.Event()
    turn = next(turns)
    real = Frames.take

    def take(self: Frames, data: bytes) -> tuple[int, int]:
        taken, count = real(self, data)
        found[turn] += count
        return taken, count

    async def tick() -> None:
        nonlocal turn
        for turn in turns:  # noqa: B007  # read above
            await asyncio.sleep(0)

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await receive()
        gone.set()

    monkeypatch.setattr(Frames, "take", take)
    config = uvicorn.Config(application, ws="websockets-sansio", lifespan="off", log_level="warning")
    config.load()
    loop = asyncio.get_running_loop()
    state = ServerState()
    server = await loop.create_server(lambda: LimitedConnection(config, state, {}), "127.0.0.1", 0)
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname(), limit=1_000_000)
        writer.write(HANDSHAKE.format(host="127.0.0.1", address="192.0.2.1", more="").encode())
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frame(PING) * 10_000 + frame(PING, END))
        ticking = asyncio.create_task(tick())
        async with asyncio.timeout(60):
            await reader.readuntil(END)
        ticking.cancel()
        writer.close()
        await gone.wait()
    return max(found.values())


async def test_a_few_frames_are_handled_in_a_turn_of_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await most_in_a_turn(monkeypatch) <= 2 * FRAMES_AT_ONCE  # what arrives may come in the same turn


async def test_without_pieces_thousands_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "PIECE", 10**9)
    monkeypatch.setattr(protocol, "FRAMES_AT_ONCE", 10**9)
    assert await most_in_a_turn(monkeypatch) > 2 * FRAMES_AT_ONCE


# --- unread answers ---------------------------------------------------------------------------------------------------


def memory_of(site: Running) -> int:
    """Return the bytes of memory that a server uses."""
    lines = Path(f"/proc/{site.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


UNREAD = 40_000_000
"""Bytes of pings whose answers nobody reads."""


def check_bounded(site: Running) -> None:
    """Check that a server neither takes nor keeps much for somebody who reads nothing, and cuts them off."""
    before = memory_of(site)
    with opened(site, "192.0.2.60") as connection:
        taken = poured(connection, frame(PING, b"x" * 125) * 500, UNREAD)
        assert memory_of(site) - before < UNREAD / 4
        assert taken < UNREAD
    assert site.ask("GET", "/healthz?live")[0] == 200


def test_answers_that_nobody_reads_are_not_kept(generous: Running) -> None:
    """Even where frames are not counted: a server that cannot write does not read, and gives up after a while."""
    check_bounded(generous)


def test_a_server_that_reads_on_keeps_them(tmp_path: Path, django_db_setup: None) -> None:
    with server(tmp_path, DEAF) as deaf, pytest.raises(AssertionError):
        check_bounded(deaf)


# --- many sockets of one address --------------------------------------------------------------------------------------

OF_EACH = 120
"""Frames that each socket sends at once: fewer than it may."""


def count_cut_off(site: Running, address: str) -> int:
    """Let as many visitors as possible from an address send a bit less than one may; return how many were cut off.

    Another one, who sends hardly anything, never is.
    """
    with ExitStack() as stack:
        sockets = [stack.enter_context(opened(site, address)) for _ in range(limits.SOCKETS.guests)]
        readers = [Reader(connection) for connection in sockets]
        for connection in sockets[1:]:
            poured(connection, frame(PONG) * OF_EACH, 1)
        for connection in sockets:
            poured(connection, frame(PING, END), 1)
        for reader in readers:
            reader.join(60)
        assert site.ask("GET", "/healthz?live")[0] == 200
        assert not readers[0].is_cut_off
        return sum(reader.is_cut_off for reader in readers)


def test_all_sockets_of_an_address_have_an_allowance_together(site: Running, generous: Running) -> None:
    with opened(site, "198.51.100.7") as elsewhere:
        assert limits.ADDRESS_TRAFFIC.frames.most < limits.SOCKETS.guests * OF_EACH
        assert count_cut_off(site, "198.51.100.8") > 10
        elsewhere.sendall(frame(PING, END))
        (reader := Reader(elsewhere)).join(60)
        assert not reader.is_cut_off
    assert count_cut_off(generous, "198.51.100.8") == 0


# --- as it may come over a network ------------------------------------------------------------------------------------


def test_a_message_that_comes_byte_by_byte_arrives(site: Running) -> None:
    whole = frame(PING, b"first") + frame(TEXT, b'{"kind":"nonsense"}') + frame(PING, END)
    with opened(site, "192.0.2.70") as connection:
        reader = Reader(connection)
        for byte in whole:
            connection.sendall(bytes([byte]))
        reader.join(60)
        assert not reader.is_cut_off


def test_frames_before_the_socket_is_open_wait_for_it(site: Running) -> None:
    with socket.create_connection(("127.0.0.1", site.port), timeout=60) as connection:
        connection.sendall(handshake(site, "192.0.2.71") + frame(PING, END))
        reader = Reader(connection)
        reader.join(60)
        assert not reader.is_cut_off


@pytest.mark.parametrize("more", [f"X-Long: {'a' * 9_000}\r\n", f"Sec-WebSocket-Protocol: {'a,' * 4_000}\r\n"])
def test_a_handshake_that_is_not_liked_has_an_end(site: Running, logged: Path, more: str) -> None:
    """Lines of more than 8 kB are let in as a request, and are too long for the library that reads the handshake."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=60) as connection:
        connection.sendall(handshake(site, "192.0.2.72", more))
        assert b" 101 " not in connection.recv(1_000)
    assert "Traceback" not in output_of(logged)


@example([(TEXT, 70_000), (PING, 0), (TEXT, 65_536), (TEXT, 1)], [9_000, 1])
@given(
    st.lists(st.tuples(st.sampled_from([TEXT, PING, PONG]), st.integers(0, 300)), max_size=12),
    st.lists(st.integers(1, 500), min_size=1),
)
def test_frames_are_counted_however_their_bytes_are_divided(sent: list[tuple[int, int]], sizes: list[int]) -> None:
    data, found, step = b"".join(long_frame(opcode, size) for opcode, size in sent), 0, itertools.cycle(sizes)
    frames = Frames()
    while data:
        piece = data[: next(step)]
        taken, count = frames.take(piece)
        assert taken == len(piece) or count == FRAMES_AT_ONCE
        data, found = data[taken:], found + count
    assert found == len(sent)


def long_frame(opcode: int, size: int) -> bytes:
    if size < 65_536:
        return frame(opcode, bytes(size))
    return bytes([0x80 | opcode, 0x80 | 127]) + size.to_bytes(8, "big") + bytes(4) + bytes(size)


def test_few_frames_are_passed_on_at_once_and_few_make_a_message() -> None:
    frames, many = Frames(), frame(PING) * 100
    assert frames.take(many) == (FRAMES_AT_ONCE * 6, FRAMES_AT_ONCE)
    frames = Frames()
    for opcode in (TEXT, *[CONTINUED] * (MAX_FRAGMENTS - 1)):
        assert frames.take(frame(opcode, last=False) + frame(PING))[1] == 2
    with pytest.raises(Refused):
        frames.take(frame(CONTINUED, last=False))
