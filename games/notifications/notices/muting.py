"""Muting a match: no channel mentions it any more."""

from __future__ import annotations

from django.core import signing
from django.urls import reverse

from accounts.models import User
from games.notifications.models import Mute
from games.notifications.notices.messages import absolute
from games.play.models import Match

_signer = signing.Signer(salt="games.notifications.mute")


def mute(user: User, match: Match) -> None:
    """Stop telling a person about a match. Idempotent."""
    Mute.objects.get_or_create(user=user, match=match)


def unmute(user: User, match: Match) -> None:
    """Start telling a person about a match again. Idempotent."""
    Mute.objects.filter(user=user, match=match).delete()


def is_muted(user: User, match: Match) -> bool:
    """Return whether a person has muted a match."""
    return Mute.objects.filter(user=user, match=match).exists()


def address_for(user: User, slug: str) -> str:
    """Return the address of a page that lets its holder mute this match for this person, and do nothing else."""
    return absolute(reverse("mute_by_token", args=[_signer.sign(f"{user.pk}-{slug}")]))


def read_token(token: str) -> tuple[User, Match] | None:
    """Return which match a token mutes, and for whom; None if the token is not ours."""
    try:
        key, _dash, slug = _signer.unsign(token).partition("-")
        return User.objects.get(pk=int(key)), Match.objects.get(slug=slug)
    except (signing.BadSignature, ValueError, User.DoesNotExist, Match.DoesNotExist):
        return None
