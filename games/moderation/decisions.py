"""The checks of every decision of moderators, and its entry in the log.

`by` is the moderator, None for a command of the operator. Every decision needs a reason and is logged as a `Deed`; the
people it concerns are notified. A later decision about the same subject replaces an earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import BigIntegerField, BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from accounts.models import FormerName, User
from accounts.names import tidy_text
from accounts.relations import lock_people
from games.clubs.models import Club
from games.engine.protocol import RuleViolation
from games.moderation.access import is_administrator, is_last_administrator, is_moderator, is_own, takes_part
from games.moderation.models import WORDS, By, Case, Deed
from games.play.models import Match

Act = Deed.Act


def checked_reason(by: User | None, reason: str, person: User | None = None) -> str:
    """Return the reason of a decision, tidied, if `by` may make it (about this person, if one is given).

    Raises:
        RuleViolation: "not-moderator", "reason" if it is empty, "too-long"; as `check_against` for the person.
    """
    check_role(by)
    reason = tidy_text(reason)
    if not reason:
        raise RuleViolation("reason", _("Please give a reason."))
    check_length(reason)
    if person is not None and by is not None:
        check_against(by, person)
    return reason


def check_role(by: User | None) -> None:
    """Refuse everybody but moderators: "not-moderator"."""
    if by is not None and not is_moderator(by):
        raise RuleViolation("not-moderator", _("Only moderators can do this."))


def check_administrator(by: User | None) -> None:
    """Refuse everybody but administrators: "not-administrator"."""
    if by is not None and not is_administrator(by):
        raise RuleViolation("not-administrator", _("Only administrators can do this."))


def check_not_own(
    by: User | None, person: User | None = None, match: Match | None = None, club: Club | None = None
) -> None:
    """Refuse decisions of moderators about themselves, a match they take part in, or a club of theirs: "own"."""
    if is_own(by, person, match, club):
        raise RuleViolation("own", _("Another moderator has to decide this."))


def check_against(by: User, person: User) -> None:
    """Refuse decisions about oneself ("self"), and those of moderators about other moderators ("colleague")."""
    if by == person:
        raise RuleViolation("self", _("You can’t decide about yourself."))
    if (is_moderator(person) or person.is_superuser) and not is_administrator(by):
        raise RuleViolation("colleague", _("Only administrators can decide about moderators."))


def check_not_last(person: User, last: bool) -> None:
    """Refuse to remove the last administrator ("last"), unless `last` allows it. Inside a transaction."""
    if not last and is_last_administrator(person):
        text = _("%(name)s is the last administrator. Make someone else one first.")
        raise RuleViolation("last", text % {"name": person.shown_name})


def check_length(words: str) -> None:
    """Refuse a text that is too long for the database: "too-long"."""
    if len(words) > WORDS:
        text = _("Please write at most %(most)d characters. You have written %(count)d.")
        raise RuleViolation("too-long", text % {"most": WORDS, "count": len(words)})


def lock_person(person: User) -> None:
    """Lock the person a decision is about until the transaction ends.

    Raises:
        RuleViolation: "gone" if their account has been deleted meanwhile.
    """
    lock_people([person.pk])
    if not User.objects.filter(pk=person.pk).exists():
        raise RuleViolation("gone", _("This account has been deleted meanwhile."))


def lock_case(by: User | None, case_id: int) -> Case:
    """Lock and return an open case.

    Raises:
        RuleViolation: "own" if it is about the moderator, "decided", "claimed" by another moderator.
    """
    case = Case.objects.select_for_update().get(pk=case_id)
    check_not_own(by, case.person, case.match, case.club)
    if not case.is_open:
        raise RuleViolation("decided", _("This case has been decided."))
    if case.holder is not None and case.holder != by:
        raise RuleViolation("claimed", _("%(name)s is looking at this case.") % {"name": case.holder.shown_name})
    return case


# --- the log ----------------------------------------------------------------------------------------------------------


def write_deed(
    by: User | None,
    act: Deed.Act,
    reason: str,
    undone: Deed | None = None,
    *,
    club: Club | None = None,
    **about: Any,
) -> Deed:
    """Log a decision, inside its transaction.

    Args:
        by: the moderator.
        act: what was done.
        reason: as `checked_reason` returned it.
        undone: the deed that this one takes back; both belong to its case, even if that is closed.
        club: that it is about, which the log names by its address.
        about: more fields of the deed.

    Raises:
        RuleViolation: as `lock_case` for its case; "other-case" if that is about somebody or something else.
    """
    case: Case | None = about.get("case")
    if undone is not None:
        about["case"] = undone.case
    elif case is not None and act not in {Act.DECIDE, Act.REOPEN}:
        case, person, match = lock_case(by, case.pk), about.get("person"), about.get("match")
        same = (person is not None and person == case.person) or (match is not None and match == case.match)
        same = same or (club is not None and club == case.club)
        if not (same or takes_part(person, case.match) or takes_part(case.person, match)):
            raise RuleViolation("other-case", _("This case is about someone or something else."))
    named = {"club": club.slug} if club is not None else {}
    about["details"] = {**about.get("details", {}), **named, "by": By.COMMAND if by is None else By.MODERATOR}
    return Deed.objects.create(by=by, act=act, reason=reason, **about)


def record_decision(by: User | None, act: Deed.Act, reason: str, people: Iterable[User], **about: Any) -> Deed:
    """Check a decision that another app makes, and log it, inside its transaction.

    Args:
        by: the moderator.
        act: what is done.
        reason: for the log.
        people: everybody it is about.
        about: more fields of the deed.

    Raises:
        RuleViolation: as `checked_reason` for each of the people.
    """
    reason = checked_reason(by, reason)
    if by is not None:
        for person in people:
            check_against(by, person)
    return write_deed(by, act, reason, **about)


def with_replaced(deeds: QuerySet[Deed]) -> QuerySet[Any]:
    """Annotate deeds with `is_replaced`: whether they were taken back or a later one applies instead."""
    names = FormerName.objects.filter(user=OuterRef("person"))
    taken, later = names.filter(pk=OuterRef("former"), forbidden=True), names.filter(pk__gt=OuterRef("former"))
    replaced = (
        _later("match", Act.ANNUL, Act.AWARD, Act.REINSTATE)
        | _later("case", Act.DECIDE, Act.REOPEN)
        | _later("finding", Act.SETTLE, Act.UNSETTLE)
        | Q(act=Act.RENAME) & (~Q(Exists(taken)) | Q(Exists(later)))
    )
    keys = {"former": _key_in_details("former_name"), "finding": _key_in_details("finding")}
    return deeds.alias(**keys).annotate(is_replaced=ExpressionWrapper(replaced, BooleanField()))


def _later(link: str, *acts: Deed.Act) -> Q:
    """Return the condition that a deed is one of these acts and a later one has the same `link`."""
    deeds = Deed.objects.alias(finding=_key_in_details("finding"))
    later = deeds.filter(act__in=acts, pk__gt=OuterRef("pk"), **{link: OuterRef(link)})
    return Q(act__in=acts) & Q(Exists(later))


def _key_in_details(detail: str) -> Cast:
    return Cast(KT(f"details__{detail}"), BigIntegerField())


def check_not_replaced(deed: Deed) -> None:
    """Refuse to take back a deed that no longer applies: "final"."""
    if with_replaced(Deed.objects.filter(pk=deed.pk)).get().is_replaced:
        raise no_longer_applies()


def no_longer_applies() -> RuleViolation:
    return RuleViolation("final", _("This no longer applies: it has been taken back or changed since."))
