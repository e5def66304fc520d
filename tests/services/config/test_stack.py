"""Several processes behind nginx, as config/deploy describes a real site, act as one site."""

from __future__ import annotations

import http.client
import json
import os
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from pytest_django import DjangoDbBlocker, Settings
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from accounts.models import User
from config.ops import stack
from config.ops.stack import free_port
from games.play.live.frames import Close
from games.play.models import Match
from games.play.reducer import positions
from tests.people import PASSWORD, act, client_of, eager, open_table, person, running_match
from tests.services.config.stacked import Front, Page, dial_both, seconds_of, shared_database, stacked, wait_until

pytestmark = pytest.mark.services

IDLE = seconds_of("TESSERA_IDLE_SECONDS", 2)
"""How long a socket does nothing; the nightly run asks for 600."""


TURNS = 20
"""Actions after which somebody resigns."""


@pytest.fixture(scope="module")
def db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """What all tests of this file share with the site. Only for a fixture of this name does pytest-django make it."""
    with shared_database(django_db_blocker):
        yield


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory, db: None) -> Iterator[Front]:
    """The stack, once for all tests of this file."""
    with stacked(tmp_path_factory.mktemp("stack"), os.environ["REDIS_URL"]) as front:
        yield front


def board(socket: ClientConnection, version: int, seconds: float = 60) -> bool:
    """Wait for the board of a version; return whether it was pushed before a heartbeat named it."""
    deadline = time.monotonic() + seconds
    by_itself = True
    while True:
        message = json.loads(socket.recv(timeout=max(0.0, deadline - time.monotonic())))
        if "content" in message and message["version"] >= version:
            return by_itself
        by_itself = by_itself and (message.get("version") or 0) < version


def closing_code(socket: ClientConnection) -> int | None:
    try:
        while True:
            socket.recv(timeout=60)
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else int(closed.rcvd.code)


def test_a_match_is_played_with_the_two_players_on_different_web_processes(front: Front) -> None:
    people = [person(), person()]
    clients = [client_of(user) for user in people]
    match = running_match(people)
    with ExitStack() as opened:
        both = [dial_both(front, f"/ws/match/{match.slug}/", client) for client in clients]
        for socket in (socket for sockets_of in both for socket in sockets_of.values()):
            opened.enter_context(socket)
        first, second = both[0]
        pages = [both[0][first], both[1][second]]
        servers, announced = set(), 0
        for turn in range(TURNS):
            match.refresh_from_db()
            seat = match.seats.get(to_move=True).number
            text = eager(match, positions.legal_texts(match, seat))
            form = {"action": text, "version": str(match.version), "client_id": f"turn-{turn:08}"}
            answer = front.ask("POST", f"{match.get_absolute_url()}act/", clients[seat], form=form)
            assert answer.status == 200
            servers.add(answer.headers["X-Served-By"])
            version = int(answer.headers["X-Match-Version"])
            announced += sum(board(page, version) for page in pages)
        front.ask("POST", f"{match.get_absolute_url()}resign/", clients[0], form={"client_id": "enough-of-it"})
        match.refresh_from_db()
        for page in pages:
            board(page, match.version)
    assert match.status == Match.Status.OVER
    assert servers == {first, second}
    assert announced > TURNS  # of two for each turn; the others met a heartbeat on their way


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1:{other}", "https://127.0.0.1:{port}"])
def test_a_socket_of_another_origin_is_refused_behind_nginx_too(front: Front, origin: str) -> None:
    match = running_match([person(), person()])
    foreign = origin.format(port=front.port, other=front.port + 1)
    with (
        pytest.raises((ConnectionClosed, InvalidStatus), match=r"403"),
        front.dial(f"/ws/match/{match.slug}/", Origin=foreign) as socket,
    ):
        socket.recv(timeout=60)


def test_a_form_of_another_origin_is_refused_behind_nginx_too(front: Front) -> None:
    form = {"login": "ann", "password": PASSWORD}
    own, foreign = (
        front.ask("POST", "/account/login/", form=form, headers={"Origin": origin}).status
        for origin in (front.origin, "https://evil.example")
    )
    assert (own, foreign) == (200, 403)


def test_the_address_of_a_visitor_is_the_one_nginx_saw_and_not_the_one_they_claim(
    front: Front, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]  # the site has no faster one
    ann = person("ann")
    form = {"login": "ann", "password": PASSWORD}
    answer = front.ask("POST", "/account/login/", form=form, headers={"X-Forwarded-For": "203.0.113.9"})
    assert answer.status in {200, 302}
    assert UserSession.objects.get(user=ann).ip == "127.0.0.1"


def test_more_than_anybody_has_to_say_is_refused(front: Front) -> None:
    assert front.ask("POST", "/account/login/", form={"login": "x" * 600_000}).status == 413


def test_an_idle_socket_behind_nginx_stays_open_and_hears(front: Front) -> None:
    ann, ben = person(), person()
    match = running_match([ann, ben])
    with front.dial(f"/ws/match/{match.slug}/") as socket:
        end = time.monotonic() + IDLE
        while time.monotonic() < end:
            socket.recv(timeout=60)
        match.refresh_from_db()
        form = {"action": "end", "version": str(match.version), "client_id": "after-a-while"}
        assert front.ask("POST", f"{match.get_absolute_url()}act/", client_of(ann), form=form).status == 200
        board(socket, match.version + 1)


def _log_out(front: Front, client: Client, user: User) -> None:
    assert front.ask("POST", "/account/logout/", client).status in {200, 302}


def _change_password(front: Front, client: Client, user: User) -> None:
    user.set_password("another long wooden table")
    user.save()


def _deactivate(front: Front, client: Client, user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def test_the_sockets_of_every_process_close_soon_after_logout_new_password_and_deactivation(
    front: Front,
) -> None:
    events = (_log_out, _change_password, _deactivate)
    people = [person() for _ in events]
    match = running_match(people)
    clients = [client_of(user) for user in people]
    with ExitStack() as opened:
        dialled = [dial_both(front, f"/ws/match/{match.slug}/", client) for client in clients]
        open_sockets = [opened.enter_context(socket) for both in dialled for socket in both.values()]
        for socket in open_sockets:
            board(socket, match.version)
        for event, client, user in zip(events, clients, people, strict=True):
            event(front, client, user)
        assert [closing_code(socket) for socket in open_sockets] == [Close.SESSION_ENDED] * 6


def test_the_sockets_of_every_process_close_soon_after_leaving_a_private_table(front: Front) -> None:
    host, leaver = person(), person()
    match = open_table([host, leaver], seats=3, visibility=Match.Visibility.PRIVATE)
    client = client_of(leaver)
    both = dial_both(front, f"/ws/match/{match.slug}/", client)
    with ExitStack() as opened:
        for socket in both.values():
            opened.enter_context(socket)
            board(socket, match.version)
        assert front.ask("POST", f"/tables/{match.slug}/leave/", client).status in {200, 302}
        assert {closing_code(socket) for socket in both.values()} == {Close.NO_ACCESS}


# --- restarts ---------------------------------------------------------------------------------------------------------


def test_web_processes_renewed_one_by_one_leave_no_gap_and_pages_are_back_within_five_seconds(front: Front) -> None:
    match = running_match([person(), person()])
    statuses: list[int] = []
    renewed = threading.Event()

    def visit() -> None:
        while not renewed.wait(0.05):
            statuses.append(front.ask("GET", match.get_absolute_url()).status)

    visitor = threading.Thread(target=visit)
    with ExitStack() as visiting, Page(front, match) as page, Page(front, match) as another:
        visiting.callback(renewed.set)
        visitor.start()
        for part in front.parts[: stack.WEB_PROCESSES]:
            part.process.terminate()
            assert part.process.wait(60) == 0
            front.running.enter_context(stack.web(part.port, front.environment))
            act(match, "end")
            assert wait_until(lambda: page.version == another.version == match.version, 5)
        renewed.set()
        visitor.join(60)
    assert set(statuses) == {200}


def test_behind_tls_sockets_open_and_pages_know_that_they_are_secure(front: Front, tmp_path: Path) -> None:
    listen, web = free_port(), front.parts[0].port
    certificate, key = self_signed(tmp_path)
    (tmp_path / "more").mkdir()
    tls = {"NGINX_LISTEN_TLS": f"127.0.0.1:{listen}", "TLS_CERTIFICATE": str(certificate), "TLS_KEY": str(key)}
    stack.fill("tls.conf.template", tmp_path / "more" / "tls.conf", tls)
    match = running_match([person(), person()])
    trusting = ssl.create_default_context(cafile=certificate)
    origin = f"https://127.0.0.1:{listen}"
    with (
        stack.nginx(tmp_path, free_port(), [web], Path(front.environment["DATA_DIR"])),
        connect(
            f"wss://127.0.0.1:{listen}/ws/match/{match.slug}/", ssl=trusting, origin=Origin(origin), open_timeout=60
        ) as socket,
    ):
        board(socket, match.version)
        visit = http.client.HTTPSConnection("127.0.0.1", listen, context=trusting)
        visit.request("GET", "/account/login/")
        assert visit.getresponse().status == 200
        visit.close()


def self_signed(folder: Path) -> tuple[Path, Path]:
    """Write a certificate for this machine and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    what = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key)]
    subprocess.run([*made, *what, "-out", str(certificate)], check=True, capture_output=True)
    return certificate, key
