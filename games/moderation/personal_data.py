"""What moderation keeps about a person (`accounts.personal_data`)."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.personal_data import Part, Row
from games.moderation.models import Report


def _reports(user: User) -> Iterable[Row]:
    rows = Report.objects.filter(by=user).select_related("case", "person", "match").order_by("pk")
    return [
        {
            "kind": row.about,
            "name": row.person.username if row.person else "",
            "match": row.match.slug if row.match else "",
            "at": row.at,
            "text": row.words,
            "state": row.case.verdict,
        }
        for row in rows
    ]


PARTS = (Part("reports", _("Your reports"), _reports, ("moderation.Report.by",)),)

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
