"""What fair play keeps about a person (`accounts.personal_data`)."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.personal_data import Part, Row
from games.fairplay.models import Abort, Finding, Use


def _uses(user: User) -> Iterable[Row]:
    rows = Use.objects.filter(user=user).select_related("match").order_by("pk")
    return [{"match": row.match.slug, "device": row.mark, "at": row.at} for row in rows]


def _aborts(user: User) -> Iterable[Row]:
    rows = Abort.objects.filter(user=user).select_related("match").order_by("pk")
    return [{"match": row.match.slug, "alone": row.alone, "behind": row.behind, "at": row.at} for row in rows]


PARTS = (
    Part("match_devices", _("From which devices you played with others"), _uses, ("fairplay.Use.user",)),
    Part("aborts", _("Rated matches you aborted"), _aborts, ("fairplay.Abort.user",)),
)

NOT_EXPORTED = {
    "fairplay.Finding.first": "findings are for moderators, and about two people",
    "fairplay.Finding.second": "findings are for moderators, and about two people",
    "fairplay.Finding.settled_by": "findings are for moderators, and about two people",
    "fairplay.Finding_others.user": "findings are for moderators, and about several people",
}

KEPT = {
    "fairplay.Finding.first": "what is about two people stays beside the other, without a name",
    "fairplay.Finding.second": "what is about two people stays beside the other, without a name",
    "fairplay.Finding.settled_by": "that a finding is settled stays, without a name",
}


def forget(user: User) -> None:
    """Remove the findings that are about nobody else."""
    Finding.objects.filter(Q(first=user, second=None) | Q(first=None, second=user)).delete()
