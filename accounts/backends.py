"""Who is logged in, asked at every request and therefore with one plain statement."""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend as AllauthBackend

from accounts.models import User

_SELECT = f"SELECT * FROM {User._meta.db_table} WHERE id = %s"  # noqa: S608, SLF001  # the name of our own table; Django's public way to it


class AuthenticationBackend(AllauthBackend):  # type: ignore[misc]  # allauth ships no types
    """Log in as allauth does; load the person of a session without building a query each time."""

    def get_user(self, user_id: int) -> User | None:
        """Return the person, None when they are gone or may not log in."""
        user = next(iter(User.objects.raw(_SELECT, [user_id])), None)
        return user if user is not None and self.user_can_authenticate(user) else None
