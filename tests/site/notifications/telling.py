"""Shared by tests of notices: channels that keep what they are given, people at their screens, and the worker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from time_machine import Traveller

from accounts.models import User
from games.notifications import planning
from games.notifications.channels import Target
from games.notifications.jobs import Deliveries, Planning
from games.notifications.messages import Message
from games.notifications.models import Channel, Delivery, Kind, Notice, Preferences
from games.play import jobs
from games.play.models import Match, Presence
from tests.clocked import DAYS
from tests.people import person, running_match

Told = tuple[str, str, str]
"""Channel, kind, name."""

Pair = tuple[User, User]


@dataclass
class Toy:
    """A channel that keeps what it is given, or fails when told to."""

    told: list[tuple[User, Message]] = field(default_factory=list)
    failing: Exception | None = None

    def targets(self, user: Any) -> Sequence[Target]:
        return [Target("toy")]

    def send(self, delivery: Delivery, message: Message) -> None:
        if self.failing is not None:
            raise self.failing
        self.told.append((delivery.reader, message))


@dataclass
class Post:
    """All channels, as toys, and the worker that uses them."""

    toys: dict[str, Toy] = field(default_factory=dict)

    def work(self) -> list[Told]:
        """Let the worker do what is due; return what it told."""
        before = {name: len(toy.told) for name, toy in self.toys.items()}
        while jobs.run_due([Planning(), Deliveries(threaded=False)]):
            pass
        return sorted(
            (name, message.kind, user.username)
            for name, toy in self.toys.items()
            for user, message in toy.told[before[name] :]
        )

    def plan(self) -> None:
        """Let the worker plan what is due, then die before it sends anything."""
        jobs.run_due([Planning()])

    def messages(self, channel: str) -> list[Message]:
        return [message for _user, message in self.toys[channel].told]


@pytest.fixture
def post(monkeypatch: pytest.MonkeyPatch) -> Post:
    """Replace every channel."""
    made = Post({channel: Toy() for channel in (Channel.PUSH, Channel.MAIL, Channel.WEBHOOK)})
    monkeypatch.setattr(planning, "TRANSPORTS", made.toys)
    return made


def look_at(match: Match, *people: User) -> None:
    """Let visible tabs of these people show a match at this moment."""
    for user in people:
        Presence.objects.update_or_create(user=user, match=match, defaults={"at": timezone.now()})


def prefer(user: User, **fields: Any) -> None:
    """Set what somebody wants to hear about."""
    Preferences.objects.update_or_create(user=user, defaults=fields)


def seconds(count: float) -> timedelta:
    return timedelta(seconds=count)


def minutes(count: float) -> timedelta:
    return timedelta(minutes=count)


@pytest.fixture
def pair(clock: Traveller) -> Pair:
    """Two people at noon on a Monday, ann and bob."""
    return person("ann"), person("bob")


def begun(people: tuple[User, ...], **fields: object) -> Match:
    """Return a match whose beginning needs no notice; the first of these people is to move."""
    match = running_match(people, **fields)
    Notice.objects.filter(match=match, kind=Kind.STARTED).delete()
    return match


def over_days(people: tuple[User, ...]) -> Match:
    """Return a match with three days for each turn."""
    return begun(people, clock=DAYS, speed="days")


def noted(kind: str) -> list[str]:
    """Return who has a notice of a kind, in the order in which the notices were made."""
    return list(Notice.objects.filter(kind=kind).order_by("pk").values_list("user__username", flat=True))
