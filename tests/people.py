"""The users of the tests: one who is seated, a mate at the same table, a stranger; and matches for them."""

from __future__ import annotations

import itertools
import os
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.bots import thinking
from games.bots.services import awaited_turns, claim_turn, play_answer
from games.engine.contract.playouts import option_combinations
from games.engine.fair import commitment
from games.play import commands
from games.play.access import ViewedMatch, viewed_by
from games.play.models import Match, Seat
from games.play.reducer import positions
from games.play.store import lock, writing
from games.titles import games, titles

PASSWORD = "a long wooden table"

_names = itertools.count(1)


def person(name: str = "", **fields: Any) -> User:
    """Return a user whose address is verified, and who has read all coach marks unless the fields say otherwise."""
    name = name or f"person{next(_names)}"
    read = " ".join(f"{slug}:{mark.key}" for slug, title in titles().items() for mark in title.coach)
    user = User.objects.create_user(name, f"{name}@example.org", PASSWORD, **{"coached": read, **fields})
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def client_of(user: User) -> Client:
    """Return a test client with a session of somebody, as if they had logged in a while ago.

    Nobody hears of a login, as of `force_login`, which takes several times as long.
    """
    client, session = Client(), SessionStore()
    session.update(
        {
            SESSION_KEY: str(user.pk),
            BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
            HASH_SESSION_KEY: user.get_session_auth_hash(),
        }
    )
    session.create()
    client.cookies[settings.SESSION_COOKIE_NAME] = str(session.session_key)
    user.last_login = timezone.now()
    user.save(update_fields=["last_login"])
    return client


def open_table(users: Sequence[User], seats: int | None = None, **fields: Any) -> Match:
    """Return an open table with these users sitting at it in this order."""
    fields = {"game": "shifting-stones", "rated": False, **fields}
    fields.setdefault("options", option_combinations(games()[fields["game"]], seats or len(users))[0])
    seed = fields.pop("seed", None) or _seed_of_this_test()
    with writing():
        match = commands.prepare_match(seats=seats or len(users), host=users[0], **fields)
        match.server_seed, match.commit = seed, commitment(seed)
        match.save()
        for number, user in enumerate(users):
            Seat.objects.create(match=match, number=number, user=user)
    return match


def _seed_of_this_test() -> bytes:
    """Return a deal of its own for each match of a test, the same ones whenever the test is run."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
    return sha256(f"{test} {Match.objects.count()}".encode()).digest()


def running_match(users: Sequence[User], **fields: Any) -> Match:
    """Return a running match; the first of these users is seat 0.

    Args:
        users: the players.
        fields: of `Match` (game, options, rated, visibility, speed), and `seed` (32 bytes) for a certain deal.
    """
    match = open_table(users, **fields)
    with writing():
        locked = lock(match.pk)
        commands.begin(locked.match, locked.seats)
    match.refresh_from_db()
    return match


def act(match: Match, text: str, seat: int | None = None, client_id: str = "") -> commands.Receipt:
    """Submit an action for the seat to move, as its player's page would."""
    match.refresh_from_db()
    if seat is None:
        seat = match.seats.filter(to_move=True).order_by("number").values_list("number", flat=True)[0]
    receipt = commands.submit(match.pk, seat, text, match.version, client_id or f"test-{next(_names):08}")
    match.refresh_from_db()
    return receipt


def bot_acts(match: Match) -> bool:
    """Take an action for one of a match's bots at once, as the game's policy would; return whether one was awaited."""
    seats = awaited_turns(timezone.now()).filter(match=match).values_list("number", flat=True)
    claimed = next((turn for number in seats if (turn := claim_turn(match.pk, number))), None)
    return claimed is not None and play_answer(claimed.answered(thinking.by_policy(claimed.question)))


def bot_takes_turn(match: Match) -> bool:
    """Let a bot act for a seat until its turn is over; return whether one was awaited."""
    seats = awaited_turns(timezone.now()).filter(match=match)
    first = seats.first()
    if first is None:
        return False
    while awaited_turns(timezone.now()).filter(pk=first.pk, turn=first.turn).exists():
        assert bot_acts(match)
    return True


Chooser = Callable[[Match, Sequence[str]], str]
"""Choose among the legal actions in their notation."""


def play_out(match: Match, chooser: Chooser | None = None, most: int = 5_000) -> Match:
    """Play a match to its end, by default as `eager`."""
    if play_on(match, most, chooser).is_running:
        raise AssertionError(f"{match} does not end")
    return match


def play_on(match: Match, actions: int, chooser: Chooser | None = None) -> Match:
    """Play at most so many actions, by default as `eager`; many times as quick as `act` for each."""
    choose, seen = chooser or eager, as_stored(match)
    for _ in range(actions):
        if not seen.match.is_running:
            break
        awaited = [seat for seat in seen.seats if seat.to_move]
        if any(seat.is_bot or seat.has_left for seat in awaited) and bot_acts(match):
            seen = as_stored(match)
            continue
        seat = awaited[0].number
        seen = go_on(seen, seat, choose(seen.match, positions.legal_texts(seen.match, seat)))
    match.refresh_from_db()
    return match


def as_stored(match: Match) -> ViewedMatch:
    """Return a match with its seats as it is in the database."""
    found = Match.objects.get(pk=match.pk)
    return ViewedMatch(found, tuple(found.seats.select_related("user").order_by("number")), None)


def go_on(seen: ViewedMatch, seat: int, text: str) -> ViewedMatch:
    """Submit an action in a match that was just read, as the site does; return the match after it."""
    match = seen.match
    return commands.submit(match.pk, seat, text, match.version, f"test-{next(_names):08}", seen).viewed


def eager(match: Match, texts: Sequence[str]) -> str:
    """Score if possible, otherwise vary with the position, so that matches progress."""
    scoring = [text for text in texts if text.startswith("score")]
    return scoring[0] if scoring else texts[zlib.crc32(match.state.encode()) % len(texts)]


@dataclass(frozen=True)
class Kinds:
    """A running match and the three kinds of users who can visit its pages."""

    match: Match
    seated: User
    mate: User
    stranger: User

    def table(self, user: User | None) -> ViewedMatch:
        """Return the match as this user (None: a visitor) sees it."""
        from django.contrib.auth.models import AnonymousUser  # apps are ready only now

        table = viewed_by(user or AnonymousUser(), Match.objects.get(pk=self.match.pk))
        assert table is not None
        return table


@pytest.fixture
def ann(db: None) -> User:
    return person("ann")


@pytest.fixture
def bob(db: None) -> User:
    return person("bob")


@pytest.fixture
def kinds(db: None) -> Kinds:
    """A running, public, casual match of Shifting Stones between `seated` (seat 0) and `mate`, and a `stranger`."""
    seated, mate, stranger = person("seated"), person("mate"), person("stranger")
    return Kinds(running_match([seated, mate], seed=bytes(32)), seated, mate, stranger)


def names(users: Iterable[User]) -> list[str]:
    return [user.username for user in users]
