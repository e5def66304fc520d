"""What changes people: their names."""

from __future__ import annotations

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import FormerName, User
from accounts.names import name_key, tidy_name, validate_name

# Enough to mend a mistake or two, too few to hide behind ever new names.
CHANGES = 3
PERIOD = timedelta(days=30)
# So long a name that was given up stays out of reach of everybody else.
KEPT = timedelta(days=90)

TAKEN = _("This name is taken. Please choose another one.")


def name_taken(name: str, by: User | None = None) -> bool:
    """Tell whether somebody other than `by` has this name, however it is written, or gave it up a short while ago."""
    key = name_key(tidy_name(name))
    recent = FormerName.objects.filter(name_key=key, given_up_at__gt=timezone.now() - KEPT)
    people = User.objects.filter(name_key=key)
    if by is not None:
        recent, people = recent.exclude(user=by), people.exclude(pk=by.pk)
    return people.exists() or recent.exists()


def changes_left(user: User) -> int:
    """Return how often this person may still change their name within the current period."""
    used = user.former_names.filter(given_up_at__gt=timezone.now() - PERIOD).count()
    return max(0, CHANGES - used)


def rename(user: User, name: str) -> bool:
    """Give a person another name; answer whether it is really another one.

    Writing the same name differently (capitals, width) is always allowed and gives nothing up.

    Raises:
        ValidationError: the name is not a name, taken, or it was changed too often (code "often").
    """
    name = tidy_name(name)
    validate_name(name)
    try:
        with transaction.atomic():
            return _rename(user, name)
    except IntegrityError as error:  # somebody took it between our look and our write
        raise ValidationError(TAKEN, code="taken") from error


def _rename(user: User, name: str) -> bool:
    current = User.objects.select_for_update().get(pk=user.pk)
    another = name_key(name) != current.name_key
    if another:
        _check_another(current, name)
        FormerName.objects.create(user=current, name=current.username, name_key=current.name_key)
    user.username = name
    user.save(update_fields=["username"])
    return another


def _check_another(user: User, name: str) -> None:
    if name_taken(name, by=user):
        raise ValidationError(TAKEN, code="taken")
    if not changes_left(user):
        raise ValidationError(
            _("You changed your name %(count)d times within %(days)d days. Please wait before the next change."),
            code="often",
            params={"count": CHANGES, "days": PERIOD.days},
        )
