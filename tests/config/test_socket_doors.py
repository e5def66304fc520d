"""Every socket of the site, and what each kind of user sees there: their own view of the board, or nothing."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from config.sockets import urlpatterns
from tests.config.world import ROLES, World, build
from tests.serving import Site

# A line is: route | what is told nobody, outsiders (stranger and staff), players (seat and mate).
# Two cells with / between them are for a public match that runs and a private one.
DOORS = """
ws/match/<slug:slug>/ | content content content / 4404 4404 content
ws/lobby/             | content content content
ws/matches/           | 4404 content content
ws/me/                | 4404 numbers numbers
"""
ROWS = {line.split("|")[0].strip(): line.split("|")[1].split("/") for line in DOORS.strip().splitlines()}

LONG = 10
"""Characters of the shortest board, and more than codes and `numbers` have."""

Told = Callable[[str, str], str]


@pytest.fixture
def world(live_site: Site) -> World:
    return build()


@pytest.fixture
def told(live_site: Site, world: World) -> Told:
    """Open a socket; return the board it pushes first, `numbers` if none, else the code it is closed with."""

    def ask(role: str, path: str) -> str:
        headers = {"Origin": live_site.url, "Cookie": f"{settings.SESSION_COOKIE_NAME}={world.sessions[role]}"}
        address = f"{live_site.url.replace('http', 'ws')}/{path}"
        try:
            with connect(
                address, additional_headers=headers, compression=None, max_size=None, open_timeout=60
            ) as connection:
                return str(json.loads(connection.recv(timeout=60)).get("content", "numbers"))
        except ConnectionClosed as closed:
            return "" if closed.rcvd is None else str(closed.rcvd.code)
        except InvalidStatus as refusal:
            return str(refusal.response.status_code)

    return ask


def path_of(route: str, slug: str) -> str:
    return route.replace("<slug:slug>", slug)


def test_every_socket_has_a_row() -> None:
    assert [str(pattern.pattern) for pattern in urlpatterns] == [*ROWS, ""]  # the last one refuses all other addresses


@pytest.mark.parametrize("route", ROWS)
def test_the_answers_are_those_of_the_table(told: Told, world: World, route: str) -> None:
    for situation, cell in zip(("public", "private"), ROWS[route], strict=False):
        nobody, outsiders, players = cell.split()
        wanted = dict(zip(ROLES, (nobody, outsiders, outsiders, players, players), strict=True))
        path = path_of(route, world.slugs[situation])
        found = {role: told(role, path) for role in ROLES}
        assert {
            role: text if text.isdigit() or text == "numbers" else "content" for role, text in found.items()
        } == wanted


def test_staff_are_pushed_what_any_stranger_is(told: Told, world: World) -> None:
    path = path_of("ws/match/<slug:slug>/", world.slugs["public"])
    assert told("staff", path) == told("stranger", path) != told("seat", path)


def test_a_private_match_and_none_close_alike(told: Told, world: World) -> None:
    for role in ("nobody", "stranger", "staff"):
        private, missing = (
            told(role, path_of("ws/match/<slug:slug>/", world.slugs[situation])) for situation in ("private", "missing")
        )
        assert private == missing == "4404"


def test_an_address_without_a_socket_is_refused_without_a_traceback(
    told: Told, caplog: pytest.LogCaptureFixture
) -> None:
    assert {told("seat", path) for path in ("", "ws/", "ws/match/", "ws/match/a/b/", "lobby/")} == {"403"}
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("host", ["evil.example", "", "a b"])
def test_a_socket_asks_for_a_host_of_the_site(live_site: Site, host: str) -> None:
    """As pages do; otherwise somebody else's domain could point here."""
    address = urlsplit(live_site.url)
    handshake = (
        f"GET /ws/lobby/ HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    with socket.create_connection((address.hostname or "", address.port or 0), timeout=10) as connection:
        connection.sendall(handshake.encode())
        assert connection.recv(1000).split()[1] == b"403"
