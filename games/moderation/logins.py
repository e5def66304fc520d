"""The way in for helping people who cannot log in any more. Only administrators and the operator do this."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed
from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts import registration
from accounts.models import User
from games.engine.protocol import RuleViolation
from games.moderation import letters
from games.moderation.deciding import check_administrator, checked, done, hold
from games.moderation.models import Case, Deed
from games.notifications.services import notify_person
from games.play.matches.transactions import writing

Act = Deed.Act


def remove_factors(by: User | None, person: User, reason: str, case: Case | None = None) -> Deed:
    """Remove all second factors of somebody who has lost theirs. They are told by email too.

    Raises:
        RuleViolation: "not-administrator", "self", "reason", "too-long", "gone", or "no-factor" if there is none.
    """
    check_administrator(by)
    reason = checked(by, reason, person)
    with writing():
        hold(person)
        if not Authenticator.objects.filter(user=person).delete()[0]:
            raise RuleViolation("no-factor", _("This account has no second factor."))
        deed = done(by, Act.UNLOCK, reason, person=person, case=case)
        notify_person(person.pk)
    letters.factors_removed(person, reason)
    return deed


def confirm_address(by: User | None, person: User, reason: str, case: Case | None = None) -> Deed:
    """Confirm the email address of somebody whom its confirmation does not reach.

    Raises:
        RuleViolation: "not-administrator", "self", "reason", "too-long", "gone", "no-address" if none waits, or "taken"
            if somebody else has confirmed the same.
    """
    check_administrator(by)
    reason = checked(by, reason, person)
    with writing():
        hold(person)
        address = _unconfirmed(person)
        if not address.set_verified():
            raise RuleViolation("taken", _("Somebody else has confirmed the same address."))
        email_confirmed.send(EmailAddress, request=None, email_address=address)
        deed = done(by, Act.CONFIRM, reason, person=person, case=case)
        notify_person(person.pk)
    return deed


def confirm_registration(email: str, reason: str) -> Deed:
    """Make the account of somebody who registered and whom the email does not reach. Only the operator does this.

    Raises:
        RuleViolation: "reason", "too-long", "no-address" if nobody waits for a link to this address, or the code of
            what is wrong with the name, if somebody else has taken it meanwhile.
    """
    waiting = registration.latest(email)
    with writing():
        try:
            person = registration.confirm(waiting, waiting.name) if waiting else None
        except ValidationError as error:
            raise RuleViolation(str(error.code), error.messages[0]) from error
        if person is None:
            raise RuleViolation("no-address", _("Nobody has registered with this address in the last three days."))
        return done(None, Act.CONFIRM, checked(None, reason, person), person=person, case=None)


def _unconfirmed(person: User) -> EmailAddress:
    found = EmailAddress.objects.filter(user=person, primary=True, verified=False).first()
    if found is None:
        raise RuleViolation("no-address", _("This account has no email address that waits to be confirmed."))
    return found
