"""The people of the demo: where they live, how they play, and since when they have been here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password

from accounts.models import User
from games.notifications.channels.mail import UNREACHABLE


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays here.

    Args:
        care: how many of a hundred actions are what the title's policy would do; all others are any legal ones.
        days: before the present when they registered.
        often: how often they play, compared with others.
    """

    name: str
    care: int
    days: int
    often: int = 1
    time_zone: str = "UTC"
    language: str = "en"
    sleeps: bool = False


PEOPLE = (
    Person("Ann", 97, 58, 6, "Europe/London"),
    Person("Bruno", 94, 57, 6, "Europe/Lisbon"),
    Person("Chiara", 99, 55, 6, "Europe/Rome", sleeps=True),
    Person("Daiki", 98, 54, 5, "Asia/Tokyo", sleeps=True),
    Person("Esra", 90, 53, 5, "Europe/Istanbul"),
    Person("Fiete", 92, 52, 5, "Europe/Berlin", "de"),
    Person("Grace", 100, 51, 5, "America/New_York", sleeps=True),
    Person("Henrik", 85, 50, 1, "Europe/Copenhagen"),
    Person("Ines", 96, 49, 1, "America/Sao_Paulo"),
    Person("Jonas", 88, 48, 1, "Europe/Vienna", "de", sleeps=True),
    Person("Keiko", 93, 47, 1, "Asia/Tokyo"),
    Person("Zoë", 95, 46, 1, "America/Montreal"),
)

_BED, _UP = time(23), time(7)


def register(password: str, now: datetime) -> list[User]:
    """Register everybody with the same password, and with addresses that never receive email."""
    hashed = make_password(password)  # once for all of them: it takes its time
    users = [_register(person, hashed, now - timedelta(days=person.days, hours=person.care % 9)) for person in PEOPLE]
    EmailAddress.objects.bulk_create(
        [EmailAddress(user=user, email=user.email, verified=True, primary=True) for user in users]
    )
    return users


def _register(person: Person, hashed: str, joined: datetime) -> User:
    sleep: dict[str, Any] = {"sleep_from": _BED, "sleep_until": _UP} if person.sleeps else {}
    user = User(
        username=person.name,
        email=f"demo-{PEOPLE.index(person) + 1}@demo.{UNREACHABLE}",
        password=hashed,
        date_joined=joined,
        time_zone=person.time_zone,
        language=person.language,
        **sleep,
    )
    user.save()
    return user


def care_of(user: User) -> int:
    """Return how many of a hundred actions a person of the demo thinks about."""
    return next(person.care for person in PEOPLE if person.name == user.username)


def regulars(users: Sequence[User]) -> list[User]:
    """Return everybody, the more often the more they play."""
    return [user for user, person in zip(users, PEOPLE, strict=True) for _time in range(person.often)]
