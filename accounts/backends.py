"""Logging in."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend as AllauthBackend
from django.http import HttpRequest

from accounts.models import User


class AuthenticationBackend(AllauthBackend):  # type: ignore[misc]  # allauth ships no types
    """Finds people by name or email address, in the same time whether or not there is such an account.

    allauth tries an email address as a name and as an address, and hashes the password each time. Here it is hashed
    once in any case, so that the time taken does not show which addresses have an account.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        """Return the user with this name or email address and password, active or not: allauth tells the latter so."""
        login, password = credentials.get("username") or credentials.get("email") or "", credentials.get("password")
        if not password:
            return None
        with_address, named = User.objects.with_address(login), User.objects.named(login)
        user = with_address or named
        if user is None:
            User().set_password(password)
        return user if user is not None and user.check_password(password) else None
