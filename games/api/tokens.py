"""Personal tokens: made and shown once, found again by their hash, revoked.

They end with their time, which is at most a year, with the password they were made under, and with a suspension, the
closing or the deletion of the account.
"""

from __future__ import annotations

import secrets
import string
from collections.abc import Collection
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from accounts.models import Sanction, User
from accounts.sanctions import refusal_to_play
from games.api.models import Scope, Token
from games.engine.protocol import RuleViolation
from games.play import jobs
from games.play.store import writing

PREFIX: Final = "tes_"
"""With which every token begins, so that programs that look for leaked secrets know one."""

LENGTH: Final = 40
"""Characters after the prefix, of `_ALPHABET`: 238 bits."""

LONGEST: Final = timedelta(days=365)
"""How long a token can be valid."""

MOST: Final = 20
"""Tokens that one person can have."""

_ALPHABET: Final = string.ascii_letters + string.digits


def make(user: User, name: str, scopes: Collection[Scope], days: int) -> tuple[Token, str]:
    """Make a token; return it as it is stored, and the text, which nobody can be shown again.

    Args:
        user: whose token it is.
        name: by which they recognise it.
        scopes: what it allows.
        days: how long it is valid.

    Raises:
        RuleViolation: "suspended", "guest", "expiry" for a time that is not between a day and `LONGEST`, "scopes" for
            none, or "too-many-tokens".
    """
    if refusal := refusal_to_play(user):
        raise RuleViolation("suspended", refusal)
    if user.guest:
        raise RuleViolation("guest", _("Register to make access tokens."))
    if not 1 <= days <= LONGEST.days:
        raise RuleViolation("expiry", _("A token is valid for at most a year."))
    if not scopes:
        raise RuleViolation("scopes", _("Choose what the token is for."))
    text = PREFIX + "".join(secrets.choice(_ALPHABET) for _place in range(LENGTH))
    with writing():
        if of(user).count() >= MOST:
            most = _("You already have %(count)d access tokens. Revoke one of them first.")
            raise RuleViolation("too-many-tokens", most % {"count": MOST})
        token = Token.objects.create(
            user=user,
            name=name,
            digest=_digest(text),
            password_mark=user.get_session_auth_hash(),
            scopes=[scope.value for scope in Scope if scope in scopes],
            expires_at=timezone.now() + timedelta(days=days),
        )
    return token, text


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def of(user: User) -> QuerySet[Token]:
    """Return somebody's valid tokens, the newest first."""
    return Token.objects.filter(user=user, expires_at__gt=timezone.now(), password_mark=user.get_session_auth_hash())


def find(text: str) -> Token | None:
    """Return the token with this text, with its user, and note the day on which it is used; None if none is valid."""
    if not (text.startswith(PREFIX) and len(text) == len(PREFIX) + LENGTH):
        return None
    token, now = _stored(_digest(text)), timezone.now()
    if token is None or token.expires_at <= now or not token.user.is_active:
        return None
    if not constant_time_compare(token.password_mark, token.user.get_session_auth_hash()):
        return None
    if token.used_on != now.date():
        Token.objects.filter(pk=token.pk).update(used_on=now.date())
    return token


def _stored(digest: str) -> Token | None:
    """Return a token and its user as they are stored; the ORM alone takes three times as long, a fifth of a move."""
    for token in Token.objects.raw("SELECT * FROM api_token WHERE digest = %s", [digest]):
        (token.user,) = User.objects.raw("SELECT * FROM accounts_user WHERE id = %s", [token.user_id])
        return token
    return None


def still_valid(keys: Collection[str]) -> set[str]:
    """Return which tokens, by their primary keys as texts, have neither ended nor been revoked."""
    valid = Token.objects.filter(pk__in=[int(key) for key in keys], expires_at__gt=timezone.now())
    return {str(key) for key in valid.values_list("pk", flat=True)}


def revoke(user: User, pk: int) -> bool:
    """End one of somebody's tokens; return whether they had it."""
    return bool(Token.objects.filter(user=user, pk=pk).delete()[0])


def revoke_all(user: User) -> None:
    """End all tokens of somebody."""
    Token.objects.filter(user=user).delete()


def on_sanctioned(user: User, kind: str, **_more: Any) -> None:
    """End the tokens of somebody who is suspended, or whose account is closed (receiver of `sanctioned`)."""
    if kind in {Sanction.Kind.SUSPENSION, Sanction.Kind.CLOSURE}:
        revoke_all(user)


class Expired(jobs.Periodic):
    """The job that forgets tokens whose time is over."""

    name = "api-tokens"
    every = timedelta(hours=6)

    def look(self, now: datetime) -> int:
        return Token.objects.filter(expires_at__lte=now).delete()[0]


jobs.register(Expired())
