"""The headers of every answer: content policy, no framing, no caching, careful cookies."""

from __future__ import annotations

from collections.abc import Iterator
from http.cookies import Morsel
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as current
from django.test import Client, override_settings

from tests.people import PASSWORD, client_of, person
from tests.site.config.world import World
from tests.unit.config.environment import settings_of

POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
}

PERMITTED = {
    f"{name}=(self)" for name in ("publickey-credentials-create", "publickey-credentials-get", "clipboard-write")
}
"""Passkeys, and the buttons that copy links."""

pytestmark = pytest.mark.django_db


FRAMED = {"embed_match", "embed_puzzle", "embed_puzzle_of_day"}
"""What other people's pages may frame, and whose refusals: but for a wrong method."""

FRAMED_POLICY = POLICY - {"frame-ancestors 'none'", "form-action 'self'"} | {"frame-ancestors *", "form-action 'none'"}

KEPT = {
    "match_picture": "public, max-age=300",
    "matches_feed": "public, max-age=300",
    **dict.fromkeys(FRAMED, "public, max-age=10"),
    "calendar": "private, max-age=900",
    "face": "public, max-age=31536000, immutable",
    "idp:oidc:jwks": "max-age=3600, must-revalidate",
}
"""What may be kept a while: by everybody pictures and frames of public matches, feeds, faces, and keys that check who
somebody is; a calendar by its owner’s program."""


def assert_careful_at(name: str, response: Any) -> None:
    """Check an answer of an address; test_doors.py does so with every one that it gets."""
    is_kept = response["Cache-Control"] == KEPT.get(name)
    is_framed = name in FRAMED and response.status_code in {200, 404}
    assert_careful(response, KEPT[name] if is_kept else "no-store", framed=is_framed)


def assert_careful(response: Any, caching: str = "no-store", *, framed: bool = False) -> None:
    assert set(response["Content-Security-Policy"].split("; ")) == (FRAMED_POLICY if framed else POLICY)
    allowed = set(response["Permissions-Policy"].split(", "))
    assert {each for each in allowed if not each.endswith("=()")} == PERMITTED
    assert {"camera=()", "microphone=()", "geolocation=()", "usb=()", "payment=()"} <= allowed
    assert response.get("X-Frame-Options") == (None if framed else "DENY")
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    assert caching in response["Cache-Control"]
    varies = {word.strip() for word in response.get("Vary", "").split(",")}
    assert {"HX-Request", "Cookie"} & varies == (set() if "immutable" in caching else {"HX-Request", "Cookie"})
    assert "Server" not in response


def test_refusals_are_as_careful(client: Client) -> None:
    refused = Client(enforce_csrf_checks=True)
    assert_careful(client.get("/no/such/page/"))
    assert_careful(client.get("/lobby"))  # a redirect to the address with a slash
    assert_careful(client.get("/", headers={"Host": "evil.example"}))
    assert_careful(refused.post("/account/login/"))


@pytest.mark.parametrize("role", ["nobody", "seat"])
def test_a_fragment_for_htmx_is_as_careful(world: World, role: str) -> None:
    assert_careful(world.ask(role, "GET", world.path("replay"), **{"HX-Request": "true"}))


def test_a_page_and_its_fragment_are_told_apart_by_vary(world: World) -> None:
    path = world.path("replay")
    page, fragment = world.ask("seat", "GET", path), world.ask("seat", "GET", path, **{"HX-Request": "true"})
    assert page.content != fragment.content
    assert "HX-Request" in page["Vary"]


def test_htmx_loads_a_page_again_instead_of_keeping_it_in_a_history_cache(client: Client) -> None:
    assert '"history": "reload"' in client.get("/").content.decode()


@pytest.mark.parametrize(
    "headers", [{"Host": "evil.example"}, {"Host": "127.0.0.1.evil.example"}, {"Host": "127.0.0.1:80:80"}]
)
def test_a_foreign_host_name_is_refused(client: Client, headers: dict[str, str]) -> None:
    assert client.get("/account/password/reset/", headers=headers).status_code == 400


def test_a_proxys_host_name_is_not_believed(client: Client) -> None:
    response = client.get("/lobby/", headers={"X-Forwarded-Host": "evil.example"})
    assert response.status_code == 200
    assert b"evil.example" not in response.content


# --- over https -------------------------------------------------------------------------------------------------
@pytest.fixture
def secure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Client]:
    """Return a client of the site with SITE_URL https://tessera.example."""
    made = settings_of(monkeypatch, tmp_path, SITE_URL="https://tessera.example")
    names = [name for name in made if name.startswith(("SECURE_", "SESSION_", "CSRF_"))]
    with override_settings(**{name: made[name] for name in [*names, "ALLOWED_HOSTS", "SITE_URL"]}):
        yield Client(headers={"host": "tessera.example"})


def flags(cookie: Morsel[str]) -> tuple[bool, bool, str]:
    """Return whether scripts are kept out, whether it is for https only, and the same-site rule."""
    return bool(cookie["httponly"]), bool(cookie["secure"]), cookie["samesite"]


def test_https_is_kept_to(secure: Client) -> None:
    response = secure.get("/", secure=True)
    assert response["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains; preload"
    assert_careful(response)


def test_plain_http_is_led_to_https(secure: Client) -> None:
    response = secure.get("/lobby/?a=1")
    assert (response.status_code, response["Location"]) == (301, "https://tessera.example/lobby/?a=1")


def test_the_health_check_answers_a_load_balancer_without_https(secure: Client) -> None:
    assert secure.get("/healthz?live").status_code == 200


def test_other_host_names_are_refused_over_https_too(secure: Client) -> None:
    for host in ("127.0.0.1", "localhost", "evil.example"):
        assert secure.get("/", secure=True, headers={"host": host}).status_code == 400


@pytest.mark.parametrize("https", [False, True])
def test_cookies_are_kept_from_scripts_and_from_plain_http(https: bool, client: Client, request: Any) -> None:
    visitor = request.getfixturevalue("secure") if https else client
    user = person()
    visitor.get("/account/login/", secure=https)
    headers = {"Referer": "https://tessera.example/account/login/"} if https else {}
    visitor.post("/account/login/", {"login": user.username, "password": PASSWORD}, secure=https, headers=headers)
    assert flags(visitor.cookies["csrftoken"]) == (True, https, "Lax")
    assert flags(visitor.cookies[current.SESSION_COOKIE_NAME]) == (True, https, "Lax")


def test_logging_in_changes_the_session(client: Client) -> None:
    """A session planted before login (fixation) is worthless afterwards."""
    user = person()
    client.cookies[current.SESSION_COOKIE_NAME] = "planted"
    client.post("/account/login/", {"login": user.username, "password": PASSWORD})
    assert client.cookies[current.SESSION_COOKIE_NAME].value != "planted"
    thief = Client()
    thief.cookies[current.SESSION_COOKIE_NAME] = "planted"
    assert thief.get("/settings/").status_code == 302


def test_a_session_known_before_logging_in_is_not_logged_in(client: Client) -> None:
    before = client_of(person()).cookies[current.SESSION_COOKIE_NAME].value
    client.cookies[current.SESSION_COOKIE_NAME] = before
    client.post("/account/logout/")
    thief = Client()
    thief.cookies[current.SESSION_COOKIE_NAME] = before
    assert thief.get("/settings/").status_code == 302
