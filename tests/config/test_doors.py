"""Every address of the site, and its answer to each kind of user."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest
from django.db import transaction
from django.http import HttpResponse
from pytest_django import DjangoDbBlocker

from accounts.models import User
from games.play.matches import access
from tests.config.world import (
    JUDGED,
    OUTSIDERS,
    PLAYERS,
    ROLES,
    SITUATIONS,
    World,
    addresses,
    answer,
    build,
    dump,
    of_a_match,
    undone,
)

pytestmark = pytest.mark.django_db

# A line is: name | GET | POST with an empty body. A cell has one answer for all; or two: nobody, everybody logged in;
# or three: nobody, outsiders (stranger and staff), players (seat and mate); or four: nobody, outsiders, seat, mate.
# `healthz` answers 503, as no worker runs here.
# Three cells with / between them are for a public match that runs, a private one that runs, a public one that is over.
DOORS = """
home                                 | 200                                     | 405
showcase                             | 200 / 404 / 200                         | 405
manifest                             | 200                                     | 405
healthz                              | 503                                     | 405
metrics                              | 404                                     | 405
settings                             | login 200                               | 405
settings_profile                     | login 200                               | login 200
settings_name                        | login →settings_profile                 | login 200
settings_play                        | login 200                               | login →settings_play
settings_clocks                      | →settings_play                          | 405
settings_security                    | login 200                               | login 405
settings_data                        | login 200                               | 405
privacy                              | 200                                     | 405
terms                                | 200                                     | 405
imprint                              | 200                                     | 405
data_export                          | 405                                     | login →settings_data
data_file                            | login 404                               | 405
settings_delete                      | login again                             | login again
delete_keep                          | 405                                     | login →settings_data
delete_confirm                       | 404                                     | 404
settings_vacation                    | 405                                     | login 422
settings_devices                     | login 200                               | 405
device_this                          | login 200                               | login 422
device_remove                        | 405                                     | login 404 →settings_devices 404
device_test                          | 405                                     | login 404 →settings_devices 404
webhook_add                          | 405                                     | login 422
webhook_remove                       | 405                                     | login 404 →settings_devices 404
webhook_test                         | 405                                     | login 404 →settings_devices 404
calendar_new                         | 405                                     | login →settings_devices
calendar                             | 404                                     | 405
service_worker                       | 200                                     | 405
guest                                | 405                                     | →lobby
account_signup                       | 200 →home                               | 200 →home
account_confirm_email                | 200                                     | 404
account_reset_password_from_key      | 200                                     | 200
settings_notices                     | login 200                               | login 422
unsubscribe                          | 404                                     | 404
mute_by_token                        | 404                                     | 404
usersessions_list                    | login 200                               | login →usersessions_list
end_session                          | 405                                     | login 404 →usersessions_list 404
account_login                        | 200 →home                               | 200 →home
account_logout                       | →home 200                               | →home
account_inactive                     | 200                                     | 405
account_reauthenticate               | login 200                               | login 200
account_email                        | login 200                               | login →account_email
account_email_verification_sent      | 200                                     | 405
account_change_password              | login 200                               | login 200
account_set_password                 | login →account_change_password          | login →account_change_password
account_reset_password               | 200                                     | 200
account_confirm_login_code           | login →home                             | login →home
account_reset_password_from_key_done | 200                                     | 405
account_reset_password_done          | 200                                     | 405
mfa_index                            | →settings_security                      | 405
mfa_authenticate                     | login →home                             | login →home
mfa_reauthenticate                   | login again                             | login again
mfa_activate_totp                    | login again                             | login again
mfa_deactivate_totp                  | login 404                               | login 404
mfa_view_recovery_codes              | login 404                               | login 405
mfa_generate_recovery_codes          | login again                             | login again
mfa_download_recovery_codes          | login 404                               | login 404
mfa_list_webauthn                    | login 200                               | login 405
mfa_add_webauthn                     | login again                             | login again
mfa_reauthenticate_webauthn          | login again                             | login again
mfa_remove_webauthn                  | login again                             | login again
mfa_edit_webauthn                    | login again                             | login again
mfa_login_webauthn                   | login →home                             | login →home
robots                               | 200                                     | 405
sitemap                              | 200                                     | 405
rules                                | 200                                     | 405
lobby                                | 200                                     | 405
bots                                 | 200                                     | 405
bot                                  | 200                                     | 405
my_matches                           | login 200                               | 405
notices                              | login 200                               | 405
notices_seen                         | 405                                     | login →notices
people                               | login 200                               | 405
people_presence                      | 405                                     | login →people
person_change                        | 405                                     | login →profile
next_match                           | login →my_matches →match →my_matches    | 405
play_now                             | 200                                     | 422
table_bot_add                        | 405 | login →match / login 404 →match / login →match
table_bot_remove                     | 405 | login →match / login 404 →match / login →match
table_new                            | login 200                               | login 422
table_plan                           | login 200                               | login 422
planned_tables                       | 200                                     | 405
table_calendar                       | 404                                     | 405
table_come                           | 405 | login →match / login 404 →match / login →match
table_take_back                      | 405 | login →match / login 404 →match / login →match
leaderboard                          | 200                                     | 405
leaderboard_pool                     | 200                                     | 405
leaderboard_season                   | 200                                     | 405
archive                              | 200                                     | 405
learn                                | 200                                     | 405
learn_game                           | 200                                     | 405
lesson                               | 200                                     | 422
puzzles                              | 200                                     | 405
puzzle_archive                       | 200                                     | 405
puzzle                               | 200                                     | 422
finding_people                       | 200                                     | 405
pairing                              | 200                                     | 422
pairing_now                          | login 200                               | 405
pairing_go                           | 405                                     | login →pairing
pairing_decline                      | 405                                     | login →pairing
pairing_stop                         | 405                                     | login →pairing
messages                             | login 200                               | 405
messages_open                        | 405                                     | login →messages
message_delete                       | 405                                     | login 404
room_mute                            | 405                                     | login 404
conversation                         | login 404                               | login 404
person_mute                          | 405                                     | login →messages
report_person                        | login 200                               | login 422
report_message                       | login 404                               | login 404
report_match | login 200 / login 404 200 / login 200 | login 422 / login 404 422 / login 422
reports                              | login 200                               | 405
standing                             | login 200                               | 405
warning                              | login →home                             | login →home
admin                                | →login                                  | →login
moderation                           | login 404                               | 405
moderation_log                       | login 404                               | 405
moderation_find                      | login 404                               | 405
deed_undo                            | login 404                               | login 404
fair_play                            | login 404                               | 405
finding_settle                       | 405                                     | login 404
case                                 | login 404                               | 405
case_change                          | 405                                     | login 404
moderated_person                     | login 404                               | login 404
moderated_match                      | login 404                               | login 404
profile                              | 200                                     | 405
match                                | 200 / 404 404 200 / 200                 | 405
match_log                            | 200 / 404 404 200 / 200                 | 405
match_company                        | 200 / 404 404 200 / 200                 | 405
match_picture                        | 200 / 404 404 200 / 200                 | 405
match_chat | login 200 / login 404 200 / login 200 | login 404
match_past                           | 200 / 404 404 200 / 200                 | 405
replay                               | 200 / 404 404 200 / 200                 | 405
record                               | 403 403 200 / 404 404 200 / 200         | 405
review | →match / 404 404 →match / 200 | login →match / login 404 →match / login →review
seals                                | 200 / 404 404 200 / 200                 | 405
draws                                | 404 / 404 / 200                         | 405
match_act                            | 405 | login 404 422
match_undo                           | 405 | login 404 409 / login 404 409 / login 404 422
match_restart                        | 405 | login 404 409 / login 404 409 / login 404 422
match_back                           | 405 | login 404 409 / login 404 409 / login 404 422
match_abort                          | 405 | login 404 →match / login 404 →match / login 404 422
match_resign                         | login 404 200 / login 404 200 / login 404 →match | login 404 422
match_hint                           | 405 | login 404 →match / login 404 →match / login 404 →match
match_hint_found                     | login 404 200 / login 404 200 / login 404 200 | 405
match_rematch                        | 405 | login →match / login 404 →match / login →match
series                               | 404                                     | 405
series_leave                         | 405                                     | login 404
match_mute                           | 405 | login 404 →match / login 404 →match / login 404 →match
record_lesson                        | login 404 / login 404 / login 200      | login 404 / login 404 / login 422
match_tip                            | 405 | login →match / login 404 →match / login →match
table_join                           | 405 | login →match / login 404 →match / login →match
challenge                            | login 200 →profile 200                 | login 422 →profile 422
table_decline                        | 405 | login →match / login 404 →match / login →match
table_guest                          | 405 | →match / 404 404 →match / →match
invitation                           | 404                                     | 404
table_nonce                          | 405 | login 409 / login 404 409 / login 409
table_leave                          | 405 | login →match / login 404 →match / login →match
table_start                          | 405 | login →match / login 404 →match / login →match
table_remove                         | 405 | login →match / login 404 →match / login →match
table_open_kept                      | 405 | login →match / login 404 →match / login →match
table_casual                         | 405 | login →match / login 404 →match / login →match
table_invite | login →match / login 404 →match / login →match | login 422 / login 404 422 / login 422
table_close                          | 405 | login →match / login 404 →match / login →match
"""
METHODS = ("GET", "POST")
ROWS = {line.split("|")[0].strip(): line.split("|")[1:] for line in DOORS.strip().splitlines()}

EXEMPT = {"unsubscribe", "mute_by_token", "invitation"}
"""Addresses that emails POST to, perhaps for somebody who was never here; the token in the address says who may."""

CHANGING = re.compile(rb'name="(csrfmiddlewaretoken|client_id|page)" value="[^"]*"|page=[0-9a-f]{16}')
CHANGING_HEADERS = {"Set-Cookie", "Content-Length"}


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Create everything once; each request is rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield build()
        transaction.set_rollback(True)


def expected(name: str, method: str, situation: str) -> dict[str, str]:
    """Return the answer for each role according to the table."""
    cells = ROWS[name][METHODS.index(method)].split("/")
    words = (cells[SITUATIONS.index(situation)] if len(cells) > 1 else cells[0]).split()
    nobody, outsiders, seat, mate = {1: words * 4, 2: [*words[:1], *words[1:] * 3], 3: [*words, *words[2:]]}.get(
        len(words), words
    )
    return {"nobody": nobody, **dict.fromkeys(OUTSIDERS, outsiders), **dict(zip(PLAYERS, (seat, mate), strict=True))}


def found(world: World, name: str, method: str, situation: str) -> dict[str, str]:
    path = world.path(name, situation)
    return {role: answer(world.ask(role, method, path)) for role in ROLES}


def differences(world: World, name: str) -> list[str]:
    """Return where the answers of an address differ from the table."""
    return [
        f"{method} {situation}: {answers}"
        for method in METHODS
        for situation in world.paths(name)
        if (answers := found(world, name, method, situation)) != expected(name, method, situation)
    ]


def seen(response: HttpResponse, slug: str) -> tuple[int, dict[str, str], bytes]:
    """Return everything observable in an answer, except the slug and what is new in every request."""
    headers = {name: value.replace(slug, "SLUG") for name, value in response.items() if name not in CHANGING_HEADERS}
    return response.status_code, headers, CHANGING.sub(b"", response.content).replace(slug.encode(), b"SLUG")


def test_every_address_has_a_row() -> None:
    assert set(addresses()) == set(ROWS)


@pytest.mark.parametrize("name", ROWS)
def test_the_answers_are_those_of_the_table_and_get_changes_nothing(world: World, name: str) -> None:
    before = dump()
    assert differences(world, name) == []
    assert dump() == before


@pytest.mark.parametrize("name", sorted(set(ROWS) - EXEMPT))
def test_whatever_could_change_something_needs_a_token(world: World, name: str) -> None:
    assert world.client("seat", enforce_csrf_checks=True).post(world.path(name)).status_code == 403


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
@pytest.mark.parametrize("role", ["nobody", "seat"])
def test_a_token_is_needed_by_everybody_and_for_every_method(world: World, role: str, method: str) -> None:
    """An address can be exempt for all methods or for none, as Django asks before the view is called."""
    client = world.client(role, enforce_csrf_checks=True)
    assert getattr(client, method)(world.path("match_act")).status_code == 403


@pytest.mark.parametrize("name", [name for name in ROWS if of_a_match(name)])
def test_a_private_match_and_none_are_the_same_to_outsiders(world: World, name: str) -> None:
    requests = product(("nobody", *OUTSIDERS), METHODS, ({}, {"HX-Request": "true"}))
    for role, method, headers in requests:
        private, missing = (
            seen(world.ask(role, method, world.path(name, situation), **headers), world.slugs[situation])
            for situation in ("private", "missing")
        )
        assert private == missing


def test_somebody_who_is_gone_and_nobody_are_the_same(world: World) -> None:
    with undone():
        User.objects.filter(username="mate").update(is_active=False)
        gone, never = (seen(world.ask("stranger", "GET", f"/@{name}/"), f"@{name}") for name in ("mate", "never"))
    assert gone == never


@pytest.mark.parametrize("name", ["match", "match_log", "replay", "record", "draws"])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_staff_see_what_any_stranger_sees(world: World, name: str, situation: str) -> None:
    path = world.path(name, situation)
    pages = {role: CHANGING.sub(b"", world.ask(role, "GET", path).content) for role in OUTSIDERS}
    assert len({page.replace(role.encode(), b"ROLE") for role, page in pages.items()}) == 1


# What a page shows or forms do for a stranger, and not for somebody whom `seat` has blocked; forms answer both alike,
# in the same words. A line is: name | of which table or person (`Made`) | form | what there is for the stranger alone,
# for instance new rows. Where a seat is refused, `REFUSED` says in which words.
# Two doors need both people: quick pairing (tests/pairing/test_services.py, test_nobody_starves.py) and a rematch
# (tests/matchmaking/test_blocks.py). That writing is refused between former friends: tests/chat/test_rooms.py.
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


# Where moderators, and those about whom they have decided, get another answer than strangers do.
# A line is: name | role or roles | GET | POST with an empty body; "-" where it is the stranger's.
OTHERWISE = """
moderation       | moderator administrator | 200              | -
moderation_log   | moderator administrator | 200              | -
moderation_find  | moderator administrator | →moderation      | -
case             | moderator administrator | 200              | -
case_change      | moderator administrator | -                | 404
deed_undo        | moderator administrator | 200              | 422
moderated_person | moderator administrator | 200              | 422
moderated_match  | moderator administrator | 200              | 422
fair_play        | moderator administrator | 200              | -
finding_settle   | moderator administrator | -                | →fair_play
match_act        | suspended               | -                | 403
table_new        | suspended               | -                | 403
table_join       | suspended               | -                | 403
play_now         | suspended               | -                | 403
pairing          | suspended               | -                | 403
person_change    | suspended               | -                | 403
match_chat       | suspended               | -                | 403
conversation     | suspended               | -                | 403
settings_name    | suspended               | -                | 403
report_person    | suspended               | -                | 403
lobby            | warned                  | →warning         | →warning
match            | warned                  | →warning         | →warning
settings_data    | warned                  | →warning         | →warning
warning          | warned                  | 200              | →home
"""

ALIKE = """
home settings_profile settings_data my_matches lobby archive profile match match_log match_resign table_leave
data_export settings_delete delete_keep delete_confirm settings_vacation
message_delete messages_open person_mute room_mute
"""
"""Addresses that answer moderators, administrators, silenced and suspended people as they answer strangers."""


@pytest.mark.parametrize("row", OTHERWISE.strip().splitlines())
def test_roles_and_sanctions_change_these_answers(world: World, row: str) -> None:
    name, roles, *cells = (cell.strip() for cell in row.split("|"))
    path = world.path(name)
    for role in roles.split():
        for method, cell in zip(METHODS, cells, strict=True):
            wanted = answer(world.ask("stranger", method, path)) if cell == "-" else cell
            assert answer(world.ask(role, method, path)) == wanted, (role, method)


@pytest.mark.parametrize("name", ALIKE.split())
def test_roles_and_sanctions_leave_these_answers_alone(world: World, name: str) -> None:
    for situation, path in world.paths(name).items():
        for method in METHODS:
            answers = {role: answer(world.ask(role, method, path)) for role in ("stranger", *JUDGED)}
            if answers["stranger"] == "405":
                continue
            assert len(set(answers.values())) == 1, (situation, method, answers)


def test_the_table_notices_a_gate_left_open(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant: everyone who may watch public matches may watch private ones."""
    monkeypatch.setattr(access, "may_watch", lambda *_: True)
    assert all(differences(world, name) for name in ("match", "match_log", "replay", "record", "table_join"))
