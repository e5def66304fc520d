"""Guests: people who play without an account of their own, under a name the site makes up.

A guest is a `User` without a password or an email address. Registering turns the same user into a registered one;
logging in to another account hands over to it everything that refers to the guest.
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
from django.utils import translation

from accounts import relations, sanctions
from accounts.models import User, relations_to_users
from accounts.moments import known_zone
from accounts.services import check_free, keep_names_taken_away
from accounts.signals import guest_claimed, guest_is_claimed

# fmt: off
ANIMALS: Final = {
    "en": (
        "Badger", "Beaver", "Bison", "Crane", "Donkey", "Eagle", "Egret", "Falcon", "Finch", "Fox", "Gecko", "Goose",
        "Hare", "Hawk", "Heron", "Ibex", "Koala", "Lark", "Lemur", "Lynx", "Magpie", "Marten", "Mole", "Moose", "Newt",
        "Otter", "Owl", "Panda", "Puffin", "Quail", "Rabbit", "Raven", "Robin", "Salmon", "Seal", "Stork", "Swan",
        "Tapir", "Toad", "Trout", "Turtle", "Vole", "Walrus", "Weasel", "Wombat", "Wren", "Yak", "Zebra",
    ),
    "de": (
        "Adler", "Amsel", "Biber", "Bison", "Dachs", "Dohle", "Elch", "Elster", "Esel", "Eule", "Falke", "Fink",
        "Forelle", "Fuchs", "Gams", "Gans", "Gecko", "Hamster", "Hase", "Hummel", "Igel", "Iltis", "Kauz", "Koala",
        "Kranich", "Lachs", "Lemur", "Lerche", "Luchs", "Marder", "Meise", "Molch", "Otter", "Panda", "Rabe", "Reh",
        "Reiher", "Robbe", "Schwan", "Specht", "Star", "Storch", "Tapir", "Unke", "Wachtel", "Wiesel", "Yak", "Zebra",
    ),
    "it": (
        "Airone", "Alce", "Allodola", "Aquila", "Asino", "Bisonte", "Camoscio", "Capriolo", "Castoro", "Cervo",
        "Cicogna", "Cigno", "Civetta", "Corvo", "Daino", "Delfino", "Falco", "Foca", "Furetto", "Gazza", "Geco",
        "Ghiro", "Gru", "Gufo", "Ibis", "Istrice", "Koala", "Lemure", "Lepre", "Lince", "Lontra", "Martora", "Merlo",
        "Oca", "Panda", "Picchio", "Rana", "Riccio", "Rondine", "Salmone", "Puma", "Talpa", "Tapiro", "Tasso", "Trota",
        "Upupa", "Volpe", "Zebra",
    ),
}
"""What guests are called, by language."""
# fmt: on

BEGINNINGS: Final = {"en": "Guest", "de": "Gast", "it": "Ospite"}
"""How the names of guests begin, by language; nobody can choose a name that begins so."""

ATTEMPTS: Final = 3
"""How many names with as many digits are tried before one digit is added."""

CHOSEN: Final = (
    *("theme", "language", "time_zone", "hints", "single_keys", "coached"),
    *("sleep_from", "sleep_until", "free_weekends", "shows_presence"),
)
"""Preferences that a guest's new account takes over."""

_OWN: Final = frozenset({"account", "accounts", "admin", "allauth_idp_oidc", "auth", "mfa", "usersessions"})
"""Apps whose rows are deleted with the guest instead of handed over."""


def of(request: HttpRequest | None) -> User | None:
    """Return the guest who made a request, None if it was not a guest."""
    user = getattr(request, "guest", None) or getattr(request, "user", None)
    return user if isinstance(user, User) and user.guest else None


def begin(request: HttpRequest) -> User:
    """Create a guest and log the visitor in as this guest.

    The time zone is that of the form (`time_zone`), or UTC.

    Raises:
        ImmediateHttpResponse: too many guests have come from this network address. allauth's middleware sends it.
    """
    if refusal := ratelimit.consume_or_429(request, action="guest"):
        raise ImmediateHttpResponse(refusal)
    guest = _create(known_zone(request.POST.get("time_zone", "")))
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    request.session.set_expiry(settings.GUEST_AGE)
    return guest


def _create(time_zone: str) -> User:
    """Create a guest with a short name in the active language, followed by a number if it is taken."""
    language = translation.get_language() or "en"
    beginning, animals = (words.get(language, words["en"]) for words in (BEGINNINGS, ANIMALS))
    number, tried = "", 0
    while True:
        name = f"{beginning}-{secrets.choice(animals)}{number}"
        try:
            check_free(name)
            with transaction.atomic():
                return User.objects.create_user(name, guest=True, time_zone=time_zone)
        except (ValidationError, IntegrityError):  # the latter if somebody takes it at the same moment
            tens = 10 ** (1 + tried // ATTEMPTS)
            number, tried = str(tens + secrets.randbelow(9 * tens)), tried + 1


# --- becoming a registered user ---------------------------------------------------------------------------------------


def confirm(email_address: EmailAddress, **_: Any) -> None:
    """Make a guest a member whose address is confirmed outside `accounts.joining.registration` (receiver)."""
    User.objects.filter(pk=email_address.user_id, guest=True).update(guest=False)


# --- logging in to another account ------------------------------------------------------------------------------------


def take_over(guest: User, user: User) -> None:
    """Hand over everything that refers to a guest to a registered user, in one transaction, and delete the guest.

    What the user already has stays as it is. A guest who sits in a match with this user keeps that seat, so that nobody
    plays against themselves; such a guest is deleted later, like guests who have stayed away.
    """
    with transaction.atomic():
        _lock(guest, user)
        if not User.objects.filter(pk=guest.pk, guest=True).exists():
            return  # taken over meanwhile from another browser
        guest_claimed.send(User, guest=guest, user=user)
        relations.hand_over_blocks(guest, user)
        sanctions.hand_over(guest, user)
        default = User()
        chosen = {name: getattr(guest, name) for name in CHOSEN if getattr(user, name) == getattr(default, name)}
        User.objects.filter(pk=user.pk).update(**chosen)
        fields = [field for _name, field in relations_to_users() if field.model._meta.app_label not in _OWN]  # noqa: SLF001  # Django's public way
        left = [_hand_over(field, guest, user) for field in fields]
        if not any(left):
            keep_names_taken_away(guest)
            guest.delete()


def _lock(guest: User, user: User) -> None:
    """Lock what a guest takes part in, then the two people: everybody who seats or pairs them locks in this order.

    If the guest has begun to take part in something else meanwhile, release all locks and begin again.
    """
    while True:
        with transaction.atomic():
            locked = guest_is_claimed.send(User, guest=guest, locking=True)
            relations.lock_people([guest.pk, user.pk])
            if guest_is_claimed.send(User, guest=guest, locking=False) == locked:
                return
            transaction.set_rollback(True)


def _hand_over(field: Any, guest: User, user: User) -> bool:
    """Let rows refer to the user unless a constraint forbids it; return whether rows remain that outlive the guest."""
    rows = field.model._base_manager  # noqa: SLF001  # Django's public way to all rows
    kept = False
    for row in rows.filter(**{field.name: guest}):
        try:
            with transaction.atomic():
                rows.filter(pk=row.pk).update(**{field.name: user})
        except IntegrityError:
            kept = field.remote_field.on_delete is models.SET_NULL
    return kept
