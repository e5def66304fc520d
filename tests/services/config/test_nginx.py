"""nginx in front of a site that is away or asked for too much."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from config.ops import stack
from config.ops.stack import free_port
from games.api.streams import places
from tests.people import act, client_of, person, running_match
from tests.services.config.stacked import Answer, Front
from tests.serving import Site
from tests.site.api.programs import token_of
from tests.site.config.processes import headers_of
from tests.unit.config.environment import ROOT
from tests.waiting import wait_until

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
def nginx_alone(folder: Path, upstream: int, **changed: str) -> Iterator[int]:
    """Run nginx in front of a port; yield its own port. It logs into the file `log`.

    Args:
        folder: for its files.
        upstream: the port.
        changed: what stands in its two files instead, by a name without meaning: "this => that".
    """
    (folder / "static" / "site").mkdir(parents=True)
    for page in ("away.html", "busy.html"):
        shutil.copy(ROOT / "static" / "site" / page, folder / "static" / "site")
    deploy = shutil.copytree(stack.DEPLOY, folder / "deploy")
    for change in changed.values():
        this, _arrow, that = change.partition(" => ")
        files = [deploy / f"{name}.conf.template" for name in ("site", "stack")]
        assert any(this in file.read_text() for file in files)
        for file in files:
            file.write_text(file.read_text().replace(this, that))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stack, "DEPLOY", deploy)
        with stack.nginx(folder, free_port(), [upstream], folder, str(folder / "log")) as service:
            yield service.port


def test_a_flood_of_requests_from_one_address_is_refused_and_a_class_of_pupils_is_not(tmp_path: Path) -> None:
    with nginx_alone(tmp_path, free_port()) as port:
        front = Front(port, {}, [])
        assert 429 not in {front.ask("GET", "/lobby/").status for _ in range(400)}
        flood = b"GET /lobby/ HTTP/1.1\r\nHost: x\r\n\r\n" * 900
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            connection.sendall(flood + b"GET /lobby/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            heard = b"".join(iter(lambda: connection.recv(65_536), b""))
        assert heard.count(b"HTTP/1.1 429") > 0
        assert b"Too many requests" in heard


def test_too_many_connections_from_one_address_are_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, ExitStack() as opened:
        port = opened.enter_context(
            nginx_alone(
                tmp_path, silent.getsockname()[1], connections="tessera_connections 1000; => tessera_connections 20;"
            )
        )
        for _ in range(20):
            connection = opened.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
            connection.sendall(b"GET /ws/lobby/ HTTP/1.1\r\nHost: x\r\n\r\n")
            opened.enter_context(silent.accept()[0])
        assert Front(port, {}, []).ask("GET", "/lobby/").status == 429


# --- programs ---------------------------------------------------------------------------------------------------------


def refusal(answer: Answer) -> tuple[int, str, str | None]:
    """Return status, code and when to come back of a refusal, which has to be a problem as programs expect one."""
    assert answer.headers["Content-Type"] == "application/problem+json", answer.body
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["Cache-Control"] == "no-store"
    told = json.loads(answer.body)
    assert set(told) >= {"type", "title", "status", "code", "detail"}
    assert told["status"] == answer.status
    if answer.status == 429:
        assert str(told["limit"]["seconds"]) == answer.headers["Retry-After"]
    return answer.status, told["code"], answer.headers["Retry-After"]


def test_programs_are_refused_in_their_own_form(tmp_path: Path) -> None:
    with nginx_alone(tmp_path, free_port(), burst="burst=500 => burst=5") as port:
        front = Front(port, {}, [])
        assert "The site is briefly unavailable" in front.ask("GET", "/api/").body
        for path in ("/api/v1/me", "/api/v1/stream/me"):
            assert refusal(front.ask("GET", path)) == (503, "unavailable", "5")
            large = front.ask("POST", path, form={"action": "x" * 600_000})
            assert refusal(large) == (413, "too-large", None)
        flood = [front.ask("GET", path) for path in ("/api/v1/me", "/api/v1/stream/me") for _ in range(300)]
        refused = {refusal(answer) for answer in flood}
        assert refused == {(503, "unavailable", "5"), (429, "too-many", "5")}


def test_a_site_that_is_too_slow_for_nginx_is_unavailable_to_programs(tmp_path: Path) -> None:
    short = "proxy_connect_timeout 2s; => proxy_connect_timeout 2s; proxy_read_timeout 1s;"
    with socket.create_server(("127.0.0.1", 0)) as silent, ExitStack() as opened:
        port = opened.enter_context(nginx_alone(tmp_path, silent.getsockname()[1], slow=short))
        assert refusal(Front(port, {}, []).ask("GET", "/api/v1/me")) == (503, "unavailable", "5")


@pytest.mark.django_db(transaction=True)
def test_a_stream_comes_through_line_by_line_and_ends_with_its_program(tmp_path: Path, live_site: Site) -> None:
    match, token = running_match([ann := person("ann"), person("bob")]), token_of(ann)
    with nginx_alone(tmp_path, int(live_site.url.rpartition(":")[2])) as port:
        visit = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        headers = {"Authorization": f"Bearer {token}", "Host": f"127.0.0.1:{port}"}
        visit.request("GET", f"/api/v1/stream/matches/{match.slug}", headers=headers)
        answer = visit.getresponse()
        assert json.loads(answer.readline())["type"] == "full"
        act(match, "skip")
        assert json.loads(answer.readline())["type"] == "state"
        assert places._own
        answer.close()
        visit.close()
        wait_until(lambda: not places._own)


KEY = "/account/password/reset/key/1-a-secret-from-a-mail/"


def errors_about(folder: Path, **changed: str) -> str:
    """Return what nginx logs while requests with a key fail: nobody answers, too many, too large, broken."""
    with nginx_alone(folder, free_port(), **changed) as port:
        front = Front(port, {}, [])
        assert front.ask("GET", KEY).status == 503
        assert front.ask("GET", f"/static{KEY}").status == 404
        head = f" {KEY} HTTP/1.1\r\nHost: x\r\n"
        broken = (
            f"POST{head}Content-Length: 600000\r\n\r\n",
            f"GET{head}X: {'x' * 9000}\r\n\r\n",
            f"GET{head}\0: \r\n\r\n",
        )
        for text in (*broken, f"GET{head}\r\n" * 900 + f"GET{head}Connection: close\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
                connection.sendall(text.encode())
                while connection.recv(65_536):
                    pass
    return (folder / "log").read_text()


def test_what_goes_wrong_is_logged_without_the_keys_of_mailed_links(tmp_path: Path) -> None:
    assert "secret" not in errors_about(tmp_path)


def test_with_the_level_of_debian_the_keys_would_be_logged(tmp_path: Path) -> None:
    """The mend switched off: what the test above looks for can be found."""
    assert errors_about(tmp_path, level="_LOG} crit; => _LOG} error;").count("a-secret-from-a-mail") > 2


AS_DEBIAN = (
    "access_log off;\n    client_body_temp => gzip on; gzip_proxied any; gzip_min_length 1;\n    client_body_temp"
)


def encodings(port: int, session: str, *paths: str) -> dict[tuple[str, bool], str | None]:
    """Return how each page, and each as a fragment, is encoded."""
    found = {}
    for path in paths:
        for fragment in (False, True):
            visit = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            headers = {"Accept-Encoding": "gzip", "Cookie": session, **({"HX-Request": "true"} if fragment else {})}
            visit.request("GET", path, headers={**headers, "Host": f"127.0.0.1:{port}"})
            answer = visit.getresponse()
            assert (answer.status, len(answer.read()) > 200) == (200, True), path
            found[path, fragment] = answer.headers["Content-Encoding"]
            visit.close()
    return found


@pytest.mark.django_db(transaction=True)
def test_pages_are_compressed_once_and_neither_fragments_nor_secrets(tmp_path: Path, live_site: Site) -> None:
    """Where nginx compresses what comes from elsewhere, as Debian's does; and with the mend switched off."""
    session = headers_of(client_of(person("ann")))["Cookie"]
    pages = ("/lobby/", "/settings/notices/", "/account/signup/", "/settings/")
    port = int(live_site.url.rpartition(":")[2])
    with nginx_alone(tmp_path / "ours", port, debian=AS_DEBIAN) as front:
        found = encodings(front, session, *pages[:2], pages[3])
        assert {key for key, encoding in found.items() if encoding} == {("/lobby/", False)}
        assert encodings(front, "", pages[2]) == {(pages[2], False): None, (pages[2], True): None}
    with nginx_alone(tmp_path / "open", port, debian=AS_DEBIAN, ours="    gzip off; => ") as front:
        assert set(encodings(front, session, *pages[:2]).values()) == {"gzip"}
