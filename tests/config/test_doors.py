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
pairing                              | 200                                     | 422
pairing_now                          | login 200                               | 405
pairing_go                           | 405                                     | login →pairing
pairing_decline                      | 405                                     | login →pairing
pairing_stop                         | 405                                     | login →pairing
profile                              | 200                                     | 405
match                                | 200 / 404 404 200 / 200                 | 405
match_log                            | 200 / 404 404 200 / 200                 | 405
match_company                        | 200 / 404 404 200 / 200                 | 405
match_picture                        | 200 / 404 404 200 / 200                 | 405
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
match_mute                           | 405 | login 404 →match / login 404 →match / login 404 →match
record_lesson                        | login 404 / login 404 / login 200      | login 404 / login 404 / login 422
match_tip                            | 405 | login →match / login 404 →match / login →match
table_join                           | 405 | login →match / login 404 →match / login →match
table_nonce                          | 405 | login 409 / login 404 409 / login 409
table_leave                          | 405 | login →match / login 404 →match / login →match
table_start                          | 405 | login →match / login 404 →match / login →match
table_remove                         | 405 | login →match / login 404 →match / login →match
table_casual                         | 405 | login →match / login 404 →match / login →match
table_invite | login →match / login 404 →match / login →match | login 422 / login 404 422 / login 422
table_close                          | 405 | login →match / login 404 →match / login →match
"""
METHODS = ("GET", "POST")
ROWS = {line.split("|")[0].strip(): line.split("|")[1:] for line in DOORS.strip().splitlines()}

EXEMPT = {"unsubscribe", "mute_by_token"}
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
    nobody, seat = (world.client(role, enforce_csrf_checks=True) for role in ("nobody", "seat"))
    requests = (nobody.post, seat.post, seat.put, seat.patch, seat.delete)
    assert [request(world.path(name)).status_code for request in requests] == [403] * len(requests)


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
    pages = [CHANGING.sub(b"", world.ask(role, "GET", path).content) for role in OUTSIDERS]
    assert pages[0].replace(b"stranger", b"staff") == pages[1]


def test_the_table_notices_a_gate_left_open(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant: everyone who may watch public matches may watch private ones."""
    monkeypatch.setattr(access, "may_watch", lambda *_: True)
    assert all(differences(world, name) for name in ("match", "match_log", "replay", "record", "table_join"))
