"""The way in for what moderators do with cases: take one, give it back, decide it, open it again."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.texts import tidy_text
from games.engine.protocol import RuleViolation
from games.moderation.deciding import check_length, check_not_own, check_role, checked, done, own_case
from games.moderation.models import Case, Deed
from games.notifications.services import notify_reporters
from games.play.matches.transactions import writing

Act = Deed.Act


def claim(by: User, case_id: int) -> Case:
    """Take a case, so that no other moderator decides it meanwhile; taking it again begins anew.

    Raises:
        RuleViolation: "not-moderator", "own", "decided", "claimed" by another.
    """
    check_role(by)
    with writing():
        case = own_case(by, case_id)
        case.claimed_by, case.claimed_at = by, timezone.now()
        case.save(update_fields=["claimed_by", "claimed_at"])
    return case


def give_back(by: User, case_id: int) -> Case:
    """Let other moderators take a case; raises as `claim`."""
    check_role(by)
    with writing():
        case = own_case(by, case_id)
        case.claimed_by = case.claimed_at = None
        case.save(update_fields=["claimed_by", "claimed_at"])
    return case


def decide(by: User | None, case_id: int, verdict: str, answer: str, reason: str) -> Case:
    """Decide a case; those who reported are told.

    Args:
        by: the moderator.
        case_id: the case.
        verdict: one of `Case.Verdict`.
        answer: what reporters read besides the verdict; may be empty.
        reason: for the log.

    Raises:
        RuleViolation: as `claim`; "verdict", "reason", "too-long".
    """
    reason, answer = checked(by, reason), tidy_text(answer)
    check_length(answer)
    if verdict not in Case.Verdict.values:
        raise RuleViolation("verdict", _("Choose how you decide."))
    with writing():
        case = own_case(by, case_id)
        case.verdict, case.answer, case.decided_at = verdict, answer, timezone.now()
        case.save(update_fields=["verdict", "answer", "decided_at"])
        done(by, Act.DECIDE, reason, case=case, person=case.person, match=case.match, details={"verdict": verdict})
        notify_reporters(case.reports.exclude(by=None).values_list("by", flat=True))
    return case


def reopen(by: User | None, case: Case, reason: str) -> Deed:
    """Open a case again.

    Raises:
        RuleViolation: "not-moderator", "reason", "too-long", "own", "open" if it is, or another about the same is.
    """
    reason = checked(by, reason)
    with writing():
        case = Case.objects.select_for_update().get(pk=case.pk)
        check_not_own(by, case.person, case.match)
        same = {"match": case.match} if case.match else {"person": case.person, "match": None}
        if case.is_open or Case.objects.filter(decided_at=None, **same).exists():
            raise RuleViolation("open", _("This case is open, or there is a newer one that is."))
        case.verdict, case.decided_at, case.claimed_by, case.claimed_at = "", None, by, timezone.now()
        case.save(update_fields=["verdict", "decided_at", "claimed_by", "claimed_at"])
        return done(by, Act.REOPEN, reason, case=case, person=case.person, match=case.match)
