"""The person who asks, for views that nobody else reaches."""

from __future__ import annotations

from django.http import HttpRequest

from accounts.models import User


def person_of(request: HttpRequest) -> User:
    """Return the user who is logged in."""
    assert isinstance(request.user, User)  # noqa: S101  # such views let nobody else in
    return request.user


def stored_person_of(request: HttpRequest) -> User:
    """Return the user who is logged in as stored: a refused form changes the instance it was given."""
    return User.objects.get(pk=person_of(request).pk)
