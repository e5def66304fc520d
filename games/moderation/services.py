"""The way in for everything that reporters and moderators write.

`by` is the moderator, None for a command of the operator. Everything moderators do needs a reason and is kept as a
`Deed`; whom it concerns is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import sanctions
from accounts.blocks import lock_people
from accounts.models import Sanction, User
from accounts.services import rename as give_name
from games.chat.models import Message
from games.chat.services import tidy
from games.engine.protocol import RuleViolation
from games.matchmaking import services as tables
from games.moderation import letters, parting
from games.moderation.access import ROLES, is_administrator, is_moderator, is_own
from games.moderation.limits import check_reports
from games.moderation.models import WORDS, Case, Deed, Report
from games.notifications.notices import moderating
from games.play.matches import rulings
from games.play.matches.transactions import writing
from games.play.models import Match, Seat

Act = Deed.Act
About = Report.About

# --- reports ----------------------------------------------------------------------------------------------------------


def report_person(by: User, person: User, why: str, words: str) -> Report:
    """Report somebody, or their name if that is why.

    Raises:
        RuleViolation: "self", "again" while an earlier one waits, "why", "too-long", "words-needed", "too-many".
    """
    if why == Report.Why.NAME:
        return _report(by, Report(about=About.NAME, person=person, quote=person.username, why=why, words=words))
    return _report(by, Report(about=About.PERSON, person=person, why=why, words=words))


def report_message(by: User, message: Message, quote: str, why: str, words: str) -> Report:
    """Report a message, as it reads (`quote`); raises as `report_person`."""
    about = {"about": About.MESSAGE, "person": message.author, "match": message.room.match, "message": message}
    return _report(by, Report(**about, quote=quote[:WORDS], why=why, words=words))


def report_match(by: User, match: Match, why: str, words: str) -> Report:
    """Report a match; raises as `report_person`."""
    return _report(by, Report(about=About.MATCH, match=match, why=why, words=words))


def _report(by: User, report: Report) -> Report:
    report.by, report.words = by, tidy(report.words)
    _check_report(report)
    with writing():
        lock_people([by.pk, *([report.person.pk] if report.person else [])])
        check_reports(by)
        report.case = _open_case(report)
        same = {"about": report.about, "message": report.message, "person": report.person, "match": report.match}
        if Report.objects.filter(by=by, case=report.case, **same).exists():
            raise RuleViolation("again", _("You have reported this already. The moderators will look at it."))
        report.save()
    return report


def _check_report(report: Report) -> None:
    if report.person is not None and report.person == report.by:
        raise RuleViolation("self", _("You can’t report yourself."))
    if report.why not in Report.Why.values:
        raise RuleViolation("why", _("Choose a reason."))
    if report.why == Report.Why.OTHER and not report.words:
        raise RuleViolation("words-needed", _("Please say in a few words what is wrong."))
    _check_length(report.words)


def _check_length(words: str) -> None:
    if len(words) > WORDS:
        text = _("Please write at most %(most)d characters. You have written %(count)d.")
        raise RuleViolation("too-long", text % {"most": WORDS, "count": len(words)})


def _open_case(report: Report) -> Case:
    """Return the open case to which a report belongs, a new one if there is none."""
    if report.about == About.MATCH:
        return Case.objects.get_or_create(match=report.match, decided_at=None)[0]
    return Case.objects.get_or_create(person=report.person, match=None, decided_at=None)[0]


# --- cases ------------------------------------------------------------------------------------------------------------


def claim(by: User, case_id: int) -> Case:
    """Take a case, so that no other moderator decides it meanwhile; taking it again begins anew.

    Raises:
        RuleViolation: "not-moderator", "own", "decided", "claimed" by another.
    """
    _check_role(by)
    with writing():
        case = _own_case(by, case_id)
        case.claimed_by, case.claimed_at = by, timezone.now()
        case.save(update_fields=["claimed_by", "claimed_at"])
    return case


def give_back(by: User, case_id: int) -> Case:
    """Let other moderators take a case; raises as `claim`."""
    _check_role(by)
    with writing():
        case = _own_case(by, case_id)
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
    reason, answer = _checked(by, reason), tidy(answer)
    _check_length(answer)
    if verdict not in Case.Verdict.values:
        raise RuleViolation("verdict", _("Choose how you decide."))
    with writing():
        case = _own_case(by, case_id)
        case.verdict, case.answer, case.decided_at = verdict, answer, timezone.now()
        case.save(update_fields=["verdict", "answer", "decided_at"])
        _done(by, Act.DECIDE, reason, case=case, person=case.person, match=case.match, details={"verdict": verdict})
        moderating.tell_reporters(case.reports.exclude(by=None).values_list("by", flat=True))
    return case


def _own_case(by: User | None, case_id: int) -> Case:
    """Lock a case that is open, about others, and not taken by somebody else."""
    case = Case.objects.select_for_update().get(pk=case_id)
    _check_not_own(by, case.person, case.match)
    if not case.is_open:
        raise RuleViolation("decided", _("This case has been decided."))
    if case.holder is not None and case.holder != by:
        raise RuleViolation("claimed", _("%(name)s is looking at this case.") % {"name": case.holder.username})
    return case


# --- people -----------------------------------------------------------------------------------------------------------


def warn(by: User | None, person: User, reason: str, case: Case | None = None) -> Deed:
    """Warn somebody, who has to confirm it before anything else.

    Raises:
        RuleViolation: "not-moderator", "self", "colleague" against a moderator, "reason", "too-long".
    """
    return _sanction(by, Act.WARN, person, reason, case)


def silence(by: User | None, person: User, until: datetime | None, reason: str, case: Case | None = None) -> Deed:
    """Let somebody write nothing but phrases, until a moment or until it is lifted; raises as `warn`."""
    return _sanction(by, Act.SILENCE, person, reason, case, until)


def suspend(by: User | None, person: User, until: datetime | None, reason: str, case: Case | None = None) -> Deed:
    """Let somebody only read and leave; they leave open tables and wait for nobody. Raises as `warn`."""
    return _sanction(by, Act.SUSPEND, person, reason, case, until)


def close_account(by: User | None, person: User, reason: str, case: Case | None = None) -> Deed:
    """Close an account: nobody can log in with it. They are told by email. Raises as `warn`."""
    return _sanction(by, Act.CLOSE, person, reason, case)


_KINDS = {
    Act.WARN: Sanction.Kind.WARNING,
    Act.SILENCE: Sanction.Kind.SILENCE,
    Act.SUSPEND: Sanction.Kind.SUSPENSION,
    Act.CLOSE: Sanction.Kind.CLOSURE,
}


def _sanction(  # noqa: PLR0917  # who does what to whom, why and until when
    by: User | None, act: Deed.Act, person: User, reason: str, case: Case | None, until: datetime | None = None
) -> Deed:
    reason = _checked(by, reason, person)
    if until is not None and until <= timezone.now():
        raise RuleViolation("past", _("Choose a time that is still to come."))
    with writing():
        lock_people([person.pk])
        sanction = sanctions.impose(person, _KINDS[act], reason, until)
        details = {"until": until.isoformat() if until else ""}
        deed = _done(by, act, reason, person=person, case=case, sanction=sanction, details=details)
        moderating.tell_person(person.pk)
    if act in {Act.SUSPEND, Act.CLOSE}:
        parting.part(person)
    if act == Act.CLOSE:
        letters.account_closed(person, reason)
    return deed


def rename(by: User | None, person: User, name: str, reason: str, case: Case | None = None) -> Deed:
    """Give somebody another name. Nobody can take the old one, not even they.

    Raises:
        RuleViolation: as `warn`; "name" with what is wrong with the new one.
    """
    reason, former = _checked(by, reason, person), person.username
    try:
        with writing():
            lock_people([person.pk])
            give_name(person, name, forced=True)
            details = {"former_name": _latest_name(person, former)}
            deed = _done(by, Act.RENAME, reason, person=person, case=case, details=details)
            moderating.tell_person(person.pk)
    except ValidationError as error:
        raise RuleViolation("name", " ".join(error.messages)) from error
    return deed


def _latest_name(person: User, former: str) -> int | None:
    """Return the key of the name that was just given up: the log holds no names."""
    return person.former_names.filter(name=former).order_by("-pk").values_list("pk", flat=True).first()


def confirm_warning(person: User) -> None:
    """Note that somebody has read the warning that waits. Idempotent."""
    with writing():
        warning = sanctions.warning_of(person)
        if warning is not None:
            sanctions.end(warning)
        sanctions.release(person)


def lift(by: User | None, sanction: Sanction, reason: str) -> Deed:
    """End a sanction before its time.

    Raises:
        RuleViolation: as `warn`; "over" if it does not hold any more.
    """
    reason = _checked(by, reason, sanction.user)
    with writing():
        lock_people([sanction.user_id])
        sanction.refresh_from_db()
        if not sanction.runs:
            raise RuleViolation("over", _("This does not hold any more."))
        sanctions.end(sanction)
        deed = _done(by, Act.LIFT, reason, person=sanction.user, sanction=sanction)
        moderating.tell_person(sanction.user_id)
    return deed


def set_role(by: User | None, person: User, role: str, reason: str) -> Deed:
    """Make somebody a moderator or an administrator, or (role "") neither; only administrators may.

    Raises:
        RuleViolation: "not-administrator", "reason", "too-long".
    """
    if by is not None and not is_administrator(by):
        raise RuleViolation("not-administrator", _("Only administrators can do this."))
    reason = _checked(by, reason)
    with writing():
        groups = Group.objects.filter(name__in=ROLES)
        person.groups.remove(*groups)
        if role:
            person.groups.add(Group.objects.get_or_create(name=role)[0])
        return _done(by, Act.ROLE, reason, person=person, details={"role": role})


# --- matches ----------------------------------------------------------------------------------------------------------


def shut_table(by: User | None, match: Match, reason: str, case: Case | None = None) -> Deed:
    """Close a table that has not begun; raises as `abort`, "table-begun", "table-closed"."""
    reason = _checked(by, reason)
    _check_not_own(by, match=match)
    with writing():
        tables.shut(match.pk)
        deed = _done(by, Act.SHUT, reason, match=match, case=case)
        _tell_players(match)
    return deed


def abort(by: User | None, match: Match, reason: str, case: Case | None = None) -> Deed:
    """End a running match without a result, or let one that is over not count: ratings are recomputed.

    Raises:
        RuleViolation: "not-moderator", "reason", "too-long", "own", "not-running", "alone".
    """
    reason = _checked(by, reason)
    _check_not_own(by, match=match)
    with writing():
        match.refresh_from_db()
        if match.is_over:
            ruling = rulings.annul(match.pk, reason)
            deed = _done(by, Act.ANNUL, reason, match=match, case=case, details={"played": ruling.played})
        else:
            rulings.stop(match.pk)
            deed = _done(by, Act.ABORT, reason, match=match, case=case)
        _tell_players(match)
    return deed


def award(by: User | None, match: Match, places: Sequence[int], reason: str, case: Case | None = None) -> Deed:
    """Decide the places of a match that is over, in the order of seats: ratings are recomputed.

    Raises:
        RuleViolation: "not-moderator", "reason", "too-long", "own", "not-over", "alone", "places".
    """
    reason = _checked(by, reason)
    _check_not_own(by, match=match)
    with writing():
        ruling = rulings.award(match.pk, places, reason)
        details = {"places": list(places), "played": ruling.played}
        deed = _done(by, Act.AWARD, reason, match=match, case=case, details=details)
        _tell_players(match)
    return deed


def reinstate(by: User | None, match: Match, reason: str, case: Case | None = None) -> Deed:
    """Let the result of a match stand as it was played; raises as `abort`, or "not-ruled"."""
    reason = _checked(by, reason)
    _check_not_own(by, match=match)
    with writing():
        if not rulings.take_back(match.pk):
            raise RuleViolation("not-ruled", _("The result of this match stands as it was played."))
        deed = _done(by, Act.REINSTATE, reason, match=match, case=case)
        _tell_players(match)
    return deed


def _tell_players(match: Match) -> None:
    match.refresh_from_db()
    seats = Seat.objects.filter(match=match).exclude(user=None)
    moderating.tell_players(match, seats.values_list("user", flat=True))


# --- what other apps let moderators do --------------------------------------------------------------------------------


Undoing: TypeAlias = Callable[[User | None, Deed, str], Deed]

_undoings: dict[Deed.Act, Undoing] = {}


def undo_by(act: Deed.Act, undoing: Undoing) -> None:
    """Take back what another app lets moderators do (`act`) by this from now on."""
    _undoings[act] = undoing


def note(by: User | None, act: Deed.Act, reason: str, people: Iterable[User], **about: Any) -> Deed:
    """Write into the log what a moderator does in another app, inside its transaction.

    Args:
        by: the moderator.
        act: what is done.
        reason: for the log.
        people: whom it is about.
        about: the fields of the deed.

    Raises:
        RuleViolation: as `warn`, about each of them.
    """
    reason = _checked(by, reason)
    if by is not None:
        for person in people:
            _check_against(by, person)
    return _done(by, act, reason, **about)


# --- taking back ------------------------------------------------------------------------------------------------------


def undo(by: User | None, deed: Deed, reason: str) -> Deed:
    """Take back what a moderator did, where that is possible.

    Raises:
        RuleViolation: "own" if it is about them or a match of theirs; "final" where it is not possible; and as what is
            done instead.
    """
    act, person, match = deed.act, deed.person, deed.match
    _check_not_own(by, person, match)
    if deed.sanction is not None and act in _KINDS:
        return lift(by, deed.sanction, reason)
    if act == Act.RENAME and person is not None:
        former = person.former_names.filter(pk=deed.details["former_name"]).first()
        if former is not None:
            return rename(by, person, former.name, reason, deed.case)
    if act in {Act.ANNUL, Act.AWARD} and match is not None:
        return reinstate(by, match, reason, deed.case)
    if act == Act.DECIDE and deed.case is not None:
        return reopen(by, deed.case, reason)
    if act in _undoings:
        return _undoings[Act(act)](by, deed, reason)
    raise RuleViolation("final", _("This can’t be taken back."))


def reopen(by: User | None, case: Case, reason: str) -> Deed:
    """Open a case again.

    Raises:
        RuleViolation: "not-moderator", "reason", "too-long", "own", "open" if it is, or another about the same is.
    """
    reason = _checked(by, reason)
    with writing():
        case = Case.objects.select_for_update().get(pk=case.pk)
        _check_not_own(by, case.person, case.match)
        same = {"match": case.match} if case.match else {"person": case.person, "match": None}
        if case.is_open or Case.objects.filter(decided_at=None, **same).exists():
            raise RuleViolation("open", _("This case is open, or there is a newer one that is."))
        case.verdict, case.decided_at, case.claimed_by, case.claimed_at = "", None, by, timezone.now()
        case.save(update_fields=["verdict", "decided_at", "claimed_by", "claimed_at"])
        return _done(by, Act.REOPEN, reason, case=case, person=case.person, match=case.match)


# --- what they share --------------------------------------------------------------------------------------------------


def _checked(by: User | None, reason: str, person: User | None = None) -> str:
    """Return the reason as it is kept, once it is clear that this may be done."""
    _check_role(by)
    reason = tidy(reason)
    if not reason:
        raise RuleViolation("reason", _("Please give a reason."))
    _check_length(reason)
    if person is not None and by is not None:
        _check_against(by, person)
    return reason


def _check_role(by: User | None) -> None:
    if by is not None and not is_moderator(by):
        raise RuleViolation("not-moderator", _("Only moderators can do this."))


def _check_not_own(by: User | None, person: User | None = None, match: Match | None = None) -> None:
    if is_own(by, person, match):
        raise RuleViolation("own", _("Another moderator has to decide this."))


def _check_against(by: User, person: User) -> None:
    if by == person:
        raise RuleViolation("self", _("You can’t decide about yourself."))
    if (is_moderator(person) or person.is_superuser) and not is_administrator(by):
        raise RuleViolation("colleague", _("Only administrators can decide about moderators."))


def _done(by: User | None, act: Deed.Act, reason: str, **about: Any) -> Deed:
    """Write the log. Who acts on a case must have it."""
    case: Case | None = about.get("case")
    if case is not None and act not in {Act.DECIDE, Act.REOPEN}:
        _own_case(by, case.pk)
    return Deed.objects.create(by=by, act=act, reason=reason, **about)
