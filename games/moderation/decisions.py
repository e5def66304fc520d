"""Rules that every decision of moderators follows, and the log entry it writes.

`by` is the moderator, None for a command of the operator. Every decision needs a reason and is kept as a `Deed`; the
people it concerns are told. A later decision about the same subject replaces an earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django.db.models import BigIntegerField, BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from accounts.models import FormerName, User
from accounts.relations import lock_people
from accounts.texts import tidy_text
from games.engine.protocol import RuleViolation
from games.moderation.access import is_administrator, is_last_administrator, is_moderator, is_own, takes_part
from games.moderation.models import WORDS, By, Case, Deed
from games.play.models import Match

Act = Deed.Act


def checked_reason(by: User | None, reason: str, person: User | None = None) -> str:
    """Return the reason as it is kept, once it is clear that this may be done."""
    check_role(by)
    reason = tidy_text(reason)
    if not reason:
        raise RuleViolation("reason", _("Please give a reason."))
    check_length(reason)
    if person is not None and by is not None:
        check_against(by, person)
    return reason


def check_role(by: User | None) -> None:
    """Refuse who does not moderate: "not-moderator"."""
    if by is not None and not is_moderator(by):
        raise RuleViolation("not-moderator", _("Only moderators can do this."))


def check_administrator(by: User | None) -> None:
    """Refuse who does not administer: "not-administrator"."""
    if by is not None and not is_administrator(by):
        raise RuleViolation("not-administrator", _("Only administrators can do this."))


def check_not_own(by: User | None, person: User | None = None, match: Match | None = None) -> None:
    """Refuse to let somebody decide about themselves, or about a match they play: "own"."""
    if is_own(by, person, match):
        raise RuleViolation("own", _("Another moderator has to decide this."))


def check_against(by: User, person: User) -> None:
    """Refuse to let somebody decide about themselves ("self"), or a moderator about another ("colleague")."""
    if by == person:
        raise RuleViolation("self", _("You can’t decide about yourself."))
    if (is_moderator(person) or person.is_superuser) and not is_administrator(by):
        raise RuleViolation("colleague", _("Only administrators can decide about moderators."))


def check_not_last(person: User, last: bool) -> None:
    """Refuse to let the site be without administrators ("last"), unless that is wanted (`last`): in a transaction."""
    if not last and is_last_administrator(person):
        text = _("%(name)s is the last administrator. Make somebody else one first.")
        raise RuleViolation("last", text % {"name": person.shown_name})


def lock_person(person: User) -> None:
    """Lock whom a decision is about, inside its transaction.

    Raises:
        RuleViolation: "gone" when their account has ended since it was read.
    """
    lock_people([person.pk])
    if not User.objects.filter(pk=person.pk).exists():
        raise RuleViolation("gone", _("This account has been deleted meanwhile."))


def write_deed(by: User | None, act: Deed.Act, reason: str, undone: Deed | None = None, **about: Any) -> Deed:
    """Write the log. Whoever acts on a case must have it.

    Args:
        by: the moderator.
        act: what was done.
        reason: as it is kept.
        undone: what was taken back by it, whether its case is open or not.
        about: the fields of the deed.
    """
    case: Case | None = about.get("case")
    if undone is not None:
        about["case"] = undone.case
    elif case is not None and act not in {Act.DECIDE, Act.REOPEN}:
        check_concerns(lock_case(by, case.pk), about.get("person"), about.get("match"))
    about["details"] = {**about.get("details", {}), "by": By.COMMAND if by is None else By.MODERATOR}
    return Deed.objects.create(by=by, act=act, reason=reason, **about)


def check_concerns(case: Case, person: User | None, match: Match | None) -> None:
    """Refuse decisions about anybody whom the case does not concern: "other-case"."""
    same = person is not None and person == case.person
    same = same or (match is not None and match == case.match)
    if not (same or takes_part(person, case.match) or takes_part(case.person, match)):
        raise RuleViolation("other-case", _("This case is about somebody or something else."))


def lock_case(by: User | None, case_id: int) -> Case:
    """Lock a case that is open, about others, and not taken by somebody else."""
    case = Case.objects.select_for_update().get(pk=case_id)
    check_not_own(by, case.person, case.match)
    if not case.is_open:
        raise RuleViolation("decided", _("This case has been decided."))
    if case.holder is not None and case.holder != by:
        raise RuleViolation("claimed", _("%(name)s is looking at this case.") % {"name": case.holder.shown_name})
    return case


def record_decision(by: User | None, act: Deed.Act, reason: str, people: Iterable[User], **about: Any) -> Deed:
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
    reason = checked_reason(by, reason)
    if by is not None:
        for person in people:
            check_against(by, person)
    return write_deed(by, act, reason, **about)


def check_length(words: str) -> None:
    """Refuse words that are longer than what is kept: "too-long"."""
    if len(words) > WORDS:
        text = _("Please write at most %(most)d characters. You have written %(count)d.")
        raise RuleViolation("too-long", text % {"most": WORDS, "count": len(words)})


RULINGS: Final = frozenset({Act.ANNUL, Act.AWARD, Act.REINSTATE})
"""What decides the result of a match."""

_VERDICTS: Final = frozenset({Act.DECIDE, Act.REOPEN})
_SETTLINGS: Final = frozenset({Act.SETTLE, Act.UNSETTLE})


def with_replaced(deeds: QuerySet[Deed]) -> QuerySet[Any]:
    """Return deeds that know whether they were taken back or a later one took their place (`is_replaced`)."""
    replaced = _later(RULINGS, "match") | _later(_VERDICTS, "case") | _later(_SETTLINGS, "finding") | _renamed_since()
    return deeds.alias(former=_number("former_name"), finding=_number("finding")).annotate(
        is_replaced=ExpressionWrapper(replaced, BooleanField())
    )


def _number(detail: str) -> Cast:
    """Return a key that a deed keeps among its details."""
    return Cast(KT(f"details__{detail}"), BigIntegerField())


def _later(acts: frozenset[Deed.Act], link: str) -> Q:
    later = Deed.objects.alias(finding=_number("finding")).filter(
        act__in=acts, pk__gt=OuterRef("pk"), **{link: OuterRef(link)}
    )
    return Q(act__in=acts) & Q(Exists(later))


def _renamed_since() -> Q:
    names = FormerName.objects.filter(user=OuterRef("person"))
    taken, later = names.filter(pk=OuterRef("former"), forbidden=True), names.filter(pk__gt=OuterRef("former"))
    return Q(act=Act.RENAME) & (~Q(Exists(taken)) | Q(Exists(later)))


def check_not_replaced(deed: Deed) -> None:
    """Refuse to take back what no longer applies: "final"."""
    if with_replaced(Deed.objects.filter(pk=deed.pk)).get().is_replaced:
        raise no_longer_applies()


def no_longer_applies() -> RuleViolation:
    return RuleViolation("final", _("This no longer applies: it has been taken back or changed since."))
