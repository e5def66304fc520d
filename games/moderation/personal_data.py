"""What moderation keeps about a person (`accounts.personal_data`)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.personal_data import Part
from games.moderation.models import Report

PARTS = (
    Part.of_columns(
        "reports",
        _("Your reports"),
        "moderation.Report.by",
        "pk",
        kind="about",
        name="person__username",
        match="match__slug",
        at="at",
        text="words",
        state="case__verdict",
    ),
)

NOT_EXPORTED = {
    "moderation.Report.person": "nobody is told who has reported them",
    "moderation.Case.person": "what comes of a case about somebody is among their sanctions",
    "moderation.Case.claimed_by": "which case a moderator works on is of no account",
    "moderation.Deed.by": "the log belongs to the site, and names others",
    "moderation.Deed.person": "what was decided about somebody is among their sanctions",
}

KEPT = {
    "moderation.Report.by": "a report is about somebody else; `forget` removes its words",
    "moderation.Report.person": "reporters read what came of it; `forget` removes what was quoted",
    "moderation.Case.person": "reporters read what came of it",
    "moderation.Case.claimed_by": "a case goes on without its moderator",
    "moderation.Deed.by": "the log stays as it was written",
    "moderation.Deed.person": "the log stays as it was written",
}


def forget(user: User) -> None:
    """Remove what somebody wrote in reports, and what was quoted of them."""
    Report.objects.filter(by=user).update(words="")
    Report.objects.filter(person=user).update(quote="")
