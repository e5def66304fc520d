"""What holds for every address below /api/: who asks, how refusals look, and how often one may ask."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
import time_machine
from django.db import OperationalError
from django.test import Client, override_settings
from django.utils import timezone

from config import asgi
from config.ops import outages
from games.api import authentication
from games.api.authentication import Caller
from games.api.models import Scope
from games.moderation import people as moderators
from tests.people import client_of, person, running_match
from tests.site.api.programs import Program, refusal

pytestmark = pytest.mark.django_db


def test_a_session_logs_nobody_in_and_no_cookie_is_set() -> None:
    answer = client_of(person("ann")).get("/api/v1/me")
    assert refusal(answer) == (401, "token")
    assert answer["WWW-Authenticate"] == 'Bearer realm="api"'
    assert not answer.cookies
    reply = Program.of(person("bob")).ask("GET", "me")
    assert not reply.cookies
    assert reply["Cache-Control"] == "no-store"


# A line is: how it is asked | status and code.
REFUSED = """
GET /api/v1/nothing            | 404 not-found
GET /api/nothing               | 404 not-found
GET /api/v1                    | 404 not-found
GET /api/v1/                   | 404 not-found
POST /api/v1/nothing           | 404 not-found
GET /api/v1/me                 | 401 token
POST /api/v1/me                | 405 method
GET /api/v1/me?x=%00           | 400 malformed
"""


@pytest.mark.parametrize("row", REFUSED.strip().splitlines())
def test_every_refusal_is_a_problem(row: str) -> None:
    asked, wanted = (cell.strip() for cell in row.split("|"))
    method, path = asked.split()
    status, code = refusal(getattr(Client(), method.lower())(path, content_type="application/json"))
    assert f"{status} {code}" == wanted


def test_bodies_that_are_too_large_or_no_json() -> None:
    program = Program.of(person("ann"))

    def posted(body: bytes, kind: str = "application/json") -> tuple[int, str]:
        headers = {"Authorization": f"Bearer {program.token}"}
        return refusal(Client().post("/api/v1/me", body, content_type=kind, headers=headers))

    assert posted(b"x" * 70_000) == (413, "too-large")
    assert posted(b"{") == (400, "malformed")
    assert posted(b'"\\ud800"', "text/plain") == (400, "malformed")


@pytest.mark.parametrize("header", ["Basic YTpi", "Bearer", "Bearer tes_" + "x" * 40, "nonsense", "Bearer ses_x"])
def test_a_header_that_is_no_valid_token(header: str) -> None:
    assert refusal(Client().get("/api/v1/me", headers={"Authorization": header})) == (401, "token")


def test_a_host_that_is_not_ours() -> None:
    assert refusal(Client().get("/api/v1/me", headers={"Host": "evil.example"})) == (400, "malformed")


@pytest.mark.parametrize("debug", [False, True])
def test_a_mistake_of_ours_is_a_problem_too(monkeypatch: pytest.MonkeyPatch, debug: bool) -> None:
    program = Program.of(person("ann"))
    monkeypatch.setattr(authentication, "check_scope", lambda *_: 1 / 0)
    client = Client(raise_request_exception=False)
    with override_settings(DEBUG=debug):
        answer = client.get("/api/v1/me", headers={"Authorization": f"Bearer {program.token}"})
    assert refusal(answer) == (500, "server-error")
    assert b"ZeroDivision" not in answer.content


def test_while_the_database_is_away_programs_are_told_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program.of(person("ann"))

    def fails(*_: Any) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(authentication, "check_scope", fails)
    client = Client(raise_request_exception=False)
    answer = client.get("/api/v1/me", headers={"Authorization": f"Bearer {program.token}"})
    outages.DATABASE.forget()
    assert refusal(answer) == (503, "unavailable")
    assert answer["Retry-After"] == "5"


def test_what_is_refused_before_django_sees_it_is_a_problem_too() -> None:
    headers, body = asgi._refusal("/api/v1/me", 503, asgi.RESTARTING, 5)
    told = msgspec.json.decode(body)
    assert dict(headers)[b"content-type"] == b"application/problem+json"
    assert dict(headers)[b"retry-after"] == b"5"
    assert (told["status"], told["code"], told["detail"]) == (503, "unavailable", asgi.RESTARTING)
    assert dict(asgi._refusal("/", 503, asgi.RESTARTING, 5)[0])[b"content-type"].startswith(b"text/plain")


def test_a_token_without_the_scope_is_told_which_it_lacks() -> None:
    answer = Program.of(person("ann"), Scope.PLAY).ask("GET", "me")
    assert refusal(answer) == (403, "scope")
    assert msgspec.json.decode(answer.content)["scope"] == "read"


def test_who_is_warned_does_nothing_before_they_have_read_it() -> None:
    ann = person("ann")
    program = Program.of(ann)
    moderators.warn(None, ann, "Because")
    assert refusal(program.ask("GET", "me")) == (403, "warned")


def test_any_site_may_ask_but_without_cookies() -> None:
    asked = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    answer = Client().options("/api/v1/me", headers=asked)
    assert answer.status_code == 204
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Authorization" in answer["Access-Control-Allow-Headers"]
    for reply in (answer, Program().ask("GET", "me"), Program.of(person("ann")).ask("GET", "me")):
        assert reply["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in reply
        assert "Authorization" in reply["Vary"]


def test_sixty_at_once_then_twenty_a_second_and_the_limit_says_its_name_and_how_long() -> None:
    ann, visitor = Program.of(person("ann")), Program()
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for program in (ann, visitor):
            assert answered(program, 80) == 60
            answer = program.ask("GET", "me")
            assert refusal(answer) == (429, "too-many")
            told: Any = msgspec.json.decode(answer.content)
            assert told["limit"] == {"name": "api", "seconds": 1}
            assert answer["Retry-After"] == "1"
            assert told["detail"].endswith("Please try again in 1 second.")
        for seconds, allowed in ((0.05, 1), (1, 20), (2.5, 50), (60, 60)):
            clock.shift(seconds)
            assert answered(ann, 80) == allowed, seconds


def answered(program: Program, times: int) -> int:
    """Return how many of some requests are answered that are sent at once."""
    return [program.ask("GET", "me").status_code for _time in range(times)].count(200 if program.token else 401)


def test_refusals_that_people_see_are_told_in_their_language() -> None:
    """As asked for by `Accept-Language`, else as their account says."""
    ann, ben = person("ann", language="it"), person("ben")
    match = running_match([ben, person("cid")])
    with time_machine.travel(timezone.now(), tick=False):
        rows = [
            (Program.of(ann), f"matches/{match.slug}/record", "", "La registrazione esiste solo a partita finita."),
            (Program.of(ann), f"matches/{match.slug}/record", "de", "Eine Aufzeichnung gibt es, sobald"),
            (Program.of(ben), f"matches/{match.slug}/record", "fr", "There is a record once"),
            (Program.of(ann, Scope.PLAY), "me", "", "Al token manca l’autorizzazione"),
            (Program("tes_x"), "me", "de", "Dieser Token gilt nicht"),
            (Program(), "nothing", "it", "A questo indirizzo non c’è nulla."),
        ]
        for program, path, accepted, wanted in rows:
            headers = {"Accept-Language": accepted} if accepted else {}
            answer = program.ask("GET", path, **headers)
            assert msgspec.json.decode(answer.content)["detail"].startswith(wanted), (path, accepted)
        answered(program := Program.of(ann), 60)
        assert msgspec.json.decode(program.ask("GET", "me").content)["detail"].endswith("tra 1 secondo.")


def test_other_kinds_of_tokens_plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person("ann")
    monkeypatch.setattr(authentication, "_authenticators", list(authentication._authenticators))
    authentication.register(lambda text: Caller(ann, frozenset({"read"}), "other/1") if text == "other-token" else None)
    assert Program("other-token").get("me")["name"] == "ann"
    type(ann).objects.filter(pk=ann.pk).update(guest=True)
    ann.refresh_from_db()
    assert refusal(Program("other-token").ask("GET", "me")) == (401, "token")
