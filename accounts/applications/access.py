"""What programs may do for people: what stands behind a token, who has let which program in, and how that ends."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

from allauth.account.signals import password_changed, password_reset, password_set
from allauth.idp.oidc.models import Client, Token
from django.conf import settings
from django.core.cache import cache
from django.db.models import Max
from django.dispatch import receiver

from accounts.applications.scopes import SCOPES
from accounts.models import Sanction, User
from accounts.sanctions import suspension_of
from accounts.signals import sanctioned

GRANTS: Final = (Client.GrantType.AUTHORIZATION_CODE, Client.GrantType.REFRESH_TOKEN)
"""The ways to a token that every application has; public ones can also use the device flow."""

AT_ONCE: Final = 1000
"""How many expired tokens are deleted at once, at most."""

_HELD: Final = (Token.Type.ACCESS_TOKEN, Token.Type.REFRESH_TOKEN)


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who is behind an access token.

    Args:
        user: whom the program acts for.
        scopes: what it may do.
        application: its name.
        key: of the token, for what is counted by it.
    """

    user: User
    scopes: frozenset[str]
    application: str
    key: int


def bearer_of(token: str) -> Bearer | None:
    """Return who is behind an access token; None if it is unknown, has ended, or nobody may act for its person."""
    valid = Token.objects.select_related("user", "client__owner").valid()
    found = valid.by_value(token).filter(type=Token.Type.ACCESS_TOKEN).first()
    if found is None or found.user is None or found.client is None:
        return None
    if not may_be_acted_for(found.user) or not is_open(found.client):
        return None
    return Bearer(found.user, frozenset(found.get_scopes()), found.client.name, found.pk)


def still_valid(keys: Collection[str]) -> set[str]:
    """Return which access tokens, by their primary keys as texts, have not ended."""
    valid = Token.objects.valid().filter(pk__in=[int(key) for key in keys], client__owner__is_active=True)
    return {str(key) for key in valid.values_list("pk", flat=True)}


def may_be_acted_for(user: User) -> bool:
    """Return whether programs may act for somebody: nobody acts for guests and for those who may not play."""
    return user.is_active and not user.guest and not (user.held and suspension_of(user) is not None)


def is_open(client: Client) -> bool:
    """Return whether an application works: not without the account of whoever registered it."""
    return client.owner is not None and client.owner.is_active


# --- who has let which program in -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Access:
    """A program that somebody has let in.

    Args:
        application: the program.
        scopes: what it may do.
        last: when it last got a token.
    """

    application: Client
    scopes: tuple[str, ...]
    last: datetime


def accesses_of(user: User) -> Sequence[Access]:
    """Return the programs that somebody has let in, the latest first."""
    held = Token.objects.valid().filter(user=user, type__in=_HELD)
    rows = held.values("client").annotate(last=Max("created_at")).order_by("-last")
    clients = Client.objects.select_related("owner").in_bulk([row["client"] for row in rows])
    return [Access(clients[row["client"]], _scopes_in(held.filter(client=row["client"])), row["last"]) for row in rows]


def _scopes_in(tokens: Any) -> tuple[str, ...]:
    return tuple(name for name in SCOPES if any(name in token.get_scopes() for token in tokens))


def revoke(user: User, application: str) -> bool:
    """End what an application may do for somebody, by its key; return whether it could do anything."""
    return bool(Token.objects.filter(user=user, client=application).delete()[0])


@receiver([password_changed, password_reset, password_set])
def end_all(user: User, **_: Any) -> None:
    """End what all programs may do for somebody."""
    Token.objects.filter(user=user).delete()


@receiver(sanctioned)
def _sanctioned(user: User, kind: str, **_: Any) -> None:
    if kind in {Sanction.Kind.SUSPENSION, Sanction.Kind.CLOSURE}:
        end_all(user)


def forget_expired(now: datetime) -> int:
    """Delete tokens that have expired; return how many."""
    expired = Token.objects.filter(expires_at__lt=now).values_list("pk", flat=True)
    return int(Token.objects.filter(pk__in=list(expired[:AT_ONCE])).delete()[0])


# --- agreements: that a code is still good when a program comes with it -----------------------------------------------
# Between an agreement and the token lie up to `IDP_OIDC_DEVICE_CODE_EXPIRES_IN` seconds. Each code is used once, also
# by two requests at the same moment, and only while the person has the password they had when they agreed.


def agree(user: User, code: str) -> None:
    """Keep that somebody has agreed to what a code stands for."""
    kept: int = settings.IDP_OIDC_DEVICE_CODE_EXPIRES_IN
    cache.set(_agreement(user, code), user.get_session_auth_hash(), kept)


def take_agreement(user: User, code: str) -> bool:
    """Return whether somebody has agreed to what a code stands for, which is true once."""
    key = _agreement(user, code)
    kept = cache.get(key)
    return bool(cache.delete(key)) and kept == user.get_session_auth_hash()


def _agreement(user: User, code: str) -> str:
    return f"agreement:{user.pk}:{sha256(code.encode()).hexdigest()}"
