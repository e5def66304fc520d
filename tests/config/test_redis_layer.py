"""The channel layer of several processes without its Redis: pages still open, and hear again when it is back."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from pytest_django import Settings
from websockets.sync.client import ClientConnection

from config.redis_layer import RedisLayer
from config.services import Service, free_port, redis
from games.play import pulse
from games.play.models import Match
from tests.config.test_redis import moved, opened, shows
from tests.people import person, running_match
from tests.serving import Served

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

Doors = tuple[Callable[[], Service], Callable[[], None]]
"""How to begin and how to end the service."""


@pytest.fixture
def match() -> Match:
    return running_match([person(), person()])


@pytest.fixture
def service(settings: Settings) -> Iterator[Doors]:
    """Begin and end the Redis of the site."""
    port = free_port()
    hosts = [{"address": f"redis://127.0.0.1:{port}/0", "socket_connect_timeout": 2}]
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "config.redis_layer.RedisLayer", "CONFIG": {"hosts": hosts}}}
    with ExitStack() as running:
        yield lambda: running.enter_context(redis(port)), running.close


def hears(match: Match, socket: ClientConnection, seconds: float) -> bool:
    """Say whether an announcement reaches the socket within some seconds, moving once a second."""
    for _ in range(int(seconds)):
        version = moved(match)
        try:
            return shows(socket, version, 1)
        except TimeoutError:
            continue
    return False


def test_a_page_opened_without_redis_shows_the_board_beats_and_hears_later(
    service: Doors, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, _end = service
    with Served() as site, opened(site, match) as socket:
        assert shows(socket, moved(match), pulse.EVERY + 2)
        monkeypatch.setattr(pulse, "EVERY", 3600)  # from here on only the layer can bring the board
        time.sleep(2)
        begin()
        assert hears(match, socket, 10)


def test_pages_opened_and_closed_in_an_outage_leave_nothing_behind_and_the_outage_is_told_once(
    service: Doors,
    match: Match,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begin, end = service
    begin()
    with Served() as site, opened(site, match) as socket:
        assert hears(match, socket, 5)
        end()
        for _ in range(3):
            with opened(site, match):
                moved(match)
        begin()
        monkeypatch.setattr(pulse, "EVERY", 3600)
        time.sleep(2)
        assert hears(match, socket, 10)
    told = [record.message.split(":")[0] for record in caplog.records if record.name == RedisLayer.__module__]
    assert told == ["Redis is away", "Redis is back"]
    assert "Traceback" not in caplog.text


def test_a_redis_that_falls_silent_holds_up_neither_moves_nor_pages(service: Doors, match: Match) -> None:
    begin, _end = service
    process = begin().process
    with Served() as site, opened(site, match) as socket:
        assert hears(match, socket, 5)
        os.kill(process.pid, signal.SIGSTOP)
        started = time.monotonic()
        version = moved(match)
        assert time.monotonic() - started < 1
        assert shows(socket, version, 15)
        with opened(site, match) as another:
            assert shows(another, moved(match), 15)
        os.kill(process.pid, signal.SIGCONT)
        assert hears(match, socket, 10)
