"""The process that `make run` starts: how it ends, how it restarts, and what it does without its database."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from django.db import connection
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.people import person, running_match
from tests.site.config.processes import Running, output_of, serving

pytestmark = pytest.mark.django_db(transaction=True)


PATIENT = "import config.serve as serve; serve.ENDS_WITHIN = 600; serve.main()"
"""A server that, when it is to end, waits long for what still runs."""


@contextmanager
def opened(site: Running, path: str) -> Iterator[ClientConnection]:
    """Open a socket and wait for its first board."""
    address = f"{site.origin.replace('http', 'ws')}{path}"
    with connect(
        address, additional_headers={"Origin": site.origin}, compression=None, max_size=None, open_timeout=60
    ) as socket:
        assert "content" in json.loads(socket.recv(timeout=60))
        yield socket


def closing_code(socket: ClientConnection) -> int | None:
    try:
        while True:
            socket.recv(timeout=60)
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else int(closed.rcvd.code)


def test_it_ends_by_itself_with_open_sockets_and_comes_back(tmp_path: Path) -> None:
    """It closes sockets and threads itself, and does not wait until uvicorn gives up on them."""
    match = running_match([person(), person()])
    paths = [f"/ws/match/{match.slug}/", "/ws/lobby/"] * 3
    for number in (signal.SIGTERM, signal.SIGINT):
        with serving(tmp_path, PATIENT) as site, ExitStack() as stack:
            site.wait()
            sockets = [stack.enter_context(opened(site, path)) for path in paths]
            site.process.send_signal(number)
            assert {closing_code(socket) for socket in sockets} == {1012}
            assert site.process.wait(60) == 0
            assert not {word for word in ("Traceback", "Cancel", "exceeded") if word in output_of(tmp_path)}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="moves the file of the database")
def test_without_its_database_it_answers_503_and_recovers_by_itself(tmp_path: Path) -> None:
    """The file is on a disk that is not mounted yet: every page says so at once, and later everything works."""
    away = tmp_path / "mounted" / "later.sqlite3"
    match = running_match([person(), person()])
    with serving(tmp_path, DATABASE_URL=f"sqlite:///{away}") as site:
        site.wait(503)
        told = json.loads(site.ask("GET", "/healthz")[1])
        assert (told["database"], told["channel_layer"]) == (False, True)
        status, page = site.ask("GET", match.get_absolute_url())
        assert (status, "The site is briefly unavailable" in page) == (503, True)
        away.parent.mkdir()
        connection.cursor().execute("VACUUM INTO %s", [str(away)])
        site.wait()
        assert site.ask("GET", match.get_absolute_url())[0] == 200
    shutil.rmtree(away.parent)
