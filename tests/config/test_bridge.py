"""WSGI inside the ASGI server: whole requests in, whole answers out."""

from __future__ import annotations

import asyncio
import http.client
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from urllib.parse import urlsplit

import pytest

from config.bridge import MOST_BYTES, Threads
from tests.serving import Site


@pytest.fixture
def connection(live_site: Site) -> Iterator[http.client.HTTPConnection]:
    address = urlsplit(live_site.url)
    opened = http.client.HTTPConnection(address.hostname or "", address.port, timeout=10)
    yield opened
    opened.close()


def answer(connection: http.client.HTTPConnection) -> tuple[int, bytes]:
    response = connection.getresponse()
    return response.status, response.read()


def test_a_page_arrives_whole_with_its_length(connection: http.client.HTTPConnection) -> None:
    connection.request("GET", "/")
    response = connection.getresponse()
    assert response.read().rstrip().endswith(b"</html>")
    assert response.status == 200


def test_a_static_file_arrives_whole(connection: http.client.HTTPConnection) -> None:
    connection.request("GET", "/static/site/tokens.css")
    status, body = answer(connection)
    assert (status, b"@layer" in body) == (200, True)


def test_a_head_request_has_no_body(connection: http.client.HTTPConnection) -> None:
    connection.request("HEAD", "/")
    assert answer(connection) == (200, b"")


def test_a_body_in_pieces_is_read_whole(connection: http.client.HTTPConnection) -> None:
    pieces = [b"login=nobody&", b"password=nothing"]
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/account/login/", body=iter(pieces), headers=headers, encode_chunked=True)
    assert answer(connection)[0] == 403  # read, and refused for want of a CSRF token


def test_a_body_over_the_limit_is_refused(connection: http.client.HTTPConnection) -> None:
    connection.request("POST", "/account/login/", body=b"x" * (MOST_BYTES + 1))
    assert answer(connection)[0] == 413


def test_an_address_that_was_not_escaped_is_refused(connection: http.client.HTTPConnection) -> None:
    connection.connect()
    connection.sock.sendall("GET /archive/?player=änn HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    assert connection.sock.recv(100).split()[1] == b"400"


def test_a_form_that_takes_its_time_holds_nothing_up() -> None:
    """All three end only because the loop goes on: the one it gave way to, and those that arrived meanwhile."""
    freed = threading.Event()

    async def site() -> None:
        threads = Threads(ThreadPoolExecutor(2), patience=0.001)
        asyncio.get_running_loop().call_later(0.05, freed.set)
        await asyncio.gather(*(threads.run(partial(_wait_for, freed), is_form=True) for _ in range(3)))

    asyncio.run(site())
    assert freed.is_set()


def test_a_form_done_at_once_is_answered_before_the_loop_goes_on() -> None:
    told: list[str] = []

    async def site() -> None:
        threads = Threads(ThreadPoolExecutor(1), patience=10)
        asyncio.get_running_loop().call_soon(told.append, "loop")
        await threads.run(lambda: told.append("form"), is_form=True)
        told.append("answer")

    asyncio.run(site())
    assert told == ["form", "answer", "loop"]


def test_forms_that_are_done_in_time_share_one_thread() -> None:
    names: list[str] = []

    async def site() -> None:
        threads = Threads(ThreadPoolExecutor(4), patience=10)
        note = partial(_note_thread, names)
        await asyncio.gather(*(threads.run(note, is_form=True) for _ in range(9)))

    asyncio.run(site())
    assert (len(names), len(set(names))) == (9, 1)


def test_the_loop_goes_on_beside_a_page() -> None:
    freed = threading.Event()

    async def site() -> None:
        threads = Threads(ThreadPoolExecutor(1), patience=20)
        asyncio.get_running_loop().call_soon(freed.set)
        await threads.run(partial(_wait_for, freed), is_form=False)

    asyncio.run(site())
    assert freed.is_set()


@pytest.mark.parametrize("is_form", [True, False])
@pytest.mark.parametrize("patience", [0, 10])
def test_what_a_request_raises_is_raised(patience: float, *, is_form: bool) -> None:
    with pytest.raises(TimeoutError, match="its own"):
        asyncio.run(Threads(ThreadPoolExecutor(1), patience).run(_raise, is_form=is_form))


def _wait_for(event: threading.Event) -> None:
    assert event.wait(10)


def _note_thread(names: list[str]) -> None:
    names.append(threading.current_thread().name)


def _raise() -> None:
    raise TimeoutError("its own")
