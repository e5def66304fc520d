"""The person who asks, for views that nobody else reaches; and where they want to go from there."""

from __future__ import annotations

from allauth.account.utils import get_next_redirect_url
from django.http import HttpRequest

from accounts.models import User


def person_of(request: HttpRequest) -> User:
    """Return the user who is logged in."""
    assert isinstance(request.user, User)  # noqa: S101  # such views let nobody else in
    return request.user


def stored_person_of(request: HttpRequest) -> User:
    """Return the user who is logged in as stored: a refused form changes the instance it was given."""
    return User.objects.get(pk=person_of(request).pk)


def wanted_next(request: HttpRequest, otherwise: str) -> str:
    """Return the path within the site to which a form asks to lead on (`next`), or another if it names none."""
    wanted = get_next_redirect_url(request) or ""
    return wanted if wanted.startswith("/") else otherwise


def member_of(request: HttpRequest) -> User | None:
    """Return the user who is logged in, guests included; None for a visitor."""
    return request.user if isinstance(request.user, User) else None
