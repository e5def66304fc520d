"""Every address of the site, and its answer to each kind of user."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from django import shortcuts
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.template.response import TemplateResponse

from accounts import middleware as accounts, sanctions
from accounts.models import User
from config import middleware as ours, views
from games.chat import views as views_of_chat
from games.moderation import views as moderation_views
from games.play import access
from tests.site.config.addresses import KEYS, SITUATIONS, addresses, has_key, of_a_match, situations_of
from tests.site.config.doors import METHODS, ROWS, expected
from tests.site.config.test_headers import assert_careful_at
from tests.site.config.world import JUDGED, OUTSIDERS, ROLES, Rows, World, answer, dump, undone

pytestmark = pytest.mark.django_db

PROGRAMS = {
    *("idp:oidc:configuration", "idp:oidc:jwks", "oauth_server", "idp:oidc:authorization", "idp:oidc:device_code"),
    *("idp:oidc:token", "idp:oidc:revoke", "idp:oidc:userinfo"),
}
"""Addresses that programs ask, for which no cookie counts; the form that lets one in asks for its token itself."""

EXEMPT = {"unsubscribe", "mute_by_token", "invitation"} | PROGRAMS
"""Addresses that emails POST to, perhaps for somebody who was never here; the token in the address says who may."""

CHANGING = re.compile(rb'name="(csrfmiddlewaretoken|client_id|page)" value="[^"]*"|page=[0-9a-f]{16}')
CHANGING_HEADERS = {"X-Request-ID", "Set-Cookie", "Content-Length"}


@pytest.fixture(scope="module")
def before(world: World) -> Rows:
    return dump()


UNREAD = {"staff", "blocked", "mate", "administrator", "silenced", "suspended"}
"""Whose pages are those of others."""


def is_read(request: Any) -> bool:
    return str(request.user) not in UNREAD and (str(request.user) != "moderator" or request.path.startswith("/moder"))


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out most of the work: pages of refusals, which tests/site/config/test_errors.py reads, and those of others.

    Of moderators the pages are read that only they get.
    """
    monkeypatch.setattr(views, "guesses", lambda _: [])
    for module in (views, ours, accounts):
        monkeypatch.setattr(module, "render", lambda *_, status: HttpResponse(status=status))
    monkeypatch.setattr(ours, "render_to_string", lambda *_, **__: "")
    whole, written = shortcuts.loader.render_to_string, TemplateResponse.rendered_content.fget  # type: ignore[attr-defined]

    def text(name: Any, context: Any, request: Any, using: Any) -> str:
        return whole(name, context, request, using) if is_read(request) else ""

    def content(page: Any) -> Any:
        return written(page) if is_read(page._request) else ""

    monkeypatch.setattr(shortcuts, "loader", SimpleNamespace(render_to_string=text))
    monkeypatch.setattr(TemplateResponse, "rendered_content", property(content))


SOME = ("nobody", "seat", "moderator", "suspended", "warned")
"""Who asks with a wrong method: whoever else asks is refused in the same place."""


def asking(name: str, situation: str) -> list[str]:
    """Return who asks in a situation: everybody in the first one.

    Outsiders are answered about a private match in a test of their own. A warning stands before all pages, and who is
    silenced can read what others can, whatever it is about.
    """
    elsewhere = {"nobody", *OUTSIDERS} if situation == "private" else set()
    elsewhere |= {"warned", "silenced"} if situation != situations_of(name)[0] else set()
    return [role for role in (*ROLES, *JUDGED) if role not in elsewhere]


def differences(world: World, name: str, only: str = "") -> list[str]:
    """Return where the answers of an address differ from the table, in all situations or in one."""
    differ = []
    for method, cell in zip(METHODS, ROWS[name], strict=True):
        wrong_method = cell.strip() == "405"
        for situation in [only] if only else situations_of(name)[: 1 if wrong_method else None]:
            path, wanted = world.path(name, situation), expected(name, method, situation)
            roles = SOME if wrong_method else asking(name, situation)
            responses = {role: world.ask(role, method, path) for role in roles}
            for response in responses.values():
                assert_careful_at(name, response)
            answers = {role: answer(response) for role, response in responses.items()}
            if answers != {role: wanted[role] for role in roles}:
                differ.append(f"{method} {situation}: {answers}")
    return differ


def seen(response: HttpResponse, slug: str) -> tuple[int, dict[str, str], bytes]:
    """Return everything observable in an answer, except the slug and what is new in every request."""
    headers = {name: value.replace(slug, "SLUG") for name, value in response.items() if name not in CHANGING_HEADERS}
    return response.status_code, headers, CHANGING.sub(b"", response.content).replace(slug.encode(), b"SLUG")


def test_every_address_has_a_row() -> None:
    assert set(addresses()) == set(ROWS)


ALIKE = {
    "application_revoke",
    "case_change",
    "mfa_edit_webauthn",
    "mfa_remove_webauthn",
    "pairing_decline",
    "pairing_go",
    "pairing_stop",
}
"""Addresses that answer an empty form in the same way whatever their number is."""


def test_a_right_key_is_tried_wherever_one_is_asked_for() -> None:
    asking = {name for name in ROWS if has_key(name)}
    answers = {name: [[expected(name, method, key) for method in METHODS] for key in KEYS] for name in asking}
    assert {name for name, (right, wrong) in answers.items() if right == wrong} == ALIKE


BEGINNING_A_LOGIN = {"mfa_login_webauthn", "account_reset_password_from_key"}
"""Pages that leave a visitor a session: the challenge for a passkey, and the right key of a mailed link."""


@pytest.mark.parametrize("name", ROWS)
def test_the_answers_are_those_of_the_table_and_careful_and_get_changes_nothing(
    world: World, before: Rows, plain: None, name: str
) -> None:
    with undone():
        sessions = Session.objects.count()
        assert differences(world, name) == []
        assert dump() == before
        assert Session.objects.count() == sessions or name in BEGINNING_A_LOGIN


def test_a_refusal_leaves_no_session(world: World) -> None:
    browser, sessions = world.client("nobody"), Session.objects.count()
    asked = ("/nowhere/", "/match/nowhere222/", world.path("match_act"))
    assert [browser.get(path).status_code for path in asked] == [404, 404, 405]
    careful = world.client("nobody", enforce_csrf_checks=True)
    assert careful.post(world.path("match_act")).status_code == 403
    assert Session.objects.count() == sessions


def test_whatever_could_change_something_needs_a_token(world: World, plain: None) -> None:
    client = world.client("seat", enforce_csrf_checks=True)
    statuses = {name: client.post(world.path(name)).status_code for name in ROWS if name not in EXEMPT}
    assert {name: status for name, status in statuses.items() if status != 403} == {}


def test_a_token_is_needed_by_everybody_and_for_every_method(world: World) -> None:
    """An address can be exempt for all methods or for none, as Django asks before the view is called."""
    for role, method in product(("nobody", "seat"), ("post", "put", "patch", "delete")):
        client = world.client(role, enforce_csrf_checks=True)
        assert getattr(client, method)(world.path("match_act")).status_code == 403, (role, method)


def requests_to(name: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Return how outsiders ask for something: all as forms and links do, some also as htmx does.

    A wrong method is refused before the match is looked for: one try shows that.
    """
    for method, cell in zip(METHODS, ROWS[name], strict=True):
        if cell.strip() == "405":
            yield "stranger", method, {}
            continue
        yield from ((role, method, {}) for role in ("nobody", *OUTSIDERS))
        yield from ((role, method, {"HX-Request": "true"}) for role in ("nobody", "stranger"))


@pytest.mark.parametrize("name", [name for name in ROWS if of_a_match(name)])
def test_a_private_match_and_none_are_the_same_to_outsiders(world: World, name: str) -> None:
    for role, method, headers in requests_to(name):
        private, missing = (
            world.ask(role, method, world.path(name, situation), **headers) for situation in ("private", "missing")
        )
        assert seen(private, world.slugs["private"]) == seen(missing, world.slugs["missing"])
        assert headers or answer(private) == expected(name, method, "private")[role]


def test_somebody_who_is_gone_and_nobody_are_the_same(world: World) -> None:
    with undone():
        User.objects.filter(username="mate").update(is_active=False)
        gone, never = (seen(world.ask("stranger", "GET", f"/@{name}/"), f"@{name}") for name in ("mate", "never"))
    assert gone == never


def test_staff_see_what_any_stranger_sees(world: World) -> None:
    for name, situation in product(("match", "match_log", "replay", "record", "draws"), SITUATIONS):
        path = world.path(name, situation)
        pages = {role: CHANGING.sub(b"", world.ask(role, "GET", path).content) for role in OUTSIDERS}
        assert len({page.replace(role.encode(), b"ROLE") for role, page in pages.items()}) == 1, path


# What a page shows or forms do for a stranger, and not for somebody whom `seat` has blocked; forms answer both alike,
# in the same words. A line is: name | of which table or person (`Made`) | form | what there is for the stranger alone,
# for instance new rows. Where a seat is refused, `REFUSED` says in which words.
# Two doors need both people: quick pairing (tests/site/pairing/test_services.py, test_nobody_starves.py) and a rematch
# (tests/site/matchmaking/test_blocks.py). Former friends who write: tests/site/chat/test_rooms.py.
APART = """
lobby          | open    |                        | the table
planned_tables | planned |                        | the table
table_join     | open    |                        | play_seat matchmaking_use
table_come     | planned |                        | matchmaking_promise matchmaking_use notifications_notice
table_invite   | own     | invited=seat           | notifications_notice
challenge      | seat    | game=shifting-stones   | notifications_notice
person_change  | seat    | do=ask                 | notifications_notice
person_change  | seat    | do=follow              | a notice of the next table
match_chat     | with    | room=players text=Hi   | chat_unread
conversation   | seat    | text=Hi                | nothing
"""
REFUSED = {
    "table_join": ["Only invited players can sit down at this table."],
    "table_come": ["Only invited players can sit down at this table."],
}
"""What a stranger is told of a table for others, too."""


@pytest.mark.parametrize("row", APART.strip().splitlines())
def test_who_is_blocked_gets_the_answers_of_a_stranger_without_what_they_do(world: World, row: str) -> None:
    name, of, form, effect = (cell.strip() for cell in row.split("|"))
    if effect == "the table":
        slugs = {
            role: world.slugs[of].encode() in world.ask(role, "GET", world.path(name)).content for role in OUTSIDERS
        }
        assert slugs == {"stranger": True, "staff": True, "blocked": False}
        return
    fields = dict(field.split("=") for field in form.split())
    stranger, blocked = (world.effect(role, name, of, fields) for role in ("stranger", "blocked"))
    assert stranger.answer == blocked.answer
    assert blocked.told == REFUSED.get(name, stranger.told)
    assert stranger.told == []
    if effect == "a notice of the next table":
        assert (stranger.hears_of_tables, blocked.hears_of_tables) == (True, False)
    else:
        assert set(effect.split()) - {"nothing"} <= stranger.added - blocked.added


def test_a_table_for_others_refuses_a_stranger_in_the_words_for_who_is_blocked(world: World) -> None:
    found = world.effect("stranger", "table_join", "for others", {})
    assert (found.answer, found.told) == ("→match", REFUSED["table_join"])


# Forms filled in as they should be, which do something for a member. A line is: name | of which table (`Made`) | form |
# the answer to silenced people | to suspended people; "-" where they can do it as a member can, "=" where it is the
# member's answer though nothing is done.
FILLED = """
match_chat        | with    | room=players text=Hi                 | 422 | 403
match_chat        | with    | room=players phrase=hello            | -   | 403
settings_name     | seat    | name=another                         | 200 | 403
challenge         | seat    | game=shifting-stones                 | -   | 403
report_person     | seat    | why=insult words=Hi                  | -   | 403
person_change     | seat    | do=ask                               | -   | 403
person_change     | seat    | do=block                             | -   | -
table_join        | open    | x=1                                  | -   | 403
table_come        | planned | x=1                                  | -   | 403
play_now          | seat    | game=shifting-stones level=companion | -   | 403
match_resign      | with    | client_id=resign-12                  | -   | -
settings_vacation | seat    | days=3                               | -   | =
data_export       | seat    | x=1                                  | -   | -
"""


@pytest.mark.parametrize("row", FILLED.strip().splitlines())
def test_silenced_people_write_nothing_and_suspended_people_only_leave(world: World, plain: None, row: str) -> None:
    name, of, form, *cells = (cell.strip() for cell in row.split("|"))
    fields = dict(field.split("=") for field in form.split())
    member = world.effect("stranger", name, of, fields)
    assert member.added
    for role, cell in zip(("silenced", "suspended"), cells, strict=True):
        found = world.effect(role, name, of, fields)
        assert found.answer == (member.answer if cell in "-=" else cell), role
        assert found.added == (member.added if cell == "-" else set()), role


def test_the_table_notices_sanctions_without_effect(world: World, plain: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sanctions, "suspension_of", lambda _: None)
    monkeypatch.setattr(sanctions, "warning_of", lambda _: None)
    with undone():
        assert all(differences(world, name, "public") for name in ("match_act", "table_new", "warning"))


def test_the_table_notices_a_gate_left_open(world: World, plain: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant: everyone who may watch public matches may watch private ones."""
    monkeypatch.setattr(access, "may_watch", lambda *_: True)
    names = ("match", "match_log", "replay", "record", "table_join")
    assert all(differences(world, name, "private") for name in names)


def test_the_table_notices_a_room_left_open(world: World, plain: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (views_of_chat, moderation_views):
        monkeypatch.setattr(module, "may_read", lambda *_: True)
    assert all(differences(world, name, "right") for name in ("room_mute", "report_message"))
