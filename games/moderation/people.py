"""The way in for what moderators decide about people."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import sanctions
from accounts.models import Sanction, User
from accounts.services import TAKEN, restore_name
from accounts.services import rename as give_name
from games.engine.protocol import RuleViolation
from games.moderation import letters, parting
from games.moderation.access import ADMINISTRATORS, ROLES
from games.moderation.deciding import check_administrator, check_not_last, checked, done, hold
from games.moderation.in_force import replaced
from games.moderation.models import Case, Deed
from games.notifications.services import notify_person
from games.play.matches.transactions import writing

Act = Deed.Act


def warn(by: User | None, person: User, reason: str, case: Case | None = None) -> Deed:
    """Warn somebody, who has to confirm it before anything else.

    Raises:
        RuleViolation: "not-moderator", "self", "colleague" against a moderator, "reason", "too-long", "gone" when the
            account has ended meanwhile.
    """
    return _sanction(by, Act.WARN, person, reason, case)


def silence(by: User | None, person: User, until: datetime | None, reason: str, case: Case | None = None) -> Deed:
    """Let somebody write nothing but phrases, until a moment or until it is lifted; raises as `warn`."""
    return _sanction(by, Act.SILENCE, person, reason, case, until)


def suspend(
    by: User | None,
    person: User,
    until: datetime | None,
    reason: str,
    case: Case | None = None,
    *,
    last: bool = False,
) -> Deed:
    """Let somebody only read and leave; they leave open tables and wait for nobody.

    Raises:
        RuleViolation: as `warn`; "last" for the last administrator, unless that is wanted (`last`).
    """
    return _sanction(by, Act.SUSPEND, person, reason, case, until, last=last)


def close_account(by: User | None, person: User, reason: str, case: Case | None = None, *, last: bool = False) -> Deed:
    """Close an account: nobody can log in with it. They are told by email. Raises as `suspend`."""
    return _sanction(by, Act.CLOSE, person, reason, case, last=last)


SANCTIONS = {
    Act.WARN: Sanction.Kind.WARNING,
    Act.SILENCE: Sanction.Kind.SILENCE,
    Act.SUSPEND: Sanction.Kind.SUSPENSION,
    Act.CLOSE: Sanction.Kind.CLOSURE,
}


def _sanction(  # noqa: PLR0917  # who does what to whom, why and until when
    by: User | None,
    act: Deed.Act,
    person: User,
    reason: str,
    case: Case | None,
    until: datetime | None = None,
    *,
    last: bool = False,
) -> Deed:
    reason = checked(by, reason, person)
    if until is not None and until <= timezone.now():
        raise RuleViolation("past", _("Choose a time in the future."))
    with writing():
        if act in {Act.SUSPEND, Act.CLOSE}:
            check_not_last(person, last)
        hold(person)
        sanction = sanctions.impose(person, SANCTIONS[act], reason, until)
        details = {"until": until.isoformat() if until else ""}
        deed = done(by, act, reason, person=person, case=case, sanction=sanction, details=details)
        notify_person(person.pk)
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
    reason = checked(by, reason, person)
    try:
        with writing():
            hold(person)
            _check_new(person, name)
            another = give_name(person, name, forced=True)
            details = {"former_name": _latest_name(person) if another else None}
            deed = done(by, Act.RENAME, reason, person=person, case=case, details=details)
            notify_person(person.pk)
    except ValidationError as error:
        raise RuleViolation("name", " ".join(error.messages)) from error
    return deed


def _check_new(person: User, name: str) -> None:
    if name.strip() == person.username:
        raise ValidationError(TAKEN)


def _latest_name(person: User) -> int | None:
    """Return the key of the name that was just given up: the log holds no names."""
    return person.former_names.order_by("-pk").values_list("pk", flat=True).first()


def give_name_back(by: User | None, person: User, undone: Deed, reason: str) -> Deed:
    """Give somebody back the name that was taken away; the one they had instead is not taken away.

    Raises:
        RuleViolation: as `warn`; "final" if they have it, or have had another name since; "name" if it is not allowed.
    """
    reason = checked(by, reason, person)
    try:
        with writing():
            hold(person)
            if not restore_name(person, undone.details["former_name"] or 0):
                raise replaced()
            deed = done(by, Act.RENAME, reason, undone, person=person, details={"former_name": _latest_name(person)})
            notify_person(person.pk)
    except ValidationError as error:
        raise RuleViolation("name", " ".join(error.messages)) from error
    return deed


def confirm_warning(person: User, key: int) -> None:
    """Note that somebody has read this warning. Idempotent; nothing follows if it is not theirs."""
    with writing():
        warning = sanctions.running(person).filter(kind=Sanction.Kind.WARNING, pk=key).first()
        if warning is not None:
            sanctions.end(warning)


def lift(by: User | None, sanction: Sanction, reason: str, *, undone: Deed | None = None) -> Deed:
    """End a sanction before its time.

    Raises:
        RuleViolation: as `warn`; "over" if it no longer applies.
    """
    reason = checked(by, reason, sanction.user)
    with writing():
        hold(sanction.user)
        sanction.refresh_from_db()
        if not sanction.runs:
            raise RuleViolation("over", _("This no longer applies."))
        sanctions.end(sanction)
        deed = done(by, Act.LIFT, reason, undone, person=sanction.user, sanction=sanction)
        notify_person(sanction.user_id)
    return deed


def set_role(by: User | None, person: User, role: str, reason: str, *, last: bool = False) -> Deed:
    """Make somebody a moderator or an administrator, or (role "") neither, and tell them; only administrators may.

    Raises:
        RuleViolation: "not-administrator", "reason", "too-long", "gone"; "last" if the site would have no administrator
            then, unless that is wanted (`last`).
    """
    check_administrator(by)
    reason = checked(by, reason)
    with writing():
        if role != ADMINISTRATORS:
            check_not_last(person, last)
        hold(person)
        groups = Group.objects.filter(name__in=ROLES)
        person.groups.remove(*groups)
        if role:
            person.groups.add(Group.objects.get_or_create(name=role)[0])
        deed = done(by, Act.ROLE, reason, person=person, details={"role": role})
        notify_person(person.pk)
    return deed
