"""The largest form that is let in makes no address answer or ask without bounds; whatever is larger stays outside.

What it costs in time, `python -m tests.benchmarks.bench_bodies` measures.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from config import middleware
from config.middleware import LONGEST_FIELD, LONGEST_NAME, MOST_POSTED
from games.learn import recording
from tests.site.config.bodies import TEXTS, Answer, Doors, bodies, posted_to, queries, roles_of
from tests.site.config.doors import OF_MODERATORS, ROWS
from tests.site.config.world import World, undone

pytestmark = pytest.mark.django_db

LARGEST = 300_000
"""Bytes of any answer to a form: a match of many moves is shown with less."""

MOST_QUERIES = 100
"""Of any form or page."""

KINDS = list(TEXTS)[:2]
"""The benchmark tries all."""


@pytest.fixture(scope="module")
def doors(world: World) -> Doors:
    found = Doors(world)
    found.visit("nobody", ["match", *(name for name in posted_to() if "nobody" in roles_of(name))])
    found.visit("seat")
    found.visit("moderator", OF_MODERATORS)
    return found


def unbounded(doors: Doors, name: str, only: str = "") -> Iterator[str]:
    """Yield what an address answers without bounds, of all bodies or one.

    Where visitors and members may post, they send the bodies in turn.
    """
    roles = roles_of(name)
    for turn, role in enumerate(roles):
        path, form = doors.form(role, name)
        tried = [body for body in bodies(name, form, KINDS, whole=bool(only)) if only in body[0]]
        for what, body in tried if only else tried[turn :: len(roles)]:
            found = doors.sent(role, path, body)
            if found.status >= 500 or not is_bounded(found):
                yield f"{name} by {role}, {what}: {found}"


def is_bounded(answer: Answer) -> bool:
    return answer.size <= LARGEST and answer.queries <= MOST_QUERIES


@pytest.mark.parametrize("name", posted_to())
def test_no_form_is_answered_without_bounds(doors: Doors, name: str) -> None:
    assert list(unbounded(doors, name)) == []


@pytest.mark.parametrize("name", [name for name, cells in ROWS.items() if cells[0].strip() != "405"])
def test_no_query_is_answered_without_bounds(doors: Doors, name: str) -> None:
    role = "moderator" if name in OF_MODERATORS else "seat"
    path, names, answer = doors.asked(role, name)
    found = {what: doors.sent(role, path, query, "GET") for what, query in queries(names, KINDS)} | {"many": answer}
    assert {what: each for what, each in found.items() if each.status == 500 or not is_bounded(each)} == {}


WRITTEN = {"puzzle", "lesson", "account_signup", "account_reset_password_from_key"} | {
    *("guest", "pairing", "play_now", "deal", "table_guest", "table_new", "account_confirm_registration"),
}
"""Forms that leave something, or make a guest of somebody."""


def test_a_form_leaves_a_visitor_a_session_only_if_there_is_something_to_keep(doors: Doors) -> None:
    made = set()
    for name in posted_to():
        if "nobody" in roles_of(name):
            path, form = doors.form("nobody", name)
            with undone():
                before = Session.objects.count()
                for body in (form, {}):
                    browser = doors.world.client("nobody")
                    browser.raise_request_exception = False
                    browser.post(path, body)
                if Session.objects.count() > before:
                    made.add(name)
    assert made <= WRITTEN


def test_the_check_finds_an_echo_without_bounds(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant: the recorder takes as many actions as it is sent, and a field may fill a form."""
    monkeypatch.setattr(recording, "_MOST_ACTIONS", 10**6)
    for bound in ("tests.site.config.bodies.LONGEST_FIELD", "config.middleware.LONGEST_FIELD"):
        monkeypatch.setattr(bound, MOST_POSTED)
    assert list(unbounded(doors, "record_lesson", only="lines of words in accept"))


def too_large() -> dict[str, Any]:
    """Return forms that are kept outside, by what is wrong with them."""
    return {
        "a long field": {"any": "a" * (LONGEST_FIELD + 1)},
        "a long name": {"a" * (LONGEST_NAME + 1): ""},
        "many fields": {f"field-{number}": "" for number in range(300)},
        "a file": {"any": BytesIO(b"a")},
        "much in all": {f"field-{number}": "a" * LONGEST_FIELD for number in range(MOST_POSTED // LONGEST_FIELD + 1)},
    }


PERHAPS_LET_IN = ("a long field", "much in all")
"""What some addresses may take more of: each is tried with these."""


def test_what_is_too_large_stays_outside(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """For everybody, whatever the address does, and without a traceback in the log."""
    browser = world.client("seat")
    sent = {what: encode_multipart(BOUNDARY, form) for what, form in too_large().items()}
    tried = {("match_act", what) for what in sent} | {(name, what) for name in posted_to() for what in PERHAPS_LET_IN}
    tried -= {(name, "much in all") for name, _field in middleware.LONGER}  # a field of these may hold more
    with undone():
        inside = [
            (name, what)
            for name, what in sorted(tried)
            if browser.generic("POST", world.path(name), sent[what], MULTIPART_CONTENT).status_code != 413
        ]
    assert inside == []
    assert [entry for entry in caplog.records if entry.levelno >= logging.ERROR] == []
    monkeypatch.setattr(middleware, "_is_bounded", lambda _request: True)
    with undone():
        assert world.client("seat").post(world.path("match_act"), too_large()["a long field"]).status_code != 413


@pytest.mark.parametrize("query", ["&".join(f"a{number}=1" for number in range(300)), f"{'a' * 200}=1"])
def test_a_query_that_is_too_large_stays_outside(world: World, query: str, caplog: pytest.LogCaptureFixture) -> None:
    assert {world.client(role).get(f"/lobby/?{query}").status_code for role in ("nobody", "seat")} == {413}
    assert [entry for entry in caplog.records if entry.levelno >= logging.ERROR] == []
