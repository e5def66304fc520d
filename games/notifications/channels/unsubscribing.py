"""Unsubscribing from a kind of email, or all email, by a link in the email alone: no login, no cookie (RFC 8058)."""

from __future__ import annotations

from email.utils import parseaddr
from urllib.parse import quote

from django.conf import settings
from django.core import signing
from django.urls import reverse

from accounts.models import User
from games.notifications.models import Channel, Kind, Preferences
from games.notifications.notices.messages import absolute
from games.play.matches.transactions import writing

MAILED = tuple(kind for kind in Kind if kind != Kind.SECURITY)
"""Kinds of email that can be switched off."""

_signer = signing.Signer(salt="games.notifications.unsubscribe")


def token_for(user: User, kind: str) -> str:
    """Return a token that lets its holder switch off a person's email and nothing else; it never expires."""
    return _signer.sign(f"{user.pk}-{kind}")


def read_token(token: str) -> tuple[User, Kind] | None:
    """Return which kind of email a token is about, and whose; None if the token is not ours."""
    try:
        key, _dash, kind = _signer.unsign(token).partition("-")
        return User.objects.get(pk=int(key)), Kind(kind)
    except (signing.BadSignature, ValueError, User.DoesNotExist):
        return None


def unsubscribe(user: User, *kinds: Kind) -> None:
    """Switch off a person's email of these kinds. Idempotent."""
    with writing():
        Preferences.objects.get_or_create(user=user)
        preferences = Preferences.objects.select_for_update().get(user=user)
        preferences.off = sorted({*preferences.off, *(f"{kind}.{Channel.MAIL}" for kind in kinds)})
        preferences.save(update_fields=["off"])


def address_of(token: str) -> str:
    """Return the address of the page for unsubscribing."""
    return absolute(reverse("unsubscribe", args=[token]))


def headers_for(token: str) -> dict[str, str]:
    """Return the headers that let mail programs offer a button to unsubscribe (RFC 2369, RFC 8058)."""
    mailto = f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}?subject={quote(f'unsubscribe {token}')}"
    return {
        "List-Unsubscribe": f"<{address_of(token)}>, <{mailto}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
