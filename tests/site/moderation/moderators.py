"""Moderators, and those about whom they decide."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group

from accounts.models import User
from games.moderation.access import ADMINISTRATORS, MODERATORS
from tests.people import person


def moderator(name: str = "", **fields: Any) -> User:
    """Return a user who moderates."""
    return _with_role(person(name, **fields), MODERATORS)


def administrator(name: str = "", **fields: Any) -> User:
    """Return a user who administers."""
    return _with_role(person(name, **fields), ADMINISTRATORS)


def _with_role(user: User, role: str) -> User:
    user.groups.add(Group.objects.get_or_create(name=role)[0])  # a test that empties the database takes them too
    user.refresh_from_db()
    return user
