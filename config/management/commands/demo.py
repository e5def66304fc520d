"""`manage.py demo`: four people and some matches, so that every page has something to show."""

from __future__ import annotations

import secrets
import string
from itertools import permutations
from typing import Any

from allauth.account.models import EmailAddress
from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from games.engine.playouts import option_combinations
from games.engine.protocol import OptionValue
from games.notifications.mail import UNREACHABLE
from games.play import positions, services
from games.play.access import Table
from games.play.locking import lock
from games.play.models import Match, Seat
from games.play.transactions import writing
from games.titles import games, titles

NAMES = ("ann", "bob", "cleo", "dai")
MOST_ACTIONS = 5_000
DUEL = 2


class Command(BaseCommand):
    help = "Add four people and some running and finished matches, played by random legal actions."

    def handle(self, *_: Any, **options: Any) -> None:
        if User.objects.named(NAMES[0]) is not None:
            raise CommandError("The demo people are there already.")
        password = "".join(secrets.choice(string.ascii_lowercase) for _ in range(14))
        people = [_person(name, password) for name in NAMES]
        for slug in titles():
            _matches(slug, people)
        self.stdout.write(f"People: {', '.join(NAMES)}. Password of each: {password}")


def _person(name: str, password: str) -> User:
    user = User.objects.create_user(name, f"{name}@demo.{UNREACHABLE}", password)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def _matches(slug: str, people: list[User]) -> None:
    """Play every number of seats to the end, enough duels for the leaderboard, and leave some running and open."""
    seats = [count for count in titles()[slug].game.seats if count <= len(people)]
    for count in seats:
        play_on(sit_down(slug, people[:count], rated=count > 1))
    for duel in [*permutations(people, DUEL)] * 2 if DUEL in seats else ():
        give_up(sit_down(slug, list(duel), rated=True))
    for count in seats[-3:]:
        play_on(sit_down(slug, people[:count], rated=count > 1), most=15)
    for host in people[:2]:
        _table(slug, [host], max(seats))


def _options(slug: str, seats: int) -> dict[str, OptionValue]:
    """Return the first choice wherever there is one, required or not."""
    return option_combinations(games()[slug], seats)[0]


def _table(slug: str, people: list[User], seats: int, **fields: Any) -> Match:
    with writing():
        match = services.prepare_match(slug, _options(slug, seats), seats, host=people[0], **{"rated": False, **fields})
        match.save()
        for number, user in enumerate(people):
            Seat.objects.create(match=match, number=number, user=user, nonce=secrets.token_bytes(16))
    return match


def sit_down(slug: str, people: list[User], **fields: Any) -> Match:
    """Begin a match of these people with the default options."""
    match = _table(slug, people, len(people), **fields)
    with writing():
        locked = lock(match.pk)
        services.begin(locked.match, locked.seats)
    return locked.match


def play_on(match: Match, most: int = MOST_ACTIONS) -> Match:
    """Play random legal actions, preferring those which score, through the service every player's page uses."""
    table = Table(match, tuple(match.seats.select_related("user")), None)
    with writing():  # one for all of them, as nobody watches
        for _ in range(most):
            if not table.match.is_running:
                break
            seat = next(seat.number for seat in table.seats if seat.to_move)
            text, client_id = _choice(table.match, seat), secrets.token_hex(16)
            table = services.submit(match.pk, seat, text, table.match.version, client_id, seen=table).table
    return table.match


def give_up(match: Match) -> None:
    """Play a short match at the end of which somebody resigns."""
    if play_on(match, most=secrets.choice(range(4, 9))).is_running:
        services.resign(match.pk, secrets.randbelow(match.seat_count), secrets.token_hex(16))


def _choice(match: Match, seat: int) -> str:
    texts = positions.legal_texts(match, seat)
    scoring = [text for text in texts if text.startswith("score")]
    return secrets.choice(scoring or texts)
