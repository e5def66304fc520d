"""The channel layer of several processes: idle sockets stay, and a Redis that restarts or is away costs no move."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from django.test import Client
from pytest_django import Settings
from websockets.sync.client import ClientConnection, connect

from config.services import free_port, redis
from games.play import positions, pulse
from games.play.models import Match
from tests.people import act, person, running_match
from tests.serving import Served, Site

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


@contextmanager
def opened(site: Site, match: Match) -> Iterator[ClientConnection]:
    address = f"{site.url.replace('http', 'ws')}/ws/match/{match.slug}/"
    with connect(address, additional_headers={"Origin": site.url}, compression=None, max_size=None) as socket:
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
    """Say whether the board of this version is pushed within some seconds."""
    deadline = time.monotonic() + seconds
    while version_shown(socket, deadline - time.monotonic()) < version:
        pass
    return True


def moved(match: Match) -> int:
    """Let the seat to move do something; return the version it leads to."""
    seat = match.seats.get(to_move=True).number
    act(match, positions.legal_texts(match, seat)[0], seat)
    return match.version


def test_an_idle_socket_stays_open_and_hears(live_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """With redis 8 it would be closed after 5 s. Without heartbeats only the layer can bring the board."""
    monkeypatch.setattr(pulse, "EVERY", 3600)
    match = running_match([person(), person()])
    with opened(live_site, match) as socket:
        time.sleep(6.5)
        assert moved(match) == version_shown(socket, 3)


def test_moves_are_accepted_without_redis_and_shown_soon_after_it_is_back(settings: Settings, client: Client) -> None:
    port = free_port()
    settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
    layer = {"BACKEND": "config.redis_layer.RedisLayer", "CONFIG": {"hosts": [settings.REDIS_URL]}}
    settings.CHANNEL_LAYERS = {"default": layer}
    with ExitStack() as first:
        first.enter_context(redis(port))
        match = running_match([person(), person()])
        with Served() as site, opened(site, match) as socket:
            assert shows(socket, moved(match), 5)
            first.close()
            assert client.get("/healthz").status_code == 503
            moved(match)
            assert shows(socket, moved(match), 15)
            with redis(port):
                assert shows(socket, moved(match), 15)
                assert client.get("/healthz").status_code == 200
                with opened(site, match) as another:
                    version = moved(match)
                    assert shows(another, version, 15)
                    assert shows(socket, version, 15)
