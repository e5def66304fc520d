"""Every socket of the site, and what each kind of user sees there: their own view of the board, or nothing."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from config.urls import websocket_urlpatterns
from games.chat import consumers
from games.play import commands
from games.play.live.frames import NOT_UNDERSTOOD
from tests.serving import Site
from tests.site.config.world import MISSING, OUTSIDERS, PLAYERS, ROLES, World, build

# A line is: route | what is told nobody, outsiders (stranger and staff), players (seat and mate).
# Two cells with / between them are for a public match that runs and a private one, or for an event and for none.
DOORS = """
ws/match/<slug:slug>/ | content content content / 4404 4404 content
ws/lobby/             | content content content
ws/matches/           | 4404 content content
ws/me/                | 4404 numbers numbers
ws/messages/<str:username>/ | 4404 4404 4404
ws/clubs/<slug:club>/ | 4404 4404 numbers
ws/events/<slug:event>/ | content content content / 4404 4404 4404
"""
ROWS = {line.split("|")[0].strip(): line.split("|")[1].split("/") for line in DOORS.strip().splitlines()}

# What answers each kind of message, for the same users; in the public match, which runs. Whoever may ask for something
# but does not say which version they saw has seen an old one; to take an offer back needs none. `*` is any other kind.
MESSAGES = """
ws/match/<slug:slug>/ hello    | content content content
ws/match/<slug:slug>/ presence | error error nothing
ws/match/<slug:slug>/ act      | error error stale
ws/match/<slug:slug>/ undo     | error error stale
ws/match/<slug:slug>/ restart  | error error stale
ws/match/<slug:slug>/ back     | error error stale
ws/match/<slug:slug>/ nonsense | error error error
ws/match/<slug:slug>/ abort    | error error done
ws/match/<slug:slug>/ chat     | error chat chat
ws/match/<slug:slug>/ say      | error said said
ws/match/<slug:slug>/ hush     | error unread unread
ws/lobby/             hello    | content content content
ws/lobby/             *        | error error error
ws/matches/           hello    | 4404 content content
ws/matches/           *        | 4404 error error
ws/me/                hello    | 4404 nothing nothing
ws/me/                *        | 4404 error error
ws/messages/<str:username>/ *  | 4404 4404 4404
ws/clubs/<slug:club>/ hello | 4404 4404 nothing
ws/clubs/<slug:club>/ chat  | 4404 4404 chat
ws/clubs/<slug:club>/ say   | 4404 4404 said
ws/clubs/<slug:club>/ hush  | 4404 4404 unread
ws/clubs/<slug:club>/ *     | 4404 4404 error
ws/events/<slug:event>/ hello  | content content content
ws/events/<slug:event>/ *      | error error error
"""
KINDS = ("hello", "presence", "nonsense", *commands.KINDS, *consumers.KINDS)

WITHOUT_BOARD = ("ws/me/", "ws/clubs/")

LONG = 10
"""Characters of the shortest board, and more than codes and `numbers` have."""

Told = Callable[[str, str], str]
Answered = Callable[[str, str, str], str]


@pytest.fixture
def world(live_site: Site) -> World:
    return build()


@pytest.fixture
def told(live_site: Site, world: World) -> Told:
    """Open a socket; return the board it pushes first, `numbers` if none, else the code it is closed with."""

    def ask(role: str, path: str) -> str:
        with opened(live_site, world, role, path) as connection:
            return str(json.loads(connection.recv(timeout=60)).get("content", "numbers"))

    return lambda role, path: told_or_code(lambda: ask(role, path))


@pytest.fixture
def answered(live_site: Site, world: World) -> Answered:
    """Open a socket and send a message; return what comes of it: the status of a request, `content`, `error` or
    `nothing`, or the code the socket is closed with.
    """

    def ask(role: str, path: str, kind: str) -> str:
        with opened(live_site, world, role, path) as connection:
            has_board = not path.startswith(WITHOUT_BOARD)
            while has_board and "content" not in json.loads(connection.recv(timeout=60)):
                pass
            connection.send(json.dumps({"kind": kind, "form": "client_id=request-one&action=end&offer=0"}))
            if kind == "presence" or not has_board:
                connection.send("not JSON")  # answered after it
            while not (answer := answer_in(json.loads(connection.recv(timeout=60)))):
                pass
            return answer

    return lambda role, path, kind: told_or_code(lambda: ask(role, path, kind))


def opened(site: Site, world: World, role: str, path: str) -> ClientConnection:
    headers = {"Origin": site.url, "Cookie": f"{settings.SESSION_COOKIE_NAME}={world.sessions[role]}"}
    address = f"{site.url.replace('http', 'ws')}/{path}"
    return connect(address, additional_headers=headers, compression=None, max_size=None, open_timeout=60)


def told_or_code(ask: Callable[[], str]) -> str:
    try:
        return ask()
    except ConnectionClosed as closed:
        return "" if closed.rcvd is None else str(closed.rcvd.code)
    except InvalidStatus as refusal:
        return str(refusal.response.status_code)


def answer_in(message: dict[str, Any]) -> str:
    """Return what a message answers; nothing if it is the error of a later one, and "" if it answers none."""
    if "error" in message:
        return "error" if message["error"] == NOT_UNDERSTOOD else "nothing"
    told = next((name for name in ("content", "chat", "said", "unread") if name in message), "")
    return str(message.get("status") or told)


def path_of(world: World, route: str, situation: str) -> str:
    named = {
        "<slug:slug>": world.slugs[situation],
        "<slug:event>": world.keys["event"] if situation == "public" else MISSING,
        "<slug:club>": world.keys["club"],
        "<str:username>": "mate",
    }
    return re.sub("<.*>", lambda found: named[found[0]], route)


def by_role(nobody: str, outsiders: str, players: str) -> dict[str, str]:
    return {"nobody": nobody, **dict.fromkeys(OUTSIDERS, outsiders), **dict.fromkeys(PLAYERS, players)}


def test_every_socket_has_a_row() -> None:
    assert [str(pattern.pattern) for pattern in websocket_urlpatterns] == [
        *ROWS,
        "",
    ]  # the last one refuses all other addresses


def test_the_answers_are_those_of_the_table(told: Told, world: World, subtests: pytest.Subtests) -> None:
    for route, cells in ROWS.items():
        for situation, cell in zip(("public", "private"), cells, strict=False):
            nobody, outsiders, players = cell.split()
            path = path_of(world, route, situation)
            with subtests.test(f"{route} {situation}"):
                found = {role: told(role, path) for role in ROLES}
                assert {
                    role: text if text.isdigit() or text == "numbers" else "content" for role, text in found.items()
                } == by_role(nobody, outsiders, players)


def answers_to(route: str) -> Mapping[str, Mapping[str, str]]:
    """Return what answers each kind of message on a socket, by the role of who sends it."""
    cells = {
        tuple(key.split()): cell.split() for key, cell in (line.split("|") for line in MESSAGES.strip().splitlines())
    }
    found = {kind: cells.get((route, kind)) or cells[route, "*"] for kind in KINDS}
    return {kind: by_role(nobody, outsiders, players) for kind, (nobody, outsiders, players) in found.items()}


def test_each_kind_of_message_is_answered_as_the_table_says(
    answered: Answered, world: World, subtests: pytest.Subtests
) -> None:
    """Whoever is not let in is closed out before they can send anything: one kind shows that."""
    for route in ROWS:
        path, wanted = path_of(world, route, "public"), answers_to(route)
        tried = [
            (kind, role)
            for kind, answers in wanted.items()
            for role, answer in answers.items()
            if answer != "4404" or kind == KINDS[0]
        ]
        with subtests.test(route):
            found = {(kind, role): answered(role, path, kind) for kind, role in tried}
            assert found == {(kind, role): wanted[kind][role] for kind, role in tried}


def test_staff_are_pushed_what_any_stranger_is(told: Told, world: World) -> None:
    path = path_of(world, "ws/match/<slug:slug>/", "public")
    assert told("staff", path) == told("stranger", path) != told("seat", path)


def test_a_private_match_and_none_close_alike(told: Told, world: World) -> None:
    for role in ("nobody", "stranger", "staff"):
        private, missing = (
            told(role, path_of(world, "ws/match/<slug:slug>/", situation)) for situation in ("private", "missing")
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
    with socket.create_connection((address.hostname or "", address.port or 0), timeout=60) as connection:
        connection.sendall(handshake.encode())
        assert connection.recv(1000).split()[1] == b"403"
