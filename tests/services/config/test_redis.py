"""The channel layer of several processes: idle sockets stay open, and pages survive outages of Redis."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

import pytest
from pytest_django import Settings
from websockets.sync.client import ClientConnection, connect

from config.ops.stack import Service, free_port, redis
from games.play.live import heartbeat
from games.play.models import Match
from games.play.reducer import positions
from tests.people import act, person, running_match
from tests.serving import Served, Site
from tests.site.config.console import Console, console

__all__ = ["console"]

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

Doors = tuple[Callable[[], Service], Callable[[], None]]
"""How to begin and how to end the service."""


@contextmanager
def opened(site: Site, match: Match) -> Iterator[ClientConnection]:
    address = f"{site.url.replace('http', 'ws')}/ws/match/{match.slug}/"
    with connect(
        address, additional_headers={"Origin": site.url}, compression=None, max_size=None, open_timeout=60
    ) as socket:
        assert version_shown(socket, 5) == match.version
        yield socket


def version_shown(socket: ClientConnection, seconds: float) -> int:
    """Return the version of the next board that is pushed."""
    deadline = time.monotonic() + seconds
    while True:
        message = json.loads(socket.recv(timeout=max(0.0, deadline - time.monotonic())))
        if "content" in message:
            version: int = message["version"]
            return version


def shows(socket: ClientConnection, version: int, seconds: float) -> bool:
    """Return whether the board of this version is pushed within some seconds."""
    deadline = time.monotonic() + seconds
    while version_shown(socket, deadline - time.monotonic()) < version:
        pass
    return True


def timed(do: Callable[[], int]) -> tuple[float, int]:
    """Return how many seconds something took, and what came of it."""
    started = time.monotonic()
    result = do()
    return time.monotonic() - started, result


def moved(match: Match) -> int:
    """Let the seat to move act; return the new version."""
    seat = match.seats.get(to_move=True).number
    act(match, positions.legal_texts(match, seat)[0], seat)
    return match.version


@pytest.fixture
def match() -> Match:
    return running_match([person(), person()])


@pytest.fixture
def service(settings: Settings) -> Iterator[Doors]:
    """Start and stop the Redis of the site."""
    port = free_port()
    url = f"redis://127.0.0.1:{port}/0"
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "config.redis_layer.RedisLayer", "CONFIG": {"url": url}}}
    with ExitStack() as running:
        yield lambda: running.enter_context(redis(port)), running.close


def hears(match: Match, socket: ClientConnection, seconds: float) -> bool:
    """Return whether an announcement reaches the socket within some seconds, with one move a second."""
    for _ in range(int(seconds)):
        version = moved(match)
        try:
            return shows(socket, version, 1)
        except TimeoutError:
            continue
    return False


def test_an_idle_socket_stays_open_and_hears(live_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """With redis 8 it would be closed after 5 s. Without heartbeats only the layer can bring the board."""
    monkeypatch.setattr(heartbeat, "EVERY", 3600)
    match = running_match([person(), person()])
    with opened(live_site, match) as socket:
        time.sleep(6.5)
        assert moved(match) == version_shown(socket, 3)


def test_a_page_opened_without_redis_shows_the_board_beats_and_hears_later(
    service: Doors, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, _end = service
    with Served() as site, opened(site, match) as socket:
        assert shows(socket, moved(match), heartbeat.EVERY + 2)
        monkeypatch.setattr(heartbeat, "EVERY", 3600)  # from here on only the layer can bring the board
        time.sleep(2)
        begin()
        assert hears(match, socket, 60)


def test_pages_opened_and_closed_in_an_outage_leave_nothing_behind_and_the_outage_is_told_once(
    service: Doors,
    match: Match,
    console: Console,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begin, end = service
    begin()
    with Served() as site, opened(site, match) as socket:
        assert hears(match, socket, 60)
        end()
        for _ in range(3):
            with opened(site, match):
                moved(match)
        begin()
        monkeypatch.setattr(heartbeat, "EVERY", 3600)
        time.sleep(2)
        assert hears(match, socket, 60)
    first, last = console.lines
    assert "Redis is away, and what needs it waits" in first
    assert "Redis is back after" in last
    assert "Traceback" not in caplog.text


def test_a_redis_that_falls_silent_holds_up_neither_moves_nor_pages(service: Doors, match: Match) -> None:
    begin, _end = service
    process = begin().process
    with Served() as site, opened(site, match) as socket:
        assert hears(match, socket, 60)
        os.kill(process.pid, signal.SIGSTOP)
        moves = [timed(partial(moved, match)) for _ in range(5)]
        assert min(seconds for seconds, _version in moves) < 2  # a busy machine delays some, waiting for Redis all
        version = moves[-1][1]
        assert shows(socket, version, 60)
        with opened(site, match) as another:
            assert shows(another, moved(match), 60)
        os.kill(process.pid, signal.SIGCONT)
        assert hears(match, socket, 60)
