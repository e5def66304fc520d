"""Opting out by a link alone, without login or cookie: of a match, of a kind of email, of all email (RFC 8058)."""

from __future__ import annotations

from email.utils import parseaddr
from urllib.parse import quote

from django.conf import settings
from django.core import signing
from django.urls import reverse

from accounts.models import User
from games.notifications.messages import absolute
from games.notifications.models import Channel, Kind, Mute, Preferences
from games.play.models import Match
from games.play.store import writing

MAILED = tuple(kind for kind in Kind if kind != Kind.SECURITY)
"""Kinds of email that can be switched off."""

_unsubscribe_signer = signing.Signer(salt="games.notifications.unsubscribe")
_mute_signer = signing.Signer(salt="games.notifications.mute")


def mute(user: User, match: Match) -> None:
    """Stop telling a person about a match. Idempotent."""
    Mute.objects.get_or_create(user=user, match=match)


def unmute(user: User, match: Match) -> None:
    """Start telling a person about a match again. Idempotent."""
    Mute.objects.filter(user=user, match=match).delete()


def is_muted(user: User, match: Match) -> bool:
    """Return whether a person has muted a match."""
    return Mute.objects.filter(user=user, match=match).exists()


def mute_address(user: User, slug: str) -> str:
    """Return the address of a page on which whoever has it can mute this match for this person."""
    return absolute(reverse("mute_by_token", args=[_mute_signer.sign(f"{user.pk}-{slug}")]))


def read_mute_token(token: str) -> tuple[User, Match] | None:
    """Return which match a token mutes, and for whom; None if the token is not ours."""
    try:
        key, _dash, slug = _mute_signer.unsign(token).partition("-")
        return User.objects.get(pk=int(key)), Match.objects.get(slug=slug)
    except (signing.BadSignature, ValueError, User.DoesNotExist, Match.DoesNotExist):
        return None


def unsubscribe_token(user: User, kind: str) -> str:
    """Return a token with which a person's email can be switched off, and nothing else; it never expires."""
    return _unsubscribe_signer.sign(f"{user.pk}-{kind}")


def read_unsubscribe_token(token: str) -> tuple[User, Kind] | None:
    """Return which kind of email a token is about, and whose; None if the token is not ours."""
    try:
        key, _dash, kind = _unsubscribe_signer.unsign(token).partition("-")
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


def unsubscribe_address(token: str) -> str:
    """Return the address of the page for unsubscribing."""
    return absolute(reverse("unsubscribe", args=[token]))


def unsubscribe_headers(token: str) -> dict[str, str]:
    """Return the headers that let mail programs offer a button to unsubscribe (RFC 2369, RFC 8058)."""
    mailto = f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}?subject={quote(f'unsubscribe {token}')}"
    return {
        "List-Unsubscribe": f"<{unsubscribe_address(token)}>, <{mailto}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
