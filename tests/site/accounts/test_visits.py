"""Sessions of people who are not logged in: kept for weeks, few from one address; and what they let the site compute.

Which doors leave any: tests/site/config/test_doors.py and, of forms, test_bodies.py.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from time_machine import Traveller

from accounts import limits, logins
from accounts.limits import Limit, Row
from accounts.moments import today
from games.puzzles import daily
from games.titles import titles
from tests.people import PASSWORD, client_of, person

pytestmark = pytest.mark.django_db

GAME = "shifting-stones"


def sessions() -> int:
    return Session.objects.count()


def learn(client: Client, address: str = "203.0.113.7") -> HttpResponse:
    """Do something worth keeping: have a step of a lesson shown."""
    name = next(iter(titles()[GAME].lessons))
    path = reverse("lesson", args=[GAME, name])
    return client.post(path, {"step": "1", "show": "1"}, REMOTE_ADDR=address)  # type: ignore[return-value]  # as one


def solve(client: Client) -> None:
    """Try a puzzle, wrongly or not."""
    puzzle = daily.puzzle_of(GAME, today())
    assert puzzle is not None
    texts = list(puzzle.puzzle.solution)
    assert daily.worth(puzzle, daily.parsed(puzzle, texts)) is not None
    client.post(puzzle.url, {"line": ";".join(texts[:-1]), "action": texts[-1]})


# --- how long ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("does", [learn, solve])
def test_what_was_tried_is_kept_for_weeks_and_then_forgotten(
    clock: Traveller, does: Callable[[Client], object]
) -> None:
    client = Client()
    does(client)
    kept = Session.objects.get()
    assert kept.expire_date - timezone.now() == logins.VISIT_KEPT < timedelta(weeks=5)
    clock.shift(timedelta(days=20))
    does(client)
    assert Session.objects.get().expire_date - timezone.now() >= timedelta(days=8)
    clock.shift(logins.VISIT_KEPT + timedelta(seconds=1))
    assert logins.forget_ended(timezone.now()) == 1
    assert not sessions()


def test_anything_else_is_kept_for_a_day(clock: Traveller) -> None:
    Client().get(reverse("mfa_login_webauthn"), headers={"Accept": "application/json"})
    assert [it.expire_date - timezone.now() for it in Session.objects.all()] == [logins.PASSING]


@pytest.mark.parametrize("does", [learn, lambda client: client.get(reverse("mfa_login_webauthn"))])
def test_who_logs_in_stays_as_long_as_anybody(clock: Traveller, does: Callable[[Client], object]) -> None:
    ann = person()
    visited, plain = Client(), Client()
    does(visited)
    for client in (visited, plain):
        client.post(reverse("account_login"), {"login": ann.username, "password": PASSWORD})
    assert visited.session.get_expiry_age() == plain.session.get_expiry_age()
    visited.logout()
    does(visited)
    visited.force_login(ann)  # as passkeys do, without the form
    assert visited.session.get_expiry_age() == plain.session.get_expiry_age()


# --- how many ---------------------------------------------------------------------------------------------------------


def made_by_visitors(count: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let many visitors without a cookie do something at one address, of which five may leave something."""
    row = Row(guests=(Limit(5, timedelta(minutes=10)),))
    monkeypatch.setattr(limits, "LIMITS", {**limits.LIMITS, "visit": row})
    return [learn(Client()).status_code for _ in range(count)]


def test_an_address_leaves_only_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    early = Client()
    learn(early)
    assert made_by_visitors(7, monkeypatch) == [302] * 4 + [429] * 3
    assert sessions() == 5
    assert learn(early).status_code == 302  # who has one already goes on
    assert learn(Client(), "203.0.113.8").status_code == 302
    refused = learn(Client())
    assert "Too many requests have come from your network." in refused.content.decode()
    assert "Retry-After" in refused
    assert "tessera_session" not in refused.cookies


def test_the_check_finds_a_door_without_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant: nobody looks whether there is something new to be stored."""
    monkeypatch.setattr(logins, "is_visit", lambda _session: False)
    assert made_by_visitors(7, monkeypatch) == [302] * 7
    assert sessions() == 7


def test_the_limit_of_an_address_is_wide_enough_for_a_school() -> None:
    most, within = limits.LIMITS["visit"].guests[0]
    assert (most >= 300, within <= timedelta(minutes=10)) == (True, True)


# --- pages that compute -----------------------------------------------------------------------------------------------


def answer_puzzle(client: Client) -> HttpResponse:
    """Answer today's puzzle with what is no action."""
    path = reverse("puzzle", args=[GAME, today().isoformat()])
    return client.post(path, {"line": "", "action": "nonsense"}, REMOTE_ADDR="203.0.113.7")  # type: ignore[return-value]  # as one


@pytest.mark.parametrize(("what", "does"), [("lesson", learn), ("puzzle", answer_puzzle)])
def test_nobody_lets_the_site_compute_without_end(
    what: str, does: Callable[[Client], HttpResponse], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither visitors at one address, without cookies, nor one person; they are told why."""
    few = (Limit(3, timedelta(minutes=1)),)
    row = Row(person=few, guest=few, guests=few, address=(Limit(100, timedelta(minutes=1)),))
    monkeypatch.setattr(limits, "LIMITS", {**limits.LIMITS, what: row})
    told = ["Please try again in" in does(Client()).content.decode() for _ in range(5)]
    assert told == [False] * 3 + [True] * 2
    ann = client_of(person())
    told = ["Please try again in" in does(ann).content.decode() for _ in range(5)]
    assert told == [False] * 3 + [True] * 2
