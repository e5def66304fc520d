"""Logging in."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend as AllauthBackend
from django.http import HttpRequest

from accounts.models import User


class AuthenticationBackend(AllauthBackend):  # type: ignore[misc]  # allauth ships no types
    """Log in as allauth does, in the same time whether or not there is such an account."""

    def _authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        """Return the user with this name or email address and password.

        allauth tries an email address as a name and as an address, and hashes the password each time. Here it is hashed
        once in any case, so that the time taken does not show which addresses have an account. (If there is no such
        user, `authenticate` hashes it.)
        """
        login = credentials.get("username") or credentials.get("email") or ""
        with_address, named = User.objects.with_address(login), User.objects.named(login)
        found = with_address or named
        user: User | None = self._check_password(found, credentials.get("password") or "")
        return user
