"""Error pages: in the site's frame, with the right status, without a traceback."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from pytest_django import Settings

from tests.people import PASSWORD, client_of, person
from tests.site.config.console import Console, console
from tests.site.config.failing import away


def _fails(*_: object) -> None:
    raise away()


__all__ = ["console"]

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.site.config.failing")]


@pytest.fixture(params=[False, True], ids=["nobody", "somebody"])
def visitor(request: pytest.FixtureRequest, db: None) -> Client:
    client = client_of(person()) if request.param else Client()
    client.raise_request_exception = False
    return client


def assert_framed(response: Any, status: int) -> None:
    """Check for a whole page of ours that says what is wrong, has a link to go on, and shows no internals."""
    page = response.content.decode()
    assert response.status_code == status
    assert response["Content-Type"] == "text/html; charset=utf-8"
    assert page.startswith("<!DOCTYPE html>")
    assert 'class="site-header"' in page
    assert len(re.findall(r"<h1[ >]", page)) == 1
    assert 'class="button' in page
    for inside in ("Traceback", "secret", "Error", "django", "sqlite"):
        assert inside not in page
    assert response["Cache-Control"] == "no-store"
    assert "default-src 'none'" in response["Content-Security-Policy"]


@pytest.mark.parametrize("status", [400, 403, 500, 503])
def test_a_view_that_fails(visitor: Client, status: int) -> None:
    assert_framed(visitor.get(f"/fails/{status}/"), status)


def test_an_address_without_a_page(visitor: Client) -> None:
    assert_framed(visitor.get("/no/such/page/"), 404)


@pytest.mark.parametrize(
    ("meant", "address"),
    [
        ("/lobbby/", "/lobby/"),
        ("/my-matches/", "/matches/"),
        ("/shiftingstones/", "/rules/shifting-stones/"),
        ("/rules/small_island/", "/rules/small-islands/"),
        ("/leaderbord/", "/leaderboard/"),
        ("/history", "/archive/"),
        ("/@Anna/", "/@Annabel/"),
        ("/@ＡNN/x/", "/@Annabel/"),
    ],
)
def test_an_address_without_a_page_guesses_what_was_meant(visitor: Client, meant: str, address: str) -> None:
    person("Annabel")
    page = visitor.get(meant).content.decode()
    guessed = page[page.index('id="guesses"') : page.index("</ul>", page.index('id="guesses"'))]
    assert f'<a href="{address}">' in guessed


@pytest.mark.parametrize(
    "address", ["/no/such/page/", "/@/", "/@nobody/", "/%00/", "/" + "x/" * 2000, "/@" + "y" * 900]
)
def test_without_an_idea_nothing_is_guessed(visitor: Client, address: str) -> None:
    assert b'id="guesses"' not in visitor.get(address).content


def test_a_guess_names_nobody_who_is_gone(visitor: Client) -> None:
    person("Annabel", is_active=False)
    assert b"Annabel" not in visitor.get("/@Anna/").content


@pytest.mark.parametrize("address", ["/fails/400/", "/fails/403/", "/no/such/page/", "/fails/500/", "/fails/503/"])
def test_every_refusal_leads_on(visitor: Client, address: str) -> None:
    page = visitor.get(address).content.decode()
    main = page[page.index("<main") : page.index("</main>")]
    if address[-4:-1] in {"500", "503"}:  # without the database: the page may be what is broken
        assert "Try again" in main
        assert "safe" in main
        return
    assert 'href="/lobby/"' in main
    assert 'href="/rules/shifting-stones/"' in main
    assert ('href="/matches/"' in main) == ("tessera_session" in visitor.cookies)


def test_a_wrong_method(visitor: Client) -> None:
    response = visitor.post("/lobby/")
    assert_framed(response, 405)
    assert response["Allow"] == "GET, HEAD"


def test_a_form_without_its_token(visitor: Client) -> None:
    visitor.handler.enforce_csrf_checks = True
    assert_framed(visitor.post("/account/login/"), 403)


def test_a_foreign_host_name(visitor: Client) -> None:
    assert_framed(visitor.get("/", headers={"Host": "evil.example"}), 400)


def test_away_says_when_to_try_again(visitor: Client) -> None:
    assert visitor.get("/fails/503/")["Retry-After"] == "5"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL says ProgrammingError")
def test_a_missing_table_is_our_mistake_and_not_an_absent_database(visitor: Client) -> None:
    assert_framed(visitor.get("/fails/table/"), 500)


@pytest.mark.parametrize("address", ["/lobby/", "/settings/", "/match/abcdefghjk/"])
def test_no_question_to_the_database_is_answered(visitor: Client, address: str) -> None:
    """With a user logged in, the middleware that loads the session fails first."""
    if "tessera_session" not in visitor.cookies:
        visitor.cookies["tessera_session"] = "something"
    with connection.execute_wrapper(_fails):
        assert_framed(visitor.get(address), 503)


def test_who_logs_in_while_attempts_cannot_be_counted_is_asked_to_come_back(client: Client, settings: Settings) -> None:
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/0"}
    }
    ann = person("ann")
    assert_framed(client.post("/account/login/", {"login": ann.username, "password": PASSWORD}), 503)
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("status", [400, 403, 404, 405, 500, 503])
def test_htmx_gets_the_same_status_which_the_page_puts_into_words(visitor: Client, status: int) -> None:
    address = {404: "/no/such/page/", 405: "/lobby/"}.get(status, f"/fails/{status}/")
    send = visitor.post if status == 405 else visitor.get
    assert send(address, headers={"HX-Request": "true"}).status_code == status


def test_htmx_swaps_no_page_of_an_error_into_the_board(client: Client) -> None:
    page = client.get("/").content.decode()
    assert '"noSwap": [204, 304, 400, 401, 403, 404, 405, 413, 429, "5xx"]' in page


def test_htmx_leads_to_the_login_and_back_to_the_match(client: Client) -> None:
    response = client.post("/match/abcdefghjk/act/", headers={"HX-Request": "true"})
    assert response["HX-Redirect"] == "/account/login/?next=/match/abcdefghjk/"
    assert "Location" not in response


def test_too_large_a_request_is_refused_in_words(visitor: Client) -> None:
    assert_framed(visitor.post("/account/login/", {"login": "x" * 300_000}), 413)


def test_an_outage_is_logged_in_one_line(client: Client, console: Console) -> None:
    for _ in range(3):
        client.get("/fails/503/")
    (line,) = console.lines
    assert "the database is away, and what needs it waits" in line


MULTIPART = "multipart/form-data; boundary=b"
WRONG: dict[str, dict[str, Any]] = {
    "host": {"method": "GET", "HTTP_HOST": "evil.example'\r\n" + "x" * 2_000},
    "too many fields": {"data": "a=1&" * 300, "content_type": "application/x-www-form-urlencoded"},
    "too large": {"data": "a=" + "x" * 400_000, "content_type": "application/x-www-form-urlencoded"},
    "another charset": {"data": "a=1", "content_type": "application/x-www-form-urlencoded; charset=utf-16"},
    "no boundary": {"data": "a=1", "content_type": "multipart/form-data"},
    "broken boundary": {"data": "a=1", "content_type": "multipart/form-data; boundary=\xff"},
    "unknown charset of a name": {
        "data": "--b\r\nContent-Disposition: form-data; name*=nonsense''x\r\n\r\n1\r\n--b--\r\n",
        "content_type": MULTIPART,
    },
    "session": {"method": "GET", "HTTP_COOKIE": "tessera_session=../../etc"},
}


@pytest.mark.parametrize("what", list(WRONG))
def test_what_a_stranger_sends_wrong_is_one_line_and_no_error(client: Client, console: Console, what: str) -> None:
    """Anybody can repeat it: a refused `Host` was a traceback each time, at the level of our own faults."""
    client.raise_request_exception = False
    wrong = dict(WRONG[what])
    method = wrong.pop("method", "POST")
    assert client.generic(method, "/account/login/", **wrong).status_code in {200, 400, 403, 413}
    assert len(console.lines) <= 1
    assert not any(len(line) > 400 or " ERROR " in line for line in console.lines)
