"""The users and matches with which every address of the site is tried."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from functools import cache, cached_property
from typing import Any, TypeAlias

import pytest
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.conf import settings
from django.contrib.messages import get_messages
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client
from django.test.client import ClientHandler
from django.urls import resolve, reverse
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from accounts import relations
from accounts.models import User
from accounts.moments import today
from games.fairplay.models import Finding
from games.fairplay.patterns import Aborts
from games.matchmaking import planned, tables
from games.matchmaking.series import GOALS, begin_series, on_match_started
from games.matchmaking.tables import TableSetup, rematch
from games.moderation.models import Case, Deed, Report
from games.moderation.people import silence, suspend, warn
from games.notifications.models import Notice
from games.play import commands
from games.play.models import Match
from tests.people import client_of, person, running_match
from tests.site.config import keys
from tests.site.config.addresses import ADMIN, addresses, situations_of
from tests.site.moderation.moderators import administrator, moderator

OUTSIDERS = ("stranger", "staff", "blocked")
PLAYERS = ("seat", "mate")
ROLES = ("nobody", *OUTSIDERS, *PLAYERS)
JUDGED = ("moderator", "administrator", "silenced", "suspended", "warned")
"""Moderators, and those about whom they have decided."""
MISSING = "nothere222"
"""The slug of a match that does not exist, as long as those of the others."""
MISSING_NUMBER = 10**6

WISH = TableSetup("shifting-stones", 3, rated=False)

UNWATCHED = {"sessions", "usersessions", "contenttypes"}
"""Apps whose tables may change by a GET: Django's sessions."""

Rows: TypeAlias = dict[str, list[tuple[Any, ...]]]


def dump() -> Rows:
    """Return every row of every table by the table's name, except sessions."""
    models = [model for model in apps.get_models() if model._meta.app_label not in UNWATCHED]
    with connection.cursor() as cursor:
        return {model._meta.db_table: _rows(model, cursor) for model in models}


def _rows(model: type[Model], cursor: CursorWrapper) -> list[tuple[Any, ...]]:
    """Return the rows of a table as they are stored: building models of them takes ten times as long."""
    cursor.execute(_select(model))
    return [tuple(bytes(value) if isinstance(value, memoryview) else value for value in row) for row in cursor]


@cache
def _select(model: type[Model]) -> str:
    return str(model._default_manager.order_by("pk").query)


@contextmanager
def undone() -> Iterator[None]:
    """Roll back everything that happens to the database in the block."""
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


@dataclass(frozen=True)
class World:
    """Everybody's session, a match in each situation, and what is known by a number or by a key.

    Args:
        sessions: by role.
        slugs: of the matches.
        number: of a session of `seat` in another browser, and of whatever else addresses name so.
        keys: by the names of their addresses.
    """

    sessions: dict[str, str]
    slugs: dict[str, str]
    number: int
    keys: dict[str, str]

    def path(self, name: str, situation: str = "public") -> str:
        """Return an example of an address, with the right key unless the situation is `wrong`."""
        key = "nonsense" if situation == "wrong" else self.keys.get(name, "missing in tests/site/config/keys.py")
        examples = {
            "slug": self.slugs.get(situation, ""),
            "game": "shifting-stones",
            "lesson": "what-lies-there",
            "day": today().isoformat(),
            "speed": "live",
            "level": "companion",
            "username": "seat",
            "name": "seat",
            "pk": MISSING_NUMBER if situation == "wrong" else self.number,
            "uidb36": self.keys["uidb36"],
            "key": key,
            "event": key,
            "club": key,
            "link": key,
            "token": key,
        }
        if name == ADMIN:
            return reverse("admin:index")
        route = addresses()[name]
        used = {key: value for key, value in examples.items() if f":{key}>" in route or f"<{key}>" in route}
        return reverse(name, kwargs=used)

    def paths(self, name: str) -> dict[str, str]:
        """Return an example of an address in each situation in which it could answer differently."""
        return {situation: self.path(name, situation) for situation in situations_of(name)}

    def client(self, role: str, **options: Any) -> Client:
        """Return the browser of a role."""
        client = Client(**options)
        if not options:
            client.handler = self._handler
        if session := self.sessions[role]:
            client.cookies[settings.SESSION_COOKIE_NAME] = session
        return client

    @cached_property
    def _handler(self) -> ClientHandler:
        """What answers all of these browsers: each would put together the whole middleware anew."""
        return Client().handler

    def ask(self, role: str, method: str, path: str, **headers: str) -> HttpResponse:
        """Send a request without a body, and take back what a POST changed."""
        client = self.client(role)
        with undone() if method == "POST" else nullcontext():
            response: HttpResponse = getattr(client, method.lower())(path, headers=headers)
            return response

    def effect(self, role: str, name: str, of: str, fields: dict[str, str]) -> Effect:
        """Post a form of an address, see what that did, and take it back."""
        with undone():
            path = self._path_for(role, name, of)
            before = {name: len(rows) for name, rows in dump().items()}
            response = self.client(role).post(path, fields)
            added = {name for name, rows in dump().items() if len(rows) > before[name]}
            told = [str(message) for message in get_messages(response.wsgi_request)]
            return Effect(answer(response), told, added, hears_of_tables(role))  # type: ignore[arg-type]  # it answers like one

    def _path_for(self, role: str, name: str, of: str) -> str:
        """Return an address with the slug of a table, of `Made` for this role if it is none of the `slugs`."""
        made = Made(role).slug(of) if of in Made.KINDS else self.slugs.get(of, self.slugs["public"])
        return replace(self, slugs={"public": made}).path(name)


@dataclass(frozen=True)
class Effect:
    """What a form has done.

    Args:
        answer: in one word.
        told: the messages that its sender sees.
        added: the tables that had more rows then.
        hears_of_tables: whether its sender is told of the next table of `seat`.
    """

    answer: str
    told: list[str]
    added: set[str]
    hears_of_tables: bool


@dataclass(frozen=True)
class Made:
    """Tables and matches of one role, made when they are asked for."""

    role: str
    KINDS = ("own", "with", "for others")

    def slug(self, kind: str) -> str:
        user, seat = User.objects.get(username=self.role), User.objects.get(username="seat")
        if kind == "own":
            return tables.open_table(user, WISH).slug
        if kind == "with":
            return running_match([seat, user]).slug
        return rematch(Match.objects.get(status=Match.Status.OVER).pk, seat).slug


def hears_of_tables(role: str) -> bool:
    """Return whether somebody is told when `seat` opens another table, inside the caller's transaction."""
    table = tables.open_table(User.objects.get(username="seat"), WISH)
    return Notice.objects.filter(user__username=role, match=table).exists()


def build() -> World:
    """Create the users and the matches, inside the caller's transaction. `seat` has blocked `blocked`.

    The two matches that run begin a series each.
    """
    people = {role: person(role, is_staff=role == "staff", is_superuser=role == "staff") for role in ROLES[1:]}
    pair = (people["seat"], people["mate"])
    matches = {
        "public": _in_series(pair),
        "private": _in_series(pair, visibility=Match.Visibility.PRIVATE),
        "over": running_match(pair),
    }
    commands.resign(matches["over"].pk, 0, "resignation")
    relations.block(people["seat"], people["blocked"])
    matches["open"] = tables.open_table(people["seat"], WISH)
    matches["planned"] = planned.plan_table(people["seat"], WISH, timezone.now() + timedelta(days=1))
    sessions = {role: client_of(user).cookies[settings.SESSION_COOKIE_NAME].value for role, user in people.items()}
    elsewhere = UserSession.objects.create(
        user=people["seat"], session_key="elsewhere", ip="127.0.0.1", user_agent="", data={}
    )
    keys.number(elsewhere.pk, *pair, matches["public"])
    cut = keys.cut(*pair, matches)
    keys.evening(elsewhere.pk, cut["club"])
    people |= _judged(elsewhere.pk)
    Report.objects.create(pk=elsewhere.pk, case_id=elsewhere.pk, by=pair[0], person=people["silenced"], why="insult")
    sessions |= {role: client_of(people[role]).cookies[settings.SESSION_COOKIE_NAME].value for role in JUDGED}
    slugs = {situation: match.slug for situation, match in matches.items()} | {"missing": MISSING}
    return World({"nobody": "", **sessions}, slugs, elsewhere.pk, cut)


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Create everything once; what a test changes is rolled back."""
    with django_db_blocker.unblock(), undone():
        yield build()


def _in_series(pair: tuple[User, User], **fields: Any) -> Match:
    """Return a running match, the first of a series."""
    match = running_match(pair, **fields)
    begin_series(match, GOALS[0])
    on_match_started(match, list(match.seats.all()))
    return match


def _judged(key: int) -> dict[str, User]:
    """Return moderators and those about whom they have decided.

    A case, a deed and a finding have the number of that session.
    """
    people = {role: person(role) for role in ("silenced", "suspended", "warned")}
    people |= {"moderator": moderator("moderator"), "administrator": administrator("administrator")}
    silence(None, people["silenced"], None, "Because")
    suspend(None, people["suspended"], None, "Because")
    deed = warn(None, people["warned"], "Because")
    Case.objects.create(pk=key, person=people["silenced"])
    Finding.objects.create(pk=key, kind=Finding.Kind.DODGING, first=people["silenced"], facts=asdict(Aborts()))
    if not Deed.objects.filter(pk=key).exists():  # otherwise it is one of those above
        Deed.objects.bulk_create([Deed(pk=key, act=deed.act, person=deed.person, sanction=deed.sanction, reason="-")])
    return people


def answer(response: HttpResponse) -> str:
    """Return an answer in one word: the status, `login` and `again` if a login is needed (again), else →<target>."""
    target = response.headers.get("Location")
    if target is None:
        return str(response.status_code)
    name = resolve(target.split("?")[0].split("#")[0]).url_name
    return {"account_login": "login", "account_reauthenticate": "again"}.get(str(name), f"→{name}")
