"""Reports, and the cases that collect them: claimed, decided, reopened."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.limits import LIMITS, TooMany, spend
from accounts.models import User
from accounts.names import tidy_text
from accounts.relations import lock_people
from games.chat.models import Message
from games.clubs.models import Club
from games.engine.protocol import RuleViolation
from games.moderation import people
from games.moderation.decisions import check_length, check_not_own, check_role, checked_reason, lock_case, write_deed
from games.moderation.models import WORDS, Case, Deed, Report
from games.notifications.messages import Words, joined, register_words
from games.notifications.models import Kind, Notice
from games.notifications.services import notify_reporters, withdraw_answer
from games.play.models import Match
from games.play.store import writing

About = Report.About
Act = Deed.Act


def report_person(by: User, person: User, why: str, words: str) -> Report:
    """Report somebody, or their name if `why` says so.

    Raises:
        RuleViolation: "self", "again" if an earlier report still waits, "why", "too-long", "words-needed", "too-many".
    """
    if why == Report.Why.NAME:
        return _report(by, Report(about=About.NAME, person=person, quote=person.username, why=why, words=words))
    return _report(by, Report(about=About.PERSON, person=person, why=why, words=words))


def report_message(by: User, message: Message, quote: str, why: str, words: str) -> Report:
    """Report a message with its present text (`quote`); raises as `report_person`."""
    about = {"about": About.MESSAGE, "person": message.author, "match": message.room.match, "message": message}
    return _report(by, Report(**about, quote=quote[:WORDS], why=why, words=words))


def report_match(by: User, match: Match, why: str, words: str) -> Report:
    """Report a match; raises as `report_person`."""
    return _report(by, Report(about=About.MATCH, match=match, why=why, words=words))


def report_club(by: User, club: Club, why: str, words: str) -> Report:
    """Report a club with its present name and text; raises as `report_person`."""
    quote = f"{club.name} – {club.text}" if club.text else club.name
    return _report(by, Report(about=About.CLUB, club=club, quote=quote[:WORDS], why=why, words=words))


def _report(by: User, report: Report) -> Report:
    report.by, report.words = by, tidy_text(report.words)
    if report.person == by:
        raise RuleViolation("self", _("You can’t report yourself."))
    if report.why not in Report.Why.values:
        raise RuleViolation("why", _("Choose a reason."))
    if report.why == Report.Why.OTHER and not report.words:
        raise RuleViolation("words-needed", _("Please say in a few words what is wrong."))
    check_length(report.words)
    with writing():
        lock_people([by.pk, *([report.person.pk] if report.person else [])])
        _check_limit(by)
        report.case = _open_case(report)
        same = {name: getattr(report, name) for name in ("about", "message", "person", "match", "club")}
        if Report.objects.filter(by=by, case=report.case, **same).exists():
            raise RuleViolation("again", _("You have reported this already. The moderators will look at it."))
        try:
            spend("report", by)
        except TooMany as error:
            raise RuleViolation("too-many", error.text) from error
        report.save()
    return report


def _open_case(report: Report) -> Case:
    """Lock and return the open case that a report belongs to; create it if there is none."""
    about: dict[str, Any] = {"person": report.person, "match": None, "club": None}
    if report.about in {About.MATCH, About.CLUB}:
        about = {"match": report.match} if report.about == About.MATCH else {"club": report.club}
    while True:
        found = Case.objects.get_or_create(**about, decided_at=None)[0]
        locked = Case.objects.select_for_update().filter(pk=found.pk, decided_at=None).first()
        if locked is not None:  # otherwise it was decided while this waited for the lock
            return locked


def _check_limit(by: Any) -> None:
    """Refuse more reports in a day than `LIMITS` allows: "too-many"."""
    limit = LIMITS["report"]
    most = (limit.guest if by.guest else limit.person)[0].most
    if Report.objects.filter(by=by, at__gt=timezone.now() - timedelta(days=1)).count() >= most:
        text = _("You have sent %(count)d reports today. Please wait until tomorrow.")
        raise RuleViolation("too-many", text % {"count": most})


def claim(by: User, case_id: int) -> Case:
    """Take a case, so that no other moderator can decide it for a while (`CLAIM`); taking it again extends that.

    Raises:
        RuleViolation: "not-moderator", "own", "decided", "claimed" by another.
    """
    return _hand(by, case_id, to=by)


def give_back(by: User, case_id: int) -> Case:
    """Let other moderators take a case; raises as `claim`."""
    return _hand(by, case_id, to=None)


def _hand(by: User, case_id: int, to: User | None) -> Case:
    check_role(by)
    with writing():
        case = lock_case(by, case_id)
        case.claimed_by, case.claimed_at = to, timezone.now() if to else None
        case.save(update_fields=["claimed_by", "claimed_at"])
    return case


def decide(by: User | None, case_id: int, verdict: str, answer: str, reason: str) -> Case:
    """Decide a case and notify those who reported.

    Args:
        by: the moderator.
        case_id: the case.
        verdict: one of `Case.Verdict`.
        answer: what reporters read besides the verdict; may be empty.
        reason: for the log.

    Raises:
        RuleViolation: as `claim`; "verdict", "reason", "too-long".
    """
    reason, answer = checked_reason(by, reason), tidy_text(answer)
    check_length(answer)
    if verdict not in Case.Verdict.values:
        raise RuleViolation("verdict", _("Choose how you decide."))
    with writing():
        case = lock_case(by, case_id)
        case.verdict, case.answer, case.decided_at = verdict, answer, timezone.now()
        case.save(update_fields=["verdict", "answer", "decided_at"])
        write_deed(
            by,
            Act.DECIDE,
            reason,
            case=case,
            person=case.person,
            match=case.match,
            club=case.club,
            details={"verdict": verdict},
        )
        reporters = case.reports.exclude(by=None).values_list("by", flat=True)
        notify_reporters(reporters, case.pk, verdict, answer)
    return case


def warn_and_close(by: User, case_id: int, reason: str) -> Case:
    """Warn the person whom a case is about, and decide it: both, or neither.

    Raises:
        RuleViolation: as `people.warn` and `decide`; "gone" if the person is.
    """
    with writing():
        case = lock_case(by, case_id)
        if case.person is None:
            raise RuleViolation("gone", _("This account has been deleted meanwhile."))
        people.warn(by, case.person, reason, case)
        return decide(by, case_id, Case.Verdict.ACTED, "", reason)


def reopen(by: User | None, case: Case, reason: str) -> Deed:
    """Reopen a case.

    Raises:
        RuleViolation: "not-moderator", "reason", "too-long", "own"; "open" if it, or a newer one about the same, is.
    """
    reason = checked_reason(by, reason)
    with writing():
        case = Case.objects.select_for_update().get(pk=case.pk)
        check_not_own(by, case.person, case.match, case.club)
        same = _same_subject(case)
        if case.is_open or Case.objects.filter(decided_at=None, **same).exists():
            raise RuleViolation("open", _("This case is open, or there is a newer one that is."))
        case.verdict, case.decided_at, case.claimed_by, case.claimed_at = "", None, by, timezone.now()
        case.save(update_fields=["verdict", "decided_at", "claimed_by", "claimed_at"])
        withdraw_answer(case.pk)
        return write_deed(by, Act.REOPEN, reason, case=case, person=case.person, match=case.match, club=case.club)


def _same_subject(case: Case) -> dict[str, Any]:
    """Return the condition on cases about the same as this one."""
    if case.match or case.club:
        return {"match": case.match} if case.match else {"club": case.club}
    return {"person": case.person, "match": None, "club": None}


def _words(notice: Notice) -> Words:
    """Return what reporters are told: the answer itself."""
    told = notice.details
    verdict = str(Case.Verdict(told["verdict"]).label) if "verdict" in told else _("See “Your reports” for the answer.")
    return _("Your report has been looked at"), joined(verdict, told.get("answer", ""))


register_words(Kind.REPORT, _words)
