"""What the server refuses without nginx: endless requests, and those that never arrive whole."""

from __future__ import annotations

import http.client
import itertools
import json
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from django.core.cache import cache
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from config.protocol import MAX_ADDRESS, MAX_HEAD, MAX_HEADERS, MAX_REQUEST
from tests.people import person
from tests.site.config.processes import Running, output_of, serving
from tests.waiting import wait_until

HURRIED = """
from django.conf import settings
import config.protocol as protocol
from config.serve import main
protocol.ARRIVAL = 4
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
main()
"""
"""A server with short time limits, for which passwords that are guessed are no work."""

BLOCK = b"a" * 65_536

HANDSHAKE = (
    b"GET %s HTTP/1.1\r\nHost: %s\r\nOrigin: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with what the site logs."""
    return tmp_path_factory.mktemp("limits")


@pytest.fixture(scope="module")
def site(logged: Path, django_db_setup: None) -> Iterator[Running]:
    """One process for all of these tests: it writes nothing of its own, and what it refuses leaves nothing behind."""
    with serving(logged, HURRIED, SINGLE_PROCESS="1", TRUSTED_PROXIES="1", EMBEDDED_WORKER="0") as running:
        running.wait(path="/healthz?live")
        yield running


def dial(site: Running) -> socket.socket:
    return socket.create_connection(("127.0.0.1", site.port), timeout=60)


def answer(connection: socket.socket) -> bytes:
    """Return the status a connection is answered with, nothing if it was just closed; check that it is closed."""
    heard = b""
    with suppress(ConnectionResetError):
        while more := connection.recv(65_536):
            heard += more
    return heard.split()[1] if heard else b""


def pour(connection: socket.socket, block: bytes, times: int) -> int:
    """Send a block again and again; return how often the other side accepted it."""
    for sent in range(times):
        try:
            connection.sendall(block)
        except (ConnectionResetError, BrokenPipeError):
            return sent
    return times


def test_an_address_without_end_is_refused_while_others_are_served(site: Running) -> None:
    with dial(site) as endless:
        endless.sendall(b"GET /")
        pour(endless, BLOCK, 2)
        assert site.ask("GET", "/healthz?live")[0] == 200
        assert answer(endless) == b"414"
        assert pour(endless, BLOCK, 1600) < 1600


def test_a_hundred_megabytes_of_headers_are_refused(site: Running) -> None:
    line = b"X-More: " + b"a" * 4000 + b"\r\n"
    with dial(site) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        assert pour(connection, line * 25, 1000) < 1000
    with dial(site) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + line * 5)
        assert answer(connection) == b"431"
    assert site.ask("GET", "/healthz?live")[0] == 200


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET /" + b"a" * MAX_ADDRESS + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"414"),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * MAX_HEAD + b"\r\n\r\n", b"431"),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X: 1\r\n" * MAX_HEADERS + b"\r\n", b"431"),
        (b"NONSENSE\r\n\r\n", b"400"),
    ],
)
def test_a_head_that_comes_at_once_keeps_to_the_limits_too(site: Running, head: bytes, status: bytes) -> None:
    with dial(site) as connection:
        connection.sendall(head)
        assert answer(connection) == status


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"GET /api/v1/" + b"a" * MAX_ADDRESS + b" HTTP/1.1\r\n\r\n", 414, "too-large"),
        (b"GET /api/v1/me HTTP/1.1\r\nX: " + b"a" * MAX_HEAD + b"\r\n\r\n", 431, "too-large"),
        (b"GET /api/v1/me HTTP/1.1\r\n\0: x\r\n\r\n", 400, "malformed"),
        (b"GET /api/v1/me HTTP/1.1\r\n\r\n" * 20, 429, "too-many"),
        (b"POST /api/v1/me HTTP/1.1\r\nContent-Length: 9\r\n\r\n", 408, "too-slow"),
        (b"GET /api/?" + b"a" * MAX_ADDRESS + b" HTTP/1.1\r\n\r\n", 414, ""),
    ],
)
def test_programs_are_told_why_in_their_own_form(site: Running, sent: bytes, status: int, code: str) -> None:
    with dial(site) as connection:
        connection.sendall(sent)
        heard = http.client.HTTPResponse(connection)
        heard.begin()
        body = heard.read()
    assert heard.status == status
    if not code:
        assert body == b""
        return
    told = json.loads(body)
    assert (told["status"], told["code"]) == (status, code)
    assert heard.headers["Content-Type"] == "application/problem+json"
    assert heard.headers["Access-Control-Allow-Origin"] == "*"
    assert heard.headers["Retry-After"] == ("1" if status == 429 else None)


@pytest.mark.parametrize("head", [b"NONSENSE\r\n\r\n", b"GET /" + b"a" * 2 * MAX_ADDRESS])
def test_whoever_was_refused_and_stays_is_cut_off(site: Running, head: bytes) -> None:
    with dial(site) as connection:
        connection.sendall(head)
        assert answer(connection) in {b"400", b"414"}
        wait_until(lambda: not pour(connection, b"a", 1))


@pytest.mark.parametrize("requests", [1, 3])
def test_nonsense_behind_requests_logs_no_traceback(site: Running, logged: Path, requests: int) -> None:
    with dial(site) as connection:
        connection.sendall(b"GET /healthz?live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * requests + b"NONSENSE\r\n\r\n")
        wait_until(lambda: not pour(connection, b"a", 1))
    assert site.ask("GET", "/healthz?live")[0] == 200
    assert "Traceback" not in output_of(logged)


@pytest.mark.parametrize("path", [b"/ws/lobby/", b"/ws/nowhere/", b"/ws/match/gone/", b"/ws/\xff/", b"/ws/lobby/?\xff"])
@pytest.mark.parametrize("host", [b"127.0.0.1", b"127.0.0.1:%d"], ids=["refused", "welcome"])
def test_a_handshake_that_is_broken_off_logs_no_traceback(
    site: Running, logged: Path, path: bytes, host: bytes
) -> None:
    """Whether by a broken frame or by leaving, before or while the site accepts or closes the socket."""
    origin = site.origin.encode()
    handshake = HANDSHAKE % (path, host % site.port if b"%" in host else host, origin)
    for number, frame in itertools.product(range(8), (b"", b"\xff" * 20, b"\x88\x80" + bytes(4))):
        with dial(site) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if number % 4 == 0:  # in one piece with it
                connection.sendall(handshake + frame)
            else:
                connection.sendall(handshake)
                time.sleep(0.001 * (number % 4))
                with suppress(OSError):
                    connection.sendall(frame)
            if number > 3 or not frame:  # leave at once, with a reset
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            else:
                answer(connection)
    assert site.ask("GET", "/healthz?live")[0] == 200
    assert "Traceback" not in output_of(logged)


def test_only_a_few_requests_come_at_once(site: Running) -> None:
    with dial(site) as connection:
        connection.sendall(b"GET /healthz?live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 2_000)
        assert answer(connection) == b"429"


def test_text_that_is_no_utf8_over_a_socket_logs_no_traceback(site: Running, logged: Path) -> None:
    address = f"{site.origin.replace('http', 'ws')}/ws/lobby/"
    with connect(address, additional_headers={"Origin": site.origin}, open_timeout=60) as opened:
        opened.send(b"\xff\xfe", text=True)
        with suppress(ConnectionClosed):
            while True:
                opened.recv(timeout=60)
        assert opened.close_code == 1007
    assert "Traceback" not in output_of(logged)


@pytest.mark.parametrize("tail", [b"1;" + BLOCK, b"0\r\nX-Trailer: " + BLOCK])
def test_marks_and_trailers_of_chunks_have_an_end(site: Running, tail: bytes) -> None:
    head = b"POST /account/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    with dial(site) as connection:
        connection.sendall(head + tail)
        assert pour(connection, BLOCK, 1600) < 1600
    assert site.ask("GET", "/healthz?live")[0] == 200


def test_what_never_arrives_whole_is_closed_and_a_socket_stays_open(site: Running) -> None:
    """All at once: silence, half a line, 400 half-sent bodies, and blank lines without end, first or after an answer.

    A socket that was opened before them outlives the time that a request may take.
    """
    half = b"POST /account/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nlogin="
    address = f"{site.origin.replace('http', 'ws')}/ws/lobby/"
    with connect(address, additional_headers={"Origin": site.origin}, open_timeout=60) as opened, ExitStack() as stack:

        def begun(sent: bytes) -> socket.socket:
            connection = stack.enter_context(dial(site))
            connection.sendall(sent)
            return connection

        silent, slow, blank = map(begun, (b"", b"GET / HT", b""))
        answered = begun(b"GET /healthz?live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert answered.recv(65_536)
        halves = [begun(half) for _ in range(400)]
        assert site.ask("GET", "/healthz?live")[0] == 200
        wait_until(lambda: sum(pour(each, b"\r\n", 1) for each in (blank, answered)) == 0)
        assert {answer(connection) for connection in halves} == {b"408"}
        assert (answer(silent), answer(slow)) == (b"", b"408")
        assert opened.ping().wait(60)


def test_a_large_body_within_the_limits_arrives(site: Running) -> None:
    visit = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    visit.request("POST", "/account/login/", b"x" * (MAX_REQUEST - MAX_HEAD))
    answer = visit.getresponse()
    assert (answer.status, b"</html>" in answer.read()) == (413, True)  # the site refuses it, not its server
    visit.close()


def test_one_connection_carries_many_requests(site: Running) -> None:
    visit = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    for _ in range(50):
        visit.request("GET", "/healthz?live", headers={"Cookie": "a=" + "b" * 4000})
        answered = visit.getresponse()
        answered.read()
        assert answered.status == 200
    visit.close()


@pytest.mark.django_db(transaction=True)
def test_a_header_with_an_underscore_is_not_taken_for_that_of_the_proxy(site: Running) -> None:
    """With TRUSTED_PROXIES=1, an attacker who guesses passwords cannot pretend to have a new address each time."""
    person("Ann")
    cache.clear()
    statuses = [_guess(site, number) for number in range(12)]
    assert "Too many failed attempts" in statuses[-1]


def _guess(site: Running, number: int) -> str:
    token = "a" * 32
    visit = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    visit.putrequest("POST", "/account/login/")
    body = f"login=Ann&password=wrong&csrfmiddlewaretoken={token}".encode()
    for name, value in {
        "Content-Type": "application/x-www-form-urlencoded",
        "Content-Length": str(len(body)),
        "Cookie": f"csrftoken={token}",
        "X-Forwarded-For": "203.0.113.9",
        "X_Forwarded_For": f"198.51.100.{number}",
    }.items():
        visit.putheader(name, value)
    visit.endheaders(body)
    page = visit.getresponse().read().decode()
    visit.close()
    return page
