"""Every address of the API, its scope, and its answer to each kind of caller."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import pytest
from django.core.cache import cache
from pytest_django import DjangoDbBlocker

from accounts.models import User
from accounts.moments import today
from games.api import authentication
from games.api.models import Scope
from games.api.v1 import ROOT
from games.api.v1.api import document
from games.matchmaking import tables
from games.matchmaking.tables import TableSetup
from games.moderation import people as moderators
from games.play import access, commands
from games.play.models import Match
from games.puzzles import daily
from games.titles import titles
from tests.people import person, running_match
from tests.site.api.programs import Program, refusal, token_of
from tests.site.config.world import dump, undone

# A line is: method and address | scope | status. One status is for all; of two the first is a visitor's; of three they
# are a visitor's, a stranger's and a player's. Several with / between them are for a public match that runs, a private
# one that runs, a public one that is over, and an open table of a player's.
DOORS = """
GET games                        | -       | 200
GET games/{game}                 | -       | 200
GET people/{name}                | -       | 200
GET people/{name}/ratings        | -       | 200
GET people/{name}/matches        | -       | 200
POST people/{name}/challenge     | tables  | 401 200 422
GET leaderboards/{game}/{speed}  | -       | 200
GET matches/{slug}               | -       | 200 / 404 404 200 / 200 / 200
GET matches/{slug}/legal         | read    | 401 403 200 / 401 404 200 / 401 403 200 / 401 403 200
GET matches/{slug}/record        | -       | 403 / 404 404 403 / 200 / 403
POST matches/{slug}/actions      | play    | 401 403 422 / 401 404 422 / 401 403 422 / 401 403 422
POST matches/{slug}/undo         | play    | 401 403 409 / 401 404 409 / 401 403 422 / 401 403 422
POST matches/{slug}/restart      | play    | 401 403 409 / 401 404 409 / 401 403 422 / 401 403 422
POST matches/{slug}/resign       | play    | 401 403 200 / 401 404 200 / 401 403 422 / 401 403 422
POST matches/{slug}/abort        | play    | 401 403 200 / 401 404 200 / 401 403 422 / 401 403 422
GET matches/{slug}/chat          | chat    | 401 200 200 / 401 404 200 / 401 200 200 / 401 200 200
POST matches/{slug}/chat         | chat    | 401 200 200 / 401 404 200 / 401 200 200 / 401 200 200
POST matches/{slug}/chat/read    | chat    | 401 204 204 / 401 404 204 / 401 204 204 / 401 204 204
GET records                      | -       | 200
GET puzzles/{game}/{day}         | -       | 200
POST puzzles/{game}/{day}/tries  | puzzles | 401 422
GET me                           | read    | 401 200
GET me/matches                   | read    | 401 200
GET me/invitations               | read    | 401 200
GET me/friends                   | read    | 401 200
GET stream/me                    | read    | 401 503
GET stream/matches/{slug}        | read    | 401 503
GET tables                       | tables  | 401 200
POST tables                      | tables  | 401 200
POST tables/{slug}/sit           | tables  | 401 422 200 / 401 404 200 / 401 422 200 / 401 200 200
POST tables/{slug}/accept        | tables  | 401 422 200 / 401 404 200 / 401 422 200 / 401 200 200
POST tables/{slug}/decline       | tables  | 401 422 422 / 401 404 422 / 401 422 422 / 401 422 422
POST tables/{slug}/leave         | tables  | 401 422 422 / 401 404 422 / 401 422 422 / 401 422 204
POST tables/{slug}/start         | tables  | 401 422 422 / 401 404 422 / 401 422 422 / 401 422 200
POST tables/{slug}/close         | tables  | 401 422 422 / 401 404 422 / 401 422 422 / 401 422 204
POST tables/{slug}/nonce         | tables  | 401 422 422 / 401 404 422 / 401 422 422 / 401 422 200
POST tables/{slug}/bots          | tables  | 401 422 422 / 401 404 422 / 401 422 422 / 401 422 200
POST tables/{slug}/invite        | tables  | 401 422 422 / 401 404 422 / 401 422 422 / 401 422 200
GET bots                         | -       | 200
GET me/bot                       | bot     | 401 422
POST me/bot                      | bot     | 401 200 422
GET me/bot/conditions            | bot     | 401 422
POST me/bot/conditions           | bot     | 401 422
"""
ROWS: Final = {
    cells[0].strip(): (cells[1].strip(), cells[2]) for cells in (it.split("|") for it in DOORS.strip().splitlines())
}

SITUATIONS = ("public", "private", "over", "open")

NAMED: Final = {"client_id": "from-a-program"}
BODIES: Final[Mapping[str, Any]] = {
    "people/{name}/challenge": {"game": "shifting-stones"},
    "matches/{slug}/actions": {"action": "nonsense", "version": 1, **NAMED},
    "matches/{slug}/undo": {"version": 0, **NAMED},
    "matches/{slug}/restart": {"version": 0, **NAMED},
    "matches/{slug}/resign": NAMED,
    "matches/{slug}/abort": NAMED,
    "matches/{slug}/chat": {"phrase": "hello"},
    "puzzles/{game}/{day}/tries": {"line": ["nonsense"]},
    "tables": {"game": "shifting-stones"},
    "tables/{slug}/bots": {"level": "novice"},
    "tables/{slug}/invite": {"names": ["stranger"]},
}
"""What is sent; {} to other addresses."""

FOR_SUSPENDED = {
    "POST matches/{slug}/resign",
    "POST matches/{slug}/abort",
    "POST tables/{slug}/decline",
    "POST tables/{slug}/leave",
    "POST tables/{slug}/close",
}
"""What suspended people can do, besides reading."""


@dataclass(frozen=True)
class Site:
    """Callers by role, and the slug of a match in each situation."""

    people: Mapping[str, User]
    tokens: Mapping[str, str]
    slugs: Mapping[str, str]

    def ask(self, row: str, token: str, situation: str = "public") -> Any:
        method, _space, route = row.partition(" ")
        game = next(slug for slug in titles() if daily.puzzle_of(slug, today()))
        path = route.format(game=game, name="seat", speed="live", day=today(), slug=self.slugs[situation])
        cache.clear()  # limits of what is asked in a second
        access._cache.clear()  # and what was rolled back
        with undone():
            return Program(token).ask(method, path, BODIES.get(route, {}) if method == "POST" else None)


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Site]:
    with django_db_blocker.unblock(), undone():
        people = {role: person(role) for role in ("stranger", "seat", "mate")}
        pair = (people["seat"], people["mate"])
        matches = {
            "public": running_match(pair),
            "private": running_match(pair, visibility=Match.Visibility.PRIVATE),
            "over": running_match(pair),
            "open": tables.open_table(people["seat"], TableSetup("shifting-stones", 3, rated=False)),
            "missing": Match(slug="nothere222"),
        }
        commands.resign(matches["over"].pk, 0, "resignation")
        tokens = {role: token_of(user) for role, user in people.items()}
        yield Site(people, {"nobody": "", **tokens}, {name: match.slug for name, match in matches.items()})


@pytest.fixture(autouse=True)
def rolled_back(db: None) -> None:
    """Let every test use the database."""


def expected(row: str, situation: str) -> dict[str, int]:
    cells = ROWS[row][1].split("/")
    words = cells[SITUATIONS.index(situation) if len(cells) > 1 else 0].split()
    nobody, stranger, seat = {1: words * 3, 2: [words[0], words[-1], words[-1]]}.get(len(words), words)
    return {"nobody": int(nobody), "stranger": int(stranger), "seat": int(seat)}


def differences(site: Site, row: str) -> list[str]:
    differ = []
    for situation in SITUATIONS if "{slug}" in row else ("public",):
        answers = {role: site.ask(row, site.tokens[role], situation) for role in expected(row, situation)}
        statuses = {role: answer.status_code for role, answer in answers.items()}
        if statuses != expected(row, situation):
            told = {role: getattr(answer, "content", b"")[:300] for role, answer in answers.items()}
            differ.append(f"{situation}: {statuses} {told}")
        for answer in answers.values():
            assert "html" not in answer["Content-Type"]
            if answer.status_code >= 400:
                refusal(answer)
    return differ


def test_every_address_has_a_row() -> None:
    described = msgspec.json.decode(document())
    served = {
        f"{method.upper()} {path.removeprefix(ROOT)[1:]}": operation.get("x-scope", "-")
        for path, operations in described["paths"].items()
        for method, operation in operations.items()
    }
    assert served == {row: scope for row, (scope, _statuses) in ROWS.items()}


@pytest.mark.parametrize("row", ROWS)
def test_the_answers_are_those_of_the_table(site: Site, row: str) -> None:
    before = dump()
    assert differences(site, row) == []
    if row.startswith("GET"):
        used = {"api_token"}  # the day on which it was used
        assert {name: rows for name, rows in dump().items() if name not in used} == {
            name: rows for name, rows in before.items() if name not in used
        }


@pytest.mark.parametrize("scope", Scope)
def test_a_token_opens_what_its_scope_is_for_and_nothing_else(site: Site, scope: Scope) -> None:
    with undone():
        token = token_of(site.people["seat"], scope)
        for row, (needed, _statuses) in ROWS.items():
            if needed in {"-", scope.value}:
                continue
            answer = site.ask(row, token)
            assert refusal(answer) == (403, "scope"), row
            assert msgspec.json.decode(answer.content)["scope"] == needed


def test_suspended_people_read_and_leave_and_warned_people_nothing(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a token that outlives the sanction, as those of other programs may."""

    def refused(row: str) -> str:
        answer = site.ask(row, "any")
        code = refusal(answer)[1] if answer.status_code >= 400 else ""
        return code if code in {"suspended", "warned"} else ""

    seat = site.people["seat"]
    caller = authentication.Caller(seat, frozenset(Scope.values), "other/1")
    monkeypatch.setattr(authentication, "_authenticators", [lambda _text: caller])
    with undone():
        moderators.suspend(None, seat, None, "Because")
        seat.refresh_from_db()
        for row in ROWS:
            reads = row.startswith("GET") or row in FOR_SUSPENDED
            assert refused(row) == ("" if reads else "suspended"), row
    with undone():
        moderators.warn(None, seat, "Because")
        seat.refresh_from_db()
        assert {refused(row) for row in ROWS} == {"warned"}
    seat.refresh_from_db()


@pytest.mark.parametrize("row", [row for row in ROWS if "{slug}" in row])
def test_a_private_match_and_none_are_the_same_to_outsiders(site: Site, row: str) -> None:
    for role in ("nobody", "stranger"):
        private, missing = (site.ask(row, site.tokens[role], name) for name in ("private", "missing"))
        assert (private.status_code, private.content) == (missing.status_code, missing.content)


def test_the_table_notices_a_gate_left_open(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "may_watch", lambda *_: True)
    assert all(differences(site, row) for row in ("GET matches/{slug}", "POST matches/{slug}/actions"))


def test_the_table_notices_scopes_without_effect(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authentication, "check_scope", lambda *_: None)
    token = token_of(site.people["seat"], Scope.CHAT)
    assert site.ask("GET me", token).status_code == 200
