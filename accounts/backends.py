"""Logging in, and loading the user of a session: this happens at every request, so it is one plain SQL statement."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from allauth.account.auth_backends import AuthenticationBackend as AllauthBackend
from allauth.account.internal.userkit import filter_users_by_email
from django.db import connection
from django.http import HttpRequest

from accounts.models import User
from accounts.rows import copied

_FIELDS = User._meta.concrete_fields  # noqa: SLF001  # Django's documented way to the fields
_TABLE = User._meta.db_table  # noqa: SLF001  # as above
_SELECT = f"SELECT {', '.join(str(field.column) for field in _FIELDS)} FROM {_TABLE} WHERE id = %s"  # noqa: S608  # names of our own


class AuthenticationBackend(AllauthBackend):  # type: ignore[misc]  # allauth ships no types
    """Log in as allauth does; load the user of a session without building a query each time."""

    def _authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        """Return the user with this name or email address and password.

        allauth tries an email address as a name and as an address, and hashes the password each time. Here it is hashed
        once in any case, so that the time taken does not show which addresses have an account. (If there is no such
        user, `authenticate` hashes it.)
        """
        login = credentials.get("username") or credentials.get("email") or ""
        with_address = filter_users_by_email(login, prefer_verified=True, for_login=True)
        found = with_address[0] if with_address else User.objects.named(login)
        user: User | None = self._check_password(found, credentials.get("password") or "")
        return user

    def get_user(self, user_id: int) -> User | None:
        """Return the user, None if they are gone or may not log in."""
        with connection.cursor() as cursor:
            cursor.execute(_SELECT, [user_id])
            row = cursor.fetchone()
        user = row and copied(_person(row))
        return user if user is not None and self.user_can_authenticate(user) else None


@lru_cache(maxsize=2048)
def _person(row: tuple[Any, ...]) -> User:
    """Return the user in a row; the result is cached, because equal rows hold the same user."""
    compiler = User.objects.all().query.get_compiler(connection.alias)
    converters = compiler.get_converters([field.get_col(_TABLE) for field in _FIELDS])
    (values,) = compiler.apply_converters([row], converters)
    return User.from_db(connection.alias, [field.attname for field in _FIELDS], values)
