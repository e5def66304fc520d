"""Changing a user's name, and what they are told once."""

from __future__ import annotations

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.lookalikes import skeleton
from accounts.models import FormerName, User
from accounts.names import name_key, tidy_name, validate_name

# Enough to correct a mistake or two, too few to hide behind new names.
CHANGES = 3
PERIOD = timedelta(days=30)
# For how long nobody else can take a name that was given up.
KEPT = timedelta(days=90)

TAKEN = _("This name is taken. Please choose another one.")


ALIKE = _("This name looks too much like somebody else's. Please choose another one.")


def check_free(name: str, by: User | None = None) -> None:
    """Check that a name is free for `by` (None: a new user).

    Raises:
        ValidationError: somebody else has the name, however it is written (code "taken"), or one that looks like it
            (code "alike"), or gave it up within the last `KEPT`.
    """
    name = tidy_name(name)
    if _has_somebody_else(by, name_key=name_key(name)):
        raise ValidationError(TAKEN, code="taken")
    if _has_somebody_else(by, skeleton=skeleton(name)):
        raise ValidationError(ALIKE, code="alike")


def _has_somebody_else(by: User | None, **name: str) -> bool:
    recent = FormerName.objects.filter(**name, given_up_at__gt=timezone.now() - KEPT)
    people = User.objects.filter(**name)
    if by is not None:
        recent, people = recent.exclude(user=by), people.exclude(pk=by.pk)
    return people.exists() or recent.exists()


def changes_left(user: User) -> int:
    """Return how many more times this user can change their name in the current period."""
    used = user.former_names.filter(given_up_at__gt=timezone.now() - PERIOD).count()
    return max(0, CHANGES - used)


def rename(user: User, name: str) -> bool:
    """Rename a user; return whether the new name really differs.

    Writing the same name differently (capitals, width) is always allowed and gives nothing up.

    Raises:
        ValidationError: the name is not allowed or not free, or was changed too often (code "often").
    """
    name = tidy_name(name)
    validate_name(name)
    try:
        with transaction.atomic():
            return _rename(user, name)
    except IntegrityError as error:  # taken since the check above
        raise ValidationError(TAKEN, code="taken") from error


def _rename(user: User, name: str) -> bool:
    current = User.objects.select_for_update().get(pk=user.pk)
    another = name_key(name) != current.name_key
    if another:
        _check_another(current, name)
        former = {"name": current.username, "name_key": current.name_key, "skeleton": skeleton(current.username)}
        FormerName.objects.create(user=current, **former)
    user.username = name
    user.save(update_fields=["username"])
    return another


def _check_another(user: User, name: str) -> None:
    check_free(name, by=user)
    if not changes_left(user):
        raise ValidationError(
            _("You have changed your name %(count)d times in the last %(days)d days. Please try again later."),
            code="often",
            params={"count": CHANGES, "days": PERIOD.days},
        )


def dismiss_tip(user: User, tip: str) -> None:
    """Never show a user this tip again; for a tip that is not left, do nothing."""
    left = [each for each in user.tips.split() if each != tip]
    if len(left) < len(user.tips.split()):
        user.tips = " ".join(left)
        user.save(update_fields=["tips"])
