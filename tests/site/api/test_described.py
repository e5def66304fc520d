"""Every answer is as the document describes it, whatever is asked: schemathesis makes requests of the document.

Streams are asked by `test_streams`: they are no matter of WSGI.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import msgspec
import pytest
import schemathesis
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import given, settings, strategies as st
from hypothesis.strategies import DataObject
from pytest_django import DjangoDbBlocker
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.openapi.checks import JsonSchemaError
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from accounts.moments import today
from games.api import problems
from games.api.models import Scope
from games.api.v1 import ROOT
from games.api.v1.api import document
from games.bots.accounts import become_bot
from games.matchmaking import tables
from games.matchmaking.tables import TableSetup
from games.play import access, commands
from games.play.models import Match
from games.play.reducer import positions
from games.puzzles import daily
from games.titles import titles
from tests.people import act, person, running_match
from tests.site.api.programs import token_of
from tests.site.api.test_doors import BODIES
from tests.site.config.world import undone

CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]

Operation: TypeAlias = APIOperation[Any, Any, Any, Any]
Asked: TypeAlias = "Case[Any]"

DOCUMENT: Final = msgspec.json.decode(document())
SERVED: Final = schemathesis.openapi.from_dict(DOCUMENT)
SERVED.app = get_wsgi_application()
OPERATIONS: Final[Mapping[str, Operation]] = {
    f"{method.upper()} {path.removeprefix(ROOT)[1:]}": SERVED[path][method]
    for path, methods in DOCUMENT["paths"].items()
    for method in methods
    if not path.startswith(f"{ROOT}/stream/")
}


@dataclass(frozen=True)
class Site:
    """Tokens of three people, and what there is, by the names of parameters and fields that ask for it."""

    tokens: Mapping[str, str]
    there: Mapping[str, list[Any]]

    def answer(self, case: Asked, whose: str) -> int:
        """Return the status of an answer, which has to be as described; nothing stays of what was asked for."""
        headers = {"Accept-Encoding": "identity", "Authorization": f"Bearer {self.tokens[whose]}"}
        cache.clear()  # limits of what is asked in a second
        access._cache.clear()  # and what was rolled back
        with undone():
            answer = case.call(headers=headers)
        case.validate_response(answer, checks=CHECKS)
        return int(answer.status_code)


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Site]:
    with django_db_blocker.unblock(), undone():
        seat, mate, bot, newcomer = (person(name) for name in ("seat", "mate", "bot", "newcomer"))
        become_bot(bot)
        running, over = running_match([seat, mate]), running_match([seat, mate], game="card-chess")
        act(running, next(text for text in positions.legal_texts(running, 0) if text.startswith("shift")), 0)
        commands.resign(over.pk, 0, "resignation")
        private = running_match([mate, bot], visibility=Match.Visibility.PRIVATE)
        own, invited = (
            tables.open_table(host, TableSetup("shifting-stones", 3, rated=False, invited=(guest,)))
            for host, guest in ((seat, newcomer), (bot, seat))
        )
        tables.join(own.pk, mate)
        game, puzzle = next((slug, it) for slug in titles() if (it := daily.puzzle_of(slug, today())))
        there: dict[str, list[Any]] = {
            "slug": [match.slug for match in (running, over, private, own, invited)],
            "game": [game, *titles()],
            "name": ["mate"],
            "names": [["mate", "newcomer"]],
            "day": [today().isoformat()],
            "speed": ["live"],
            "version": [running.version],
            "action": positions.legal_texts(running, 0)[:1],
            "line": [list(puzzle.puzzle.solution)],
        }
        tokens = {"seat": token_of(seat), "bot": token_of(bot), "newcomer": token_of(newcomer, Scope.READ, Scope.BOT)}
        for signal in (request_started, request_finished):
            signal.disconnect(close_old_connections)  # the transaction goes on
        yield Site(tokens, there)
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


@pytest.fixture(autouse=True)
def rolled_back(db: None) -> None:
    """Let every test use the database."""


def sensible(operation: Operation, site: Site) -> Iterator[Asked]:
    """Yield a request for what there is: for every match, if it is about one."""
    route, there = operation.path.removeprefix(ROOT)[1:], {name: values[0] for name, values in site.there.items()}
    body = {name: there.get(name, value) for name, value in BODIES.get(route, {}).items()}
    sent: dict[str, Any] = {} if operation.method == "get" else {"body": body, "media_type": "application/json"}
    for slug in site.there["slug"] if "{slug}" in route else [""]:
        place = {name: value for name, value in {**there, "slug": slug}.items() if f"{{{name}}}" in route}
        yield operation.Case(path_parameters=place, **sent)


def any_request(data: DataObject, operation: Operation, site: Site) -> Asked:
    """Return a request as described, or one that is not; now and then for what there is."""
    mode = data.draw(st.sampled_from([GenerationMode.POSITIVE, GenerationMode.NEGATIVE]))
    case = data.draw(operation.as_strategy(mode))
    parts: list[Any] = [case.path_parameters]
    if mode is GenerationMode.POSITIVE:
        parts += [case.query, case.body]
    for part in parts:
        for name in sorted(site.there.keys() & part.keys()) if isinstance(part, dict) else ():
            if data.draw(st.integers(0, 3)):
                part[name] = data.draw(st.sampled_from(site.there[name]))
    return case


@pytest.mark.parametrize("asked", OPERATIONS)
def test_what_is_asked_for_sensibly_is_answered_as_described(asked: str, site: Site) -> None:
    statuses = {site.answer(case, whose) for case in sensible(OPERATIONS[asked], site) for whose in site.tokens}
    assert statuses & {200, 204}, statuses


@pytest.mark.parametrize("asked", OPERATIONS)
def test_whatever_is_asked_is_answered_as_described(asked: str, site: Site) -> None:
    @settings(max_examples=8, derandomize=True, database=None)
    @given(st.data())
    def ask(data: DataObject) -> None:
        whose = data.draw(st.sampled_from([*site.tokens, "seat"]))
        site.answer(any_request(data, OPERATIONS[asked], site), whose)

    ask()


def test_an_answer_that_is_not_as_described_is_noticed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = problems.body_of
    monkeypatch.setattr(problems, "body_of", lambda *told, **more: honest(*told, **more).replace(b'"code"', b'"kode"'))
    (case,) = sensible(OPERATIONS["GET me/bot"], site)
    with pytest.RaisesGroup(JsonSchemaError):
        site.answer(case, "seat")
