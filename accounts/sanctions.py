"""Sanctions that moderators impose, and what they forbid. Every part of the site asks here.

| | logs in | reads | writes words of their own | plays, sits down, asks others | leaves, takes back |
|---|---|---|---|---|---|
| warned | yes | nothing before the warning is confirmed | | | |
| silenced | yes | yes | no; phrases remain | yes | yes |
| suspended | yes | yes | no | no | yes |
| closed | no | | | | |

The clocks of running matches go on whatever happens to their players.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import moments
from accounts.models import Sanction, User
from accounts.names import isolated
from accounts.relations import lock_people
from accounts.signals import sanctioned

Kind = Sanction.Kind

_HOLDING = (Kind.WARNING, Kind.SUSPENSION)
"""Sanctions that set `User.held`, so that requests of everybody else need no query for them."""


def running(user: Any) -> QuerySet[Sanction]:
    """Return the sanctions that apply to somebody now, the latest first."""
    return Sanction.objects.filter(_not_over(), user=user.pk, ended_at=None)


def _not_over() -> Q:
    return Q(until=None) | Q(until__gt=timezone.now())


def silence_of(user: Any) -> Sanction | None:
    """Return the sanction that forbids somebody to write words of their own, None if they may."""
    return _longest(running(user).filter(kind__in=(Kind.SILENCE, Kind.SUSPENSION)))


def suspension_of(user: Any) -> Sanction | None:
    """Return the sanction that forbids somebody to play, None if they may."""
    return _longest(running(user).filter(kind=Kind.SUSPENSION))


def suspended() -> QuerySet[Any]:
    """Return the keys of all who are suspended now."""
    return Sanction.objects.filter(_not_over(), ended_at=None, kind=Kind.SUSPENSION).values("user")


def warning_of(user: Any) -> Sanction | None:
    """Return the oldest warning that somebody has not confirmed yet, None if there is none."""
    return running(user).filter(kind=Kind.WARNING).order_by("at", "pk").first()


def closure_of(user: Any) -> Sanction | None:
    """Return the sanction that closes somebody's account, None if moderators have not closed it."""
    return running(user).filter(kind=Kind.CLOSURE).first()


def _longest(found: QuerySet[Sanction]) -> Sanction | None:
    rows = list(found)
    without_end = next((row for row in rows if row.until is None), None)
    return without_end or max(rows, key=lambda row: row.until or row.at, default=None)


def refusal_to_write(user: Any) -> str:
    """Return why somebody may not write words of their own, and until when; empty if they may."""
    return _in_words(silence_of(user), *_SILENCED)


def refusal_to_play(user: Any) -> str:
    """Return why somebody may not play, and until when; empty if they may."""
    return _in_words(suspension_of(user), *_SUSPENDED)


_SILENCED = (
    _("You can’t write until %(until)s. Reason: %(reason)s"),
    _("Moderators have silenced you. Reason: %(reason)s"),
)
_SUSPENDED = (
    _("Your account is suspended until %(until)s. Reason: %(reason)s"),
    _("Your account is suspended. Reason: %(reason)s"),
)


def _in_words(found: Sanction | None, until: Any, for_good: Any) -> str:
    if found is None:
        return ""
    if found.until is None:
        return str(for_good % {"reason": isolated(found.reason)})
    return str(until % {"until": moments.with_zone(found.until), "reason": isolated(found.reason)})


def impose(user: User, kind: Kind, reason: str, until: datetime | None = None) -> Sanction:
    """Impose a sanction, inside a transaction. The caller logs who did it and why."""
    lock_people([user.pk])
    sanction = Sanction.objects.create(user=user, kind=kind, reason=reason, until=until)
    if kind in _HOLDING:
        User.objects.filter(pk=user.pk).update(held=True)
    if kind == Kind.CLOSURE:
        User.objects.filter(pk=user.pk).update(is_active=False)
    sanctioned.send(User, user=user, kind=kind)
    return sanction


def end(sanction: Sanction) -> None:
    """End a sanction before its time, because it is lifted or a warning is confirmed. Idempotent; in a transaction."""
    lock_people([sanction.user_id])
    Sanction.objects.filter(pk=sanction.pk, ended_at=None).update(ended_at=timezone.now())
    user = User.objects.get(pk=sanction.user_id)
    release(user)
    if sanction.kind == Kind.CLOSURE and closure_of(user) is None:
        User.objects.filter(pk=user.pk).update(is_active=True)


def release(user: User) -> None:
    """Unset `User.held` of somebody whom no warning or suspension holds any more, under a lock."""
    with transaction.atomic():
        lock_people([user.pk])
        if not running(user).filter(kind__in=_HOLDING).exists():
            User.objects.filter(pk=user.pk).update(held=False)


def hand_over(guest: User, user: User) -> None:
    """Hand over the sanctions of a guest to a user, inside a transaction, so that nobody escapes them by logging in."""
    Sanction.objects.filter(user=guest).update(user=user)
    if running(user).filter(kind__in=_HOLDING).exists():
        User.objects.filter(pk=user.pk).update(held=True)
    for kind in running(user).values_list("kind", flat=True):
        sanctioned.send(User, user=user, kind=kind)
