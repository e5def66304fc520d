"""Whatever address people give us, we send only to the public internet, and never for long."""

from __future__ import annotations

import socket
import threading
import time
from ipaddress import ip_address
from pathlib import Path

import pytest
from django.core.checks import run_checks
from pytest_django import Settings

from games.notifications.channels import http
from games.notifications.channels.http import Refused, Unanswered, is_public, post
from tests.site.notifications.conftest import Names
from tests.site.notifications.listening import Listener, certificate_for, listening

PRIVATE = [
    "127.0.0.1",
    "127.8.8.8",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "0.1.2.3",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "2001:0:808:808::80ff:fffe",
    "2001:db8::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "100::1",
    "4000::1",
]
PUBLIC = [
    "1.1.1.1",
    "172.32.0.1",
    "192.169.0.1",
    "2606:4700:4700::1111",
    "::ffff:1.1.1.1",
    "64:ff9b::101:101",
    "2002:101:101::1",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_is_not_of_the_public_internet_is_none(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_of_the_public_internet_is_one(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize("address", PRIVATE)
def test_nothing_is_sent_to_a_name_that_leads_to_a_private_network(address: str, names: Names) -> None:
    looks = names("hooks.example", [address])
    with pytest.raises(Refused, match="private network"):
        post("https://hooks.example/x", b"", {})
    assert looks == ["hooks.example"]


def test_nothing_is_sent_to_a_name_that_leads_to_a_private_network_as_well(names: Names) -> None:
    names("hooks.example", ["1.1.1.1", "10.0.0.1"])
    with pytest.raises(Refused, match="private network"):
        post("https://hooks.example/x", b"", {})


@pytest.mark.parametrize(
    "address",
    [
        "https://127.0.0.1/",
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0x7f.1/",
        "https://017700000001/",
        "https://0177.0.0.1/",
        "https://0/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:7f00:1]/",
        "https://[fd00::1]/",
        "https://[fe80::1%25lo]/",
        "https://169.254.169.254/latest/meta-data/",
        "https://localhost/",
        "https://LOCALHOST./",
    ],
)
def test_nothing_is_sent_to_this_machine_however_it_is_written(address: str) -> None:
    with pytest.raises((Refused, Unanswered)) as caught:
        post(address, b"", {})
    # What the resolver of this machine does not understand was not reached either.
    assert caught.type is Refused or isinstance(caught.value.__cause__, socket.gaierror | UnicodeError)


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/",
        "ftp://example.org/",
        "file:///etc/passwd",
        "gopher://example.org/",
        "//example.org/",
        "example.org",
        "",
        "https://",
        "https:///path",
        "https://user@example.org/",
        "https://user:word@example.org/",
        "https://@example.org/",
        "https://example.org\\@127.0.0.1/",
        "https://example.org:80/",
        "https://example.org:22/",
        "https://example.org:8443/",
        "https://example.org:nonsense/",
        "https://example.org:99999/",
        "https://exa mple.org/",
        "https://example.org/\r\nX-Header: y",
        "https://example.org/\tx",
        "https://example.org/ü",
        "https://[::1/",
    ],
)
def test_an_address_that_is_not_plain_https_is_refused_before_anything_is_looked_up(address: str, names: Names) -> None:
    looks = names("example.org", ["1.1.1.1"])
    with pytest.raises(Refused):
        post(address, b"", {})
    assert looks == []


def test_a_name_is_looked_up_once_and_the_connection_goes_where_that_look_led(listener: Listener, names: Names) -> None:
    looks = names("hooks.example", ["127.0.0.1"], ["10.0.0.1"])
    assert post(f"http://hooks.example:{listener.port}/a?b=c", b"body", {"X-Mine": "1"}).status == 201
    assert looks == ["hooks.example"]
    (heard,) = listener.heard
    assert (heard.path, heard.body, heard.headers["X-Mine"]) == ("/a?b=c", b"body", "1")
    assert heard.headers["Host"] == f"hooks.example:{listener.port}"


def test_the_next_message_looks_again(listener: Listener, names: Names) -> None:
    names("hooks.example", ["127.0.0.1"], ["10.0.0.1"])
    post(f"http://hooks.example:{listener.port}/", b"", {})
    with pytest.raises(Refused):
        post(f"http://hooks.example:{listener.port}/", b"", {})
    assert len(listener.heard) == 1


def test_the_host_proves_who_it_is_though_the_connection_goes_to_an_address(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, names: Names
) -> None:
    settings.SEND_TO_LOOPBACK = True
    certificate = certificate_for("hooks.example", tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with listening(certificate) as listener:
        names("hooks.example", ["127.0.0.1"])
        assert post(f"https://hooks.example:{listener.port}/", b"x", {}).status == 201
        names("other.example", ["127.0.0.1"])
        with pytest.raises(Unanswered, match="SSL"):
            post(f"https://other.example:{listener.port}/", b"x", {})
    assert [heard.headers["Host"] for heard in listener.heard] == [f"hooks.example:{listener.port}"]


def test_a_certificate_nobody_vouches_for_is_refused(settings: Settings, tmp_path: Path, names: Names) -> None:
    settings.SEND_TO_LOOPBACK = True
    with listening(certificate_for("hooks.example", tmp_path)) as listener:
        names("hooks.example", ["127.0.0.1"])
        with pytest.raises(Unanswered, match="SSL"):
            post(f"https://hooks.example:{listener.port}/", b"x", {})
    assert listener.heard == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(status: int, listener: Listener) -> None:
    with listening() as inner:
        listener.status, listener.headers = status, {"Location": f"{inner.url}/secret"}
        assert post(listener.url, b"", {}).status == status
        assert inner.heard == []


def test_no_proxy_of_the_environment_is_asked(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    with listening() as proxy:
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert post(listener.url, b"", {}).status == 201
        assert proxy.heard == []


def test_an_answer_without_an_end_is_not_read(listener: Listener) -> None:
    listener.forever = True
    assert post(listener.url, b"", {}).status == 201


def test_nobody_there_is_no_answer(listener: Listener) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(Unanswered):
        post(f"http://127.0.0.1:{port}/", b"", {})


def test_an_answer_that_drips_is_cut_off(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each piece arrives within the time for a piece; the whole never does.

    The thread that cuts it off is held up afterwards, so the caller wakes before that thread has ended.
    """
    shutdown = socket.socket.shutdown

    def cut_and_dawdle(connection: socket.socket, how: int) -> None:
        shutdown(connection, how)
        time.sleep(0.5)

    monkeypatch.setattr(socket.socket, "shutdown", cut_and_dawdle)
    settings.SEND_TO_LOOPBACK = True
    monkeypatch.setattr(http, "ANSWER_WITHIN", 0.3)
    ended = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=drip, args=(server, ended), daemon=True)
        thread.start()
        try:
            with pytest.raises(Unanswered):
                post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"", {})
        finally:
            ended.set()
            thread.join(60)


def drip(server: socket.socket, ended: threading.Event) -> None:
    """Answer with a header, one byte at a time."""
    connection, _ = server.accept()
    with connection:
        connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
        while not ended.is_set():
            try:
                connection.sendall(b"x")
            except OSError:
                return
            time.sleep(0.05)


@pytest.mark.django_db  # newer checks of models ask the database what it can
def test_a_site_that_would_send_to_this_machine_does_not_start(settings: Settings) -> None:
    assert "tessera.E020" not in {found.id for found in run_checks()}
    settings.SEND_TO_LOOPBACK = True
    assert "tessera.E020" in {found.id for found in run_checks()}


def test_the_table_notices_a_look_that_is_left_out(monkeypatch: pytest.MonkeyPatch, names: Names) -> None:
    """The sabotaged variant: every address is public."""
    monkeypatch.setattr(http, "is_public", lambda _address: True)
    monkeypatch.setattr(http, "ANSWER_WITHIN", 0.2)
    names("hooks.example", ["127.0.0.1"])
    with pytest.raises(Unanswered):  # it was tried: nothing listens on that port
        post("https://hooks.example/x", b"", {})
