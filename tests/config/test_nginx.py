"""nginx in front of a site that is away or asked for too much."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from config import stack
from config.database_servers import free_port
from tests.config.environment import ROOT
from tests.config.stacked import Front

pytestmark = pytest.mark.services


def test_without_any_web_process_nginx_says_that_the_site_is_away(tmp_path: Path) -> None:
    (tmp_path / "static" / "site").mkdir(parents=True)
    shutil.copy(ROOT / "static" / "site" / "away.html", tmp_path / "static" / "site")
    with stack.nginx(tmp_path, free_port(), [free_port(), free_port()], tmp_path) as service:
        answer = Front(service.port, {}, []).ask("GET", "/lobby/")
    assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "The site is briefly unavailable" in answer.body


@contextmanager
def nginx_alone(folder: Path, upstream: int, connections: int = 1000) -> Iterator[int]:
    """Run nginx in front of a port, with a limit of connections per address; yield its own port."""
    (folder / "static" / "site").mkdir(parents=True)
    shutil.copy(ROOT / "static" / "site" / "busy.html", folder / "static" / "site")
    deploy = shutil.copytree(stack.DEPLOY, folder / "deploy")
    site = deploy / "site.conf.template"
    site.write_text(site.read_text().replace("tessera_connections 1000;", f"tessera_connections {connections};"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stack, "DEPLOY", deploy)
        with stack.nginx(folder, free_port(), [upstream], folder) as service:
            yield service.port


def test_a_flood_of_requests_from_one_address_is_refused_and_a_class_of_pupils_is_not(tmp_path: Path) -> None:
    with nginx_alone(tmp_path, free_port()) as port:
        front = Front(port, {}, [])
        assert 429 not in {front.ask("GET", "/lobby/").status for _ in range(400)}
        flood = b"GET /lobby/ HTTP/1.1\r\nHost: x\r\n\r\n" * 900
        with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
            connection.sendall(flood + b"GET /lobby/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            heard = b"".join(iter(lambda: connection.recv(65_536), b""))
        assert heard.count(b"HTTP/1.1 429") > 0
        assert b"Too many requests" in heard


def test_too_many_connections_from_one_address_are_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, ExitStack() as opened:
        port = opened.enter_context(nginx_alone(tmp_path, silent.getsockname()[1], connections=20))
        for _ in range(20):
            connection = opened.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
            connection.sendall(b"GET /ws/lobby/ HTTP/1.1\r\nHost: x\r\n\r\n")
            opened.enter_context(silent.accept()[0])
        assert Front(port, {}, []).ask("GET", "/lobby/").status == 429
