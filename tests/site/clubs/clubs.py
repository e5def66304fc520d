"""What the tests of clubs share."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.clubs import services
from games.clubs.models import Club, Member
from games.engine.protocol import RuleViolation
from games.events.models import Event
from games.events.organising import make_event
from tests.people import person

Role = Member.Role


def club_of(owner: User, name: str = "Chess at school", **more: Any) -> Club:
    """Return a club that somebody has founded, joined by whom `more` says."""
    return services.found(owner, name, **more)


def knockout_of(club: Club, by: User) -> Event:
    """Return an event of a club that an owner or helper has made, and that starts in three days."""
    starts_at = timezone.now() + timedelta(days=3)
    how: dict[str, Any] = {"game": "shifting-stones", "format": "knockout", "clock": "600+10/1200"}
    return make_event(club, by, starts_at=starts_at, length=timedelta(hours=1), **how)


def put_in(club: Club, role: Role = Role.MEMBER, user: User | None = None) -> User:
    """Return somebody who belongs to a club."""
    user = user or person()
    Member.objects.create(club=club, user=user, role=role)
    return user


def refused(do: Callable[..., object], *given: Any, **more: Any) -> str:
    """Return the code with which a service refuses."""
    with pytest.raises(RuleViolation) as refusal:
        do(*given, **more)
    return refusal.value.code


def role_of(club: Club, user: User) -> str:
    """Return somebody's role in a club, empty if they do not belong to it."""
    found = club.members.filter(user=user).first()
    return found.role if found else ""
