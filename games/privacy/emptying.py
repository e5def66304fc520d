"""Removing everything from an account but the account."""

from __future__ import annotations

import secrets
from typing import Final

from django.db.models import CASCADE

from accounts.models import User
from games.privacy import parts

_NEEDED: Final = frozenset(
    {"play.Seat.user", "ratings.Rating.user", "ratings.RatingChange.user", "privacy.Deletion.user"}
)
"""What a match that others play on is rated by, and what ends the account afterwards."""


def empty(user: User) -> None:
    """Remove everything that somebody has, their name included, inside a transaction. The account stays closed."""
    for name, field in parts.relations():
        if name in _NEEDED:
            continue
        rows = field.model._base_manager.filter(**{field.name: user})  # noqa: SLF001  # Django's public way to all rows
        if field.remote_field.on_delete is CASCADE:
            rows.delete()
        else:
            rows.update(**{field.name: None})
    _forget_who(user)


def _forget_who(user: User) -> None:
    """Give an account the values of a new one, and a name that says nothing; nobody can choose one that begins so."""
    blank = User(pk=user.pk, username=f"Deleted-{secrets.token_hex(6)}", is_active=False)
    blank.set_unusable_password()
    blank.save(force_update=True)
