"""Pages over HTTP: whole requests in, whole answers out."""

from __future__ import annotations

import http.client
import socket
import time
from collections.abc import Iterator
from urllib.parse import urlencode, urlsplit

import pytest

from config.protocol import MAX_REQUEST
from games.play.models import Action
from tests.people import Kinds, client_of
from tests.serving import Site
from tests.site.config.processes import headers_of


@pytest.fixture
def connection(live_site: Site) -> Iterator[http.client.HTTPConnection]:
    address = urlsplit(live_site.url)
    opened = http.client.HTTPConnection(address.hostname or "", address.port, timeout=60)
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
    connection.request("POST", "/account/login/", body=b"x" * (MAX_REQUEST * 3 // 2))
    assert answer(connection)[0] == 413


def test_an_address_that_was_not_escaped_is_refused(connection: http.client.HTTPConnection) -> None:
    connection.connect()
    connection.sock.sendall("GET /archive/?player=änn HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    assert connection.sock.recv(100).split()[1] == b"400"


def test_a_form_of_which_a_part_never_arrives_is_not_handled(live_site: Site, kinds: Kinds) -> None:
    address = urlsplit(live_site.url)
    fields = {"action": "end", "version": kinds.match.version, "client_id": "a-move-of-this-test"}
    body = urlencode(fields).encode()
    lines = {"Host": address.netloc, "Content-Length": len(body) + 1, **headers_of(client_of(kinds.seated))}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    with socket.create_connection((address.hostname, address.port), timeout=60) as half:
        half.sendall(f"POST /match/{kinds.match.slug}/act/ HTTP/1.1\r\n{head}\r\n".encode() + body)
    time.sleep(0.5)
    assert not Action.objects.exists()
