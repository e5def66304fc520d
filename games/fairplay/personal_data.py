"""What fair play keeps about a person (`accounts.personal_data`)."""

from __future__ import annotations

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.personal_data import Part
from games.fairplay.models import Finding

PARTS = (
    Part.of_columns(
        "match_devices",
        _("From which devices you played with others"),
        "fairplay.Use.user",
        match="match__slug",
        device="mark",
        at="at",
    ),
    Part.of_columns(
        "aborts",
        _("Rated matches you aborted"),
        "fairplay.Abort.user",
        match="match__slug",
        alone="alone",
        behind="behind",
        at="at",
    ),
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
    """Delete the findings that are about nobody else."""
    Finding.objects.filter(Q(first=user, second=None) | Q(first=None, second=user)).delete()
