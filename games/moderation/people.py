"""What moderators decide about people: sanctions, names, roles, and help for those who cannot log in."""

from __future__ import annotations

from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import sanctions
from accounts.joining import registration
from accounts.mail import letter, post
from accounts.models import Sanction, User
from accounts.names import isolated
from accounts.services import TAKEN, rename as give_name, restore_name
from games.engine.protocol import RuleViolation
from games.matchmaking.planned import leave_tables
from games.moderation.access import ADMINISTRATORS, ROLES
from games.moderation.decisions import (
    check_administrator,
    check_not_last,
    checked_reason,
    lock_person,
    no_longer_applies,
    write_deed,
)
from games.moderation.models import Case, Deed
from games.notifications.services import notify_person
from games.pairing.models import Wait
from games.pairing.services import withdraw
from games.play.store import writing

Act = Deed.Act


def warn(by: User | None, person: User, reason: str, case: Case | None = None) -> Deed:
    """Warn somebody, who has to confirm the warning before they can do anything else.

    Raises:
        RuleViolation: "not-moderator", "self", "colleague" against a moderator, "reason", "too-long", "gone" if the
            account has been deleted meanwhile.
    """
    return _sanction(by, Act.WARN, person, reason, case)


def silence(by: User | None, person: User, until: datetime | None, reason: str, case: Case | None = None) -> Deed:
    """Allow somebody to write only ready-made phrases, until a given time or until it is lifted.

    Raises:
        RuleViolation: as `warn`; "past" if the time is over.
    """
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
    """Allow somebody only to read and to leave; they leave open tables and stop waiting for opponents.

    Raises:
        RuleViolation: as `silence`; "last" for the last administrator, unless `last` allows it.
    """
    return _sanction(by, Act.SUSPEND, person, reason, case, until, last=last)


def close_account(by: User | None, person: User, reason: str, case: Case | None = None, *, last: bool = False) -> Deed:
    """Close an account, so that nobody can log in to it, and email its owner; raises as `suspend`."""
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
    reason = checked_reason(by, reason, person)
    if until is not None and until <= timezone.now():
        raise RuleViolation("past", _("Choose a time in the future."))
    with writing():
        if act in {Act.SUSPEND, Act.CLOSE}:
            check_not_last(person, last)
        lock_person(person)
        sanction = sanctions.impose(person, SANCTIONS[act], reason, until)
        details = {"until": until.isoformat() if until else ""}
        deed = write_deed(by, act, reason, person=person, case=case, sanction=sanction, details=details)
        notify_person(person.pk)
    if act in {Act.SUSPEND, Act.CLOSE}:
        leave_tables(person)
        for key in Wait.objects.current().filter(user=person).values_list("pk", flat=True):
            withdraw(person, key)
    if act == Act.CLOSE:
        _mail(person, "account_closed", reason)
    return deed


def rename(by: User | None, person: User, name: str, reason: str, case: Case | None = None) -> Deed:
    """Give somebody another name. Nobody can take the old one again, including themselves.

    Raises:
        RuleViolation: as `warn`; "name" with what is wrong with the new one.
    """
    reason = checked_reason(by, reason, person)
    if name.strip() == person.username:
        raise RuleViolation("name", str(TAKEN))
    try:
        with writing():
            lock_person(person)
            another = give_name(person, name, forced=True)
            details = {"former_name": _latest_name(person) if another else None}
            deed = write_deed(by, Act.RENAME, reason, person=person, case=case, details=details)
            notify_person(person.pk)
    except ValidationError as error:
        raise RuleViolation("name", " ".join(error.messages)) from error
    return deed


def _latest_name(person: User) -> int | None:
    """Return the key of the name that was given up last, for the log, which must not contain names."""
    return person.former_names.order_by("-pk").values_list("pk", flat=True).first()


def give_name_back(by: User | None, person: User, undone: Deed, reason: str) -> Deed:
    """Give somebody back the name that a deed took away; the name they had meanwhile is not forbidden.

    Raises:
        RuleViolation: as `warn`; "final" if they have it, or have had another name since; "name" if it is not free.
    """
    reason = checked_reason(by, reason, person)
    try:
        with writing():
            lock_person(person)
            if not restore_name(person, undone.details["former_name"] or 0):
                raise no_longer_applies()
            deed = write_deed(
                by, Act.RENAME, reason, undone, person=person, details={"former_name": _latest_name(person)}
            )
            notify_person(person.pk)
    except ValidationError as error:
        raise RuleViolation("name", " ".join(error.messages)) from error
    return deed


def confirm_warning(person: User, key: int) -> None:
    """End a warning that somebody has read; do nothing if it has ended or is not theirs."""
    with writing():
        warning = sanctions.running(person).filter(kind=Sanction.Kind.WARNING, pk=key).first()
        if warning is not None:
            sanctions.end(warning)


def lift(by: User | None, sanction: Sanction, reason: str, *, undone: Deed | None = None) -> Deed:
    """End a sanction before its time.

    Raises:
        RuleViolation: as `warn`; "over" if it no longer applies.
    """
    reason = checked_reason(by, reason, sanction.user)
    with writing():
        lock_person(sanction.user)
        sanction.refresh_from_db()
        if not sanction.runs:
            raise RuleViolation("over", _("This no longer applies."))
        sanctions.end(sanction)
        deed = write_deed(by, Act.LIFT, reason, undone, person=sanction.user, sanction=sanction)
        notify_person(sanction.user_id)
    return deed


def set_role(by: User | None, person: User, role: str, reason: str, *, last: bool = False) -> Deed:
    """Make somebody a moderator or an administrator, or (role "") neither. Only administrators may.

    Raises:
        RuleViolation: "not-administrator", "reason", "too-long", "gone"; "last" if no administrator would be left,
            unless `last` allows it.
    """
    check_administrator(by)
    reason = checked_reason(by, reason)
    with writing():
        if role != ADMINISTRATORS:
            check_not_last(person, last)
        lock_person(person)
        groups = Group.objects.filter(name__in=ROLES)
        person.groups.remove(*groups)
        if role:
            person.groups.add(Group.objects.get_or_create(name=role)[0])
        deed = write_deed(by, Act.ROLE, reason, person=person, details={"role": role})
        notify_person(person.pk)
    return deed


def remove_factors(by: User | None, person: User, reason: str, case: Case | None = None) -> Deed:
    """Remove all second factors of somebody who has lost them, and email them. Only administrators may.

    Raises:
        RuleViolation: "not-administrator", "self", "reason", "too-long", "gone", or "no-factor" if there is none.
    """
    check_administrator(by)
    reason = checked_reason(by, reason, person)
    with writing():
        lock_person(person)
        if not Authenticator.objects.filter(user=person).delete()[0]:
            raise RuleViolation("no-factor", _("This account has no second factor."))
        deed = write_deed(by, Act.UNLOCK, reason, person=person, case=case)
        notify_person(person.pk)
    _mail(person, "factors_removed", reason)
    return deed


def confirm_address(by: User | None, person: User, reason: str, case: Case | None = None) -> Deed:
    """Confirm the email address of somebody whom our email does not reach. Only administrators may.

    Raises:
        RuleViolation: "not-administrator", "self", "reason", "too-long", "gone", "no-address" if none has to be
            confirmed, or "taken" if somebody else has confirmed the same.
    """
    check_administrator(by)
    reason = checked_reason(by, reason, person)
    with writing():
        lock_person(person)
        address = EmailAddress.objects.filter(user=person, primary=True, verified=False).first()
        if address is None:
            raise RuleViolation("no-address", _("This account has no email address that waits to be confirmed."))
        if not address.set_verified():
            raise RuleViolation("taken", _("Someone else has confirmed the same address."))
        email_confirmed.send(EmailAddress, request=None, email_address=address)
        deed = write_deed(by, Act.CONFIRM, reason, person=person, case=case)
        notify_person(person.pk)
    return deed


def confirm_registration(email: str, reason: str) -> Deed:
    """Create the account of somebody who registered but whom our email does not reach, for a command of the operator.

    Raises:
        RuleViolation: "reason", "too-long", "no-address" if nobody has registered with it recently, or the code of
            `registration.confirm` if the name is not free any more.
    """
    waiting = registration.latest(email)
    with writing():
        try:
            person = registration.confirm(waiting, waiting.name) if waiting else None
        except ValidationError as error:
            raise RuleViolation(str(error.code), error.messages[0]) from error
        if person is None:
            raise RuleViolation("no-address", _("Nobody has registered with this address in the last three days."))
        return write_deed(None, Act.CONFIRM, checked_reason(None, reason, person), person=person, case=None)


def _mail(person: User, name: str, reason: str) -> None:
    """Email somebody, after the commit, what no page can tell them, or what they may not have asked for."""
    if person.email:
        post(letter(person, person.email, f"moderation/email/{name}", reason=isolated(reason)))
