"""Nobody learns whether an address belongs to an account: everything they can do and see afterwards is the same.

Each test does the same twice, once with an address that an account has and once with one that none has, and compares
all that a stranger could observe: answers, pages, the next pages, and how much work it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.joining import registration
from accounts.models import User
from games.play.models import Match
from tests.people import PASSWORD, client_of, open_table, person
from tests.site.accounts.test_registration import form
from tests.site.config.world import undone

pytestmark = pytest.mark.django_db

KNOWN = "victim@example.org"
CHANGING = re.compile(rb'name="(csrfmiddlewaretoken|client_id|page)" value="[^"]*"|page=[0-9a-f]{16}')

Seen: TypeAlias = list[tuple[object, ...]]


class Observer:
    """Somebody who notes down everything they get to see, and how much work it was."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: Seen = []
        self.hashed = 0
        encode = MD5PasswordHasher.encode

        def counted(hasher: MD5PasswordHasher, password: str, salt: str) -> str:
            self.hashed += 1
            return encode(hasher, password, salt)

        monkeypatch.setattr(MD5PasswordHasher, "encode", counted)

    def get(self, browser: Client, path: str) -> None:
        self._note("GET", browser, path, {})

    def post(self, browser: Client, path: str, data: dict[str, str]) -> None:
        """Post a form and open the page it leads to."""
        if leads_to := self._note("POST", browser, path, data):
            self.get(browser, leads_to)

    def _note(self, method: str, browser: Client, path: str, data: dict[str, str]) -> str:
        hashed, mails = self.hashed, len(mail.outbox)
        with CaptureQueriesContext(connection) as queries:
            answer = browser.generic(method, path) if method == "GET" else browser.post(path, data)
        body = CHANGING.sub(b"", answer.content)
        # What other pages look up depends on what the process remembers.
        work = (len(queries) if path.startswith("/account/") else 0, self.hashed - hashed, len(mail.outbox) - mails)
        self.seen.append(
            (method, path, answer.status_code, answer.get("Location"), body, work, *sorted(browser.cookies))
        )
        return str(answer.get("Location", "")).partition("?")[0]


def people() -> None:
    """Make somebody whose address it is, and somebody who looks around and has a table."""
    victim = person("Victim")
    victim.set_password("known to the victim alone")
    victim.save()
    open_table([person("Eve")], seats=2)
    person("Guest-Calm-Owl", guest=True)


@contextmanager
def in_both_cases(monkeypatch: pytest.MonkeyPatch, do: Callable[[Observer], None]) -> Iterator[tuple[Seen, Seen]]:
    """Do something with the address of the victim, and again when it is unknown; yield what was seen each time."""
    seen = []
    for address in (KNOWN, "somebody.else@example.org"):
        with undone(), monkeypatch.context() as patch:
            cache.clear()
            EmailAddress.objects.filter(user__username="Victim").update(email=address)
            User.objects.filter(username="Victim").update(email=address)
            observer = Observer(patch)
            do(observer)
            seen.append(observer.seen)
    yield seen[0], seen[1]


def look_around(observer: Observer, name: str) -> None:
    """Look, as a visitor and as somebody else, for a person with this name wherever a name shows or can be named."""
    visitor, eve = Client(), client_of(User.objects.get(username="Eve"))
    table = Match.objects.get(host__username="Eve")
    for browser in (visitor, eve):
        for path in (f"/@{name}/", f"/archive/?player={name}", "/leaderboard/", "/lobby/", "/"):
            observer.get(browser, path)
    for path, data in (
        ("/people/", {"name": name}),
        (reverse("person_change", args=[name]), {"do": "ask"}),
        (reverse("person_change", args=[name]), {"do": "block"}),
        (reverse("challenge", args=[name]), {}),
        (reverse("table_invite", args=[table.slug]), {"names": name, "name": name}),
        (reverse("report_person", args=[name]), {"reason": "name", "text": "?"}),
        ("/settings/name/", {"name": name}),
    ):
        observer.post(eve, path, data)
    observer.get(eve, reverse("conversation", args=[name]))


def log_in(observer: Observer, login: str) -> None:
    for password in (PASSWORD, "wrong"):
        observer.post(Client(), "/account/login/", {"login": login, "password": password})


def sign_up(observer: Observer, browser: Client) -> None:
    """Register as Berta with the victim's address, and do everything that could tell what became of it."""
    observer.post(browser, "/account/signup/", form(email=KNOWN))
    observer.post(browser, "/account/confirm-email/", {"email": KNOWN})
    for path in (
        "/",
        "/account/signup/",
        "/account/login/",
        "/settings/",
        "/settings/profile/",
        "/lobby/",
        "/matches/",
    ):
        observer.get(browser, path)
    log_in(observer, "Berta")
    log_in(observer, KNOWN)
    observer.post(Client(), "/account/password/reset/", {"email": KNOWN})
    for name, email in (("BERTA", "another@example.org"), ("Berta", KNOWN), ("Victim", KNOWN)):
        observer.post(Client(), "/account/signup/", form(username=name, email=email))
    look_around(observer, "Berta")


def sign_up_as_visitor(observer: Observer) -> None:
    sign_up(observer, Client())


def sign_up_as_guest(observer: Observer) -> None:
    browser = client_of(User.objects.get(guest=True))
    sign_up(observer, browser)
    observer.get(browser, "/@Guest-Calm-Owl/")


def reset(observer: Observer) -> None:
    for _ in range(7):  # more than one address gets in an hour
        observer.post(Client(), "/account/password/reset/", {"email": KNOWN})


def change_address(observer: Observer) -> None:
    """Want to have the victim's address, and try to log in with it."""
    eve = Client()
    eve.post("/account/login/", {"login": "Eve", "password": PASSWORD})
    observer.post(eve, "/account/email/", {"action_add": "1", "email": KNOWN})
    observer.post(eve, "/account/reauthenticate/", {"password": PASSWORD, "next": "/account/email/"})
    observer.post(eve, "/account/email/", {"action_send": "1", "email": KNOWN})
    for path in ("/settings/", "/settings/security/", "/settings/data/"):
        observer.get(eve, path)
    log_in(observer, KNOWN)
    log_in(observer, "Eve")
    observer.post(Client(), "/account/password/reset/", {"email": KNOWN})
    observer.post(Client(), "/account/signup/", form(email=KNOWN))
    observer.post(eve, "/account/email/", {"action_remove": "1", "email": KNOWN})


@pytest.mark.parametrize("do", [sign_up_as_visitor, sign_up_as_guest, reset, change_address])
def test_a_known_address_is_not_told_from_an_unknown_one(
    monkeypatch: pytest.MonkeyPatch, do: Callable[[Observer], None]
) -> None:
    people()
    with in_both_cases(monkeypatch, do) as (known, unknown):
        for one, other in zip(known, unknown, strict=True):
            assert one == other
        assert {200, 302} <= {status for _method, _path, status, *_more in known}


def test_the_comparison_finds_an_account_that_exists_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sabotage: register as before, when an unknown address made an account at once."""
    begin = registration.begin

    def begin_at_once(request: HttpRequest, *, name: str, email: str, password: str, **rest: str) -> None:
        begin(request, name=name, email=email, password=password, **rest)
        if User.objects.with_address(email) is None:
            User.objects.create_user(name, email, password)

    people()
    monkeypatch.setattr(registration, "begin", begin_at_once)
    with in_both_cases(monkeypatch, sign_up_as_visitor) as (known, unknown):
        differing = {path for (_, path, *one), (_, _, *other) in zip(known, unknown, strict=False) if one != other}
        assert {"/@Berta/", "/account/login/", "/account/signup/"} <= differing


def test_the_comparison_finds_a_login_with_an_address_that_was_never_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sabotage: let an address that somebody wants to change to count, as before."""
    with_address = type(User.objects).with_address

    def with_any_address(manager: object, email: str) -> User | None:
        found = with_address(User.objects, email)
        wanted = EmailAddress.objects.filter(email=email).select_related("user").first()
        return found or (wanted.user if wanted else None)

    people()
    monkeypatch.setattr(type(User.objects), "with_address", with_any_address)
    with in_both_cases(monkeypatch, change_address) as (known, unknown):
        differing = {path for (_, path, *one), (_, _, *other) in zip(known, unknown, strict=False) if one != other}
        assert "/account/login/" in differing
