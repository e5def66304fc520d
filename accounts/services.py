"""The reader of a page, finding users by name, changes of name, tips, and presence: who has a page open."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from allauth.account.utils import get_next_redirect_url
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import relations
from accounts.models import FormerName, Sighting, User
from accounts.names import name_key, skeleton, tidy_name, validate_name
from accounts.sanctions import refusal_to_write

# Enough to correct a mistake or two, too few to hide behind new names.
CHANGES = 3
PERIOD = timedelta(days=30)
# For how long nobody else can take a name that was given up.
KEPT = timedelta(days=90)

TAKEN = _("This name is taken. Please choose another one.")
ALIKE = _("This name looks too much like somebody else’s. Please choose another one.")


def check_free(name: str, by: User | None = None, *, forced: bool = False) -> None:
    """Check that a name is free for `by` (None: a new user); one taken away by moderators only if they ask (`forced`).

    Raises:
        ValidationError: somebody else has the name, however it is written (code "taken"), or one that looks like it
            (code "alike"), or gave it up within the last `KEPT`, with their account or without, or it was taken away
            from somebody.
    """
    name = tidy_name(name)
    if _has_somebody_else(by, forced, name_key=name_key(name)):
        raise ValidationError(TAKEN, code="taken")
    if _has_somebody_else(by, forced, skeleton=skeleton(name)):
        raise ValidationError(ALIKE, code="alike")


def _has_somebody_else(by: User | None, forced: bool, **name: str) -> bool:
    lasting = Q(given_up_at__gt=timezone.now() - KEPT) | Q(forbidden=True)
    written = {f"{field}__in": [text, *_hashes(field, text)] for field, text in name.items()}
    recent, people = FormerName.objects.filter(lasting, **written), User.objects.filter(**name)
    if by is not None:
        own = recent.filter(user=by) if forced else recent.filter(user=by, forbidden=False)
        recent, people = recent.exclude(pk__in=own.values("pk")), people.exclude(pk=by.pk)
    return people.exists() or recent.exists()


def changes_left(user: User) -> int:
    """Return how many more times this user can change their name in the current period."""
    used = user.former_names.filter(given_up_at__gt=timezone.now() - PERIOD).count()
    return max(0, CHANGES - used)


def rename(user: User, name: str, *, forced: bool = False) -> bool:
    """Rename a user; return whether the new name really differs.

    Moderators can do it at any time (`forced`); nobody can take the name they took away.

    Writing the same name differently (capitals, width) is always allowed and gives nothing up.

    Raises:
        ValidationError: the name is not allowed or not free, or was changed too often (code "often");
            the user is silenced (code "silenced").
    """
    name = tidy_name(name)
    validate_name(name)
    if not forced and (refusal := refusal_to_write(user)):
        raise ValidationError(refusal, code="silenced")
    try:
        with transaction.atomic():
            return _rename(user, name, forced, forbids=forced)
    except IntegrityError as error:  # taken since the check above
        raise ValidationError(TAKEN, code="taken") from error


def _rename(user: User, name: str, forced: bool, *, forbids: bool) -> bool:
    current = User.objects.select_for_update().get(pk=user.pk)
    another = name_key(name) != current.name_key
    if another:
        check_free(name, by=current, forced=forced)
        if not forced and not changes_left(current):
            raise ValidationError(
                _("You have changed your name %(count)d times in the last %(days)d days. Please try again later."),
                code="often",
                params={"count": CHANGES, "days": PERIOD.days},
            )
        former = {"name": current.username, "name_key": current.name_key, "skeleton": skeleton(current.username)}
        FormerName.objects.create(user=current, forbidden=forbids, **former)
    user.username = name
    user.save(update_fields=["username"])
    return another


def restore_name(user: User, key: int) -> bool:
    """Give a user back the name with this key, which moderators took away; the one they have now is only given up.

    Return False, and change nothing, if it is not taken away from them any more, or they have had another name since.

    Raises:
        ValidationError: the name is not free.
    """
    with transaction.atomic():
        current = User.objects.select_for_update().get(pk=user.pk)
        taken = current.former_names.filter(pk=key, forbidden=True).first()
        if taken is None or current.former_names.filter(pk__gt=taken.pk).exists():
            return False
        FormerName.objects.filter(pk=taken.pk).update(forbidden=False)
        return _rename(user, taken.name, forced=True, forbids=False)


def keep_names_taken_away(user: User) -> None:
    """Let the names that moderators took away from somebody outlive the account, as what nobody can be called."""
    FormerName.objects.filter(user=user, forbidden=True).update(user=None, name="")


def rest_names(user: User) -> None:
    """Let the names of an account that ends rest for `KEPT`, as after a change of name; only hashes of them stay."""
    if user.guest:  # the site made the name up, and nobody can choose it anyway
        return
    recent = FormerName.objects.filter(user=user, forbidden=False, given_up_at__gt=timezone.now() - KEPT)
    given_up = [(row.name, row.given_up_at) for row in recent] + [(user.username, timezone.now())]
    FormerName.objects.bulk_create(
        FormerName(
            name_key=_hashes("name_key", name_key(name))[0],
            skeleton=_hashes("skeleton", skeleton(name))[0],
            given_up_at=moment,
        )
        for name, moment in given_up
    )


def _hashes(field: str, text: str) -> list[str]:
    """Return what is kept of a name whose account is gone: keyed, so that nobody who has a copy can try names.

    The first is written; the others were, with a former secret key of the site.
    """
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    salt = f"accounts.former.{field}"
    return [salted_hmac(salt, text, secret=secret, algorithm="sha256").hexdigest() for secret in secrets]


def dismiss_tip(user: User, tip: str) -> None:
    """Never show a user this tip again; for a tip that is not left, do nothing."""
    left = [each for each in user.tips.split() if each != tip]
    if len(left) < len(user.tips.split()):
        user.tips = " ".join(left)
        user.save(update_fields=["tips"])


def references() -> list[Any]:
    """Return the relations of all models to users."""
    fields = User._meta.get_fields(include_hidden=True)  # noqa: SLF001  # Django's public way to relations
    return [it for it in fields if it.auto_created and (it.one_to_many or it.one_to_one)]


def access_player(username: str) -> User:
    """Return the person with a name, however it is written: the gate of pages about somebody.

    Raises:
        Http404: there is none, or the account is closed.
    """
    found = User.objects.named(username)
    if found is None or not found.is_active:
        raise Http404(gettext("There is no player with this name."))
    return found


def person_of(request: HttpRequest) -> User:
    """Return the user who is logged in."""
    assert isinstance(request.user, User)  # noqa: S101  # such views let nobody else in
    return request.user


def stored_person_of(request: HttpRequest) -> User:
    """Return the user who is logged in as stored: a refused form changes the instance it was given."""
    return User.objects.get(pk=person_of(request).pk)


def wanted_next(request: HttpRequest, otherwise: str) -> str:
    """Return the path within the site to which a form asks to lead on (`next`), or another if it names none."""
    wanted = get_next_redirect_url(request) or ""
    return wanted if wanted.startswith("/") else otherwise


def member_of(request: HttpRequest) -> User | None:
    """Return the user who is logged in, guests included; None for a visitor."""
    return request.user if isinstance(request.user, User) else None


HERE: Final = timedelta(seconds=60)
"""How recent a report must be to count as being here."""

REPORTED_EVERY: Final = timedelta(seconds=25)
"""How often a process writes down who is here: a late report does not make anybody disappear."""

LOOKING: Final = timedelta(hours=2)
"""How long somebody looks for a game who does not say that they stopped."""


def record_presence(keys: Iterable[int]) -> None:
    """Write down that these people are here now, in one statement."""
    among = sorted(set(keys))
    try:
        _store_sightings(among)
    except IntegrityError:  # somebody has been deleted meanwhile
        _store_sightings(User.objects.filter(pk__in=among).order_by("pk").values_list("pk", flat=True))


def _store_sightings(keys: Iterable[int]) -> None:
    now = timezone.now()
    rows = [Sighting(user_id=key, at=now) for key in keys]
    if rows:
        Sighting.objects.bulk_create(rows, update_conflicts=True, unique_fields=["user"], update_fields=["at"])


def presence_shown_to(reader: Any, keys: Iterable[int]) -> set[int]:
    """Return who of these people may be seen to be here by a reader, whether or not they are: the one rule for it.

    Nobody sees it of those who hide it, or of those who are kept apart from them (`accounts.relations`).
    """
    among = set(keys) - relations.blocked_with(reader)
    return set(User.objects.filter(pk__in=among, shows_presence=True).values_list("pk", flat=True))


def here_for(reader: Any, keys: Iterable[int]) -> set[int]:
    """Return who of these people are here, as far as a reader may see it."""
    shown = presence_shown_to(reader, keys)
    return set(Sighting.objects.filter(user__in=shown, at__range=_lately()).values_list("user", flat=True))


def _lately() -> tuple[datetime, datetime]:
    """Return from when to when somebody was seen who is here. The future is seen by a clock that has been put back."""
    now = timezone.now()
    return now - HERE, now + HERE


def people_here() -> QuerySet[Sighting]:
    """Return the people who are here and show it, guests included: for numbers, which tell nobody's name."""
    return Sighting.objects.filter(at__range=_lately(), user__shows_presence=True)


def show_presence(user: User, shows: bool) -> None:
    """Let others see when somebody is online, or not; who hides it does not look for a game any more either."""
    User.objects.filter(pk=user.pk).update(shows_presence=shows, **({} if shows else {"looking_until": None}))


def look_for_a_game(user: User) -> None:
    """Show friends that somebody looks for a game, for the next `LOOKING`."""
    User.objects.filter(pk=user.pk).update(looking_until=timezone.now() + LOOKING)


def stop_looking(user: User) -> None:
    """Stop showing it."""
    User.objects.filter(pk=user.pk).update(looking_until=None)


def is_looking(user: User) -> bool:
    """Return whether somebody has said lately that they look for a game."""
    left = None if user.looking_until is None else user.looking_until - timezone.now()
    return left is not None and timedelta() < left <= LOOKING
