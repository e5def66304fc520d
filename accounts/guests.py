"""Guests: people who play at once, under a name the site makes up, and may register later.

A guest is a user like any other, without a password or an address. Registering turns this very user into a registered
one; logging in to another account hands over to it everything that refers to the guest.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.http import HttpRequest

from accounts import relations, sanctions
from accounts.models import User
from accounts.moments import known_zone
from accounts.services import check_free, keep_names_taken_away, references
from accounts.signals import guest_claimed, guest_is_claimed

# fmt: off
ADJECTIVES = (
    "Amber", "Bold", "Brave", "Brisk", "Calm", "Clever", "Coral", "Cosy", "Daring", "Eager", "Fair", "Fleet",
    "Gentle", "Glad", "Golden", "Grand", "Happy", "Hazel", "Jolly", "Keen", "Kind", "Lively", "Lucky", "Lunar",
    "Mellow", "Merry", "Misty", "Noble", "Olive", "Patient", "Pearl", "Polite", "Proud", "Quick", "Quiet",
    "Rapid", "Royal", "Ruby", "Sandy", "Silver", "Sly", "Snowy", "Solar", "Spry", "Steady", "Sunny", "Swift",
    "Tidy", "Velvet", "Warm", "Wise", "Witty",
)

ANIMALS = (
    "Badger", "Beaver", "Bison", "Crane", "Dolphin", "Donkey", "Eagle", "Egret", "Falcon", "Ferret", "Finch",
    "Fox", "Gecko", "Goose", "Hare", "Hawk", "Heron", "Ibex", "Ibis", "Jackdaw", "Koala", "Lark", "Lemur",
    "Lynx", "Magpie", "Marten", "Mole", "Moose", "Newt", "Ocelot", "Otter", "Owl", "Panda", "Pelican",
    "Penguin", "Puffin", "Quail", "Rabbit", "Raven", "Robin", "Salmon", "Seal", "Sparrow", "Stork", "Swan",
    "Tapir", "Toad", "Trout", "Turtle", "Vole", "Walrus", "Weasel", "Wombat", "Wren", "Yak", "Zebra",
)
# fmt: on


BEGINNING: Final = "Guest"
"""The beginning of guests' names, reserved for them."""

CHOSEN: Final = (
    *("theme", "language", "time_zone", "hints", "single_keys", "tips"),
    *("sleep_from", "sleep_until", "free_weekends", "shows_presence"),
)
"""Preferences that are fields of a user."""

_OWN: Final = frozenset({"account", "accounts", "admin", "auth", "mfa", "usersessions"})
"""The apps whose rows belong to a user as such: they end with the guest."""


def of(request: HttpRequest | None) -> User | None:
    """Return the guest who made a request, or None if no guest did."""
    user = getattr(request, "guest", None) or getattr(request, "user", None)
    return user if isinstance(user, User) and user.guest else None


def begin(request: HttpRequest) -> User:
    """Make a guest and log the visitor in as this guest.

    The time zone is the one that the form names (`time_zone`), or UTC.

    Raises:
        ImmediateHttpResponse: the answer to too many guests from one network address, which allauth's middleware sends.
    """
    if refusal := ratelimit.consume_or_429(request, action="guest"):
        raise ImmediateHttpResponse(refusal)
    guest = _made(known_zone(request.POST.get("time_zone", "")))
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    request.session.set_expiry(settings.GUEST_AGE)
    return guest


def _made(time_zone: str) -> User:
    """Create a guest under a name that is free; another one if somebody takes it at the same moment."""
    while True:
        name = _free_name()
        try:
            with transaction.atomic():
                return User.objects.create_user(name, guest=True, time_zone=time_zone)
        except IntegrityError:
            continue


def _free_name() -> str:
    """Return two words, and a number behind them while those are taken."""
    number = ""
    while True:
        words = f"{BEGINNING}-{secrets.choice(ADJECTIVES)}-{secrets.choice(ANIMALS)}{number}"
        try:
            check_free(words)
        except ValidationError:
            number = str(secrets.randbelow(900) + 100)
        else:
            return words


# --- becoming a registered user ---------------------------------------------------------------------------------------


def confirm(email_address: EmailAddress, **_: Any) -> None:
    """Make a guest who registered before `accounts.registration` a member once the address is confirmed."""
    User.objects.filter(pk=email_address.user_id, guest=True).update(guest=False)


# --- logging in to another account ------------------------------------------------------------------------------------


def take_over(guest: User, user: User) -> None:
    """Hand over everything that refers to a guest to a registered user, in one transaction, and delete the guest.

    What the user already has stays as it is. A guest who sits in a match with this very user keeps that seat, so that
    nobody plays against themselves; such a guest is deleted later, with the other guests who have stayed away.
    """
    with transaction.atomic():
        _lock(guest, user)
        if not User.objects.filter(pk=guest.pk, guest=True).exists():
            return  # claimed meanwhile in another browser
        guest_claimed.send(User, guest=guest, user=user)
        relations.hand_over_blocks(guest, user)
        sanctions.hand_over(guest, user)
        _prefer(guest, user)
        others = [it for it in references() if it.related_model._meta.app_label not in _OWN]  # noqa: SLF001  # Django's public way
        left = [_hand_over(relation, guest, user) for relation in others]
        if not any(left):
            keep_names_taken_away(guest)
            guest.delete()


def _prefer(guest: User, user: User) -> None:
    """Copy preferences of the guest that the account still has at their defaults."""
    plain = User()
    chosen = {
        name: wanted
        for name in CHOSEN
        if (wanted := getattr(guest, name)) != getattr(plain, name) == getattr(user, name)
    }
    if chosen:
        User.objects.filter(pk=user.pk).update(**chosen)


def _lock(guest: User, user: User) -> None:
    """Lock what a guest takes part in, then the people: the order in which everybody locks who seats or pairs them.

    What the guest has begun to take part in meanwhile is found once they are locked; then all is locked anew.
    """
    while True:
        with transaction.atomic():
            locked = guest_is_claimed.send(User, guest=guest, locking=True)
            relations.lock_people([guest.pk, user.pk])
            if guest_is_claimed.send(User, guest=guest, locking=False) == locked:
                return
            transaction.set_rollback(True)


def _hand_over(relation: Any, guest: User, user: User) -> bool:
    """Let rows refer to the user where that is possible; return whether some are left that outlive the guest."""
    rows, name = relation.related_model._base_manager, relation.field.name  # noqa: SLF001  # Django's public way to all rows
    kept = False
    for row in rows.filter(**{name: guest}):
        try:
            with transaction.atomic():
                rows.filter(pk=row.pk).update(**{name: user})
        except IntegrityError:
            kept = relation.on_delete is models.SET_NULL
    return kept
