"""The reader of a page, finding users by name, changes of name, coach marks, language and theme, and presence."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from allauth.account.utils import get_next_redirect_url
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext, gettext_lazy as _

from accounts import relations
from accounts.models import FormerName, Sighting, User
from accounts.names import name_key, skeleton, tidy_name, validate_name
from accounts.requests import keep_for_a_year
from accounts.sanctions import refusal_to_write, suspended

CHANGES = 3
PERIOD = timedelta(days=30)
"""A name can be changed so many times within this time: to correct mistakes, not to hide behind new names."""

KEPT = timedelta(days=90)
"""For how long nobody else can take a name that was given up."""

TAKEN = _("This name is taken. Please choose another one.")
ALIKE = _("This name looks too much like someone else’s. Please choose another one.")


def check_free(name: str, by: User | None = None, *, forced: bool = False) -> None:
    """Check that a name is free.

    Args:
        name: as somebody wrote it.
        by: who would have it, None for a new user. Names that they gave up themselves are free to them.
        forced: moderators ask, so a name they took away from `by` is free too.

    Raises:
        ValidationError: somebody else has this name, however it is written (code "taken"), or one that looks like it
            ("alike"); or has given it up within the last `KEPT`, perhaps with their account; or moderators have taken
            it away from somebody.
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
    """Return how many more times this user can change their name now."""
    used = user.former_names.filter(given_up_at__gt=timezone.now() - PERIOD).count()
    return max(0, CHANGES - used)


def rename(user: User, name: str, *, forced: bool = False) -> bool:
    """Rename a user; return whether it is another name, not the same one written differently (capitals, width).

    Writing the same name differently is always allowed and does not count. Moderators can rename somebody at any time
    (`forced`); then nobody can have the old name again.

    Raises:
        ValidationError: the name is not allowed or not free; it was changed too often (code "often"); the user is
            silenced ("silenced").
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
    """Give a user back a name that moderators took away, by the key of its `FormerName`.

    Return False and change nothing if it is no longer taken away, or they have had another name since.

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
    """Keep the names that moderators took away from somebody forbidden after the account is gone."""
    FormerName.objects.filter(user=user, forbidden=True).update(user=None, name="")


def rest_names(user: User) -> None:
    """Reserve the names of an account that ends for `KEPT`, as after a change of name; only hashes of them stay."""
    if user.guest:  # nobody can choose such a name
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
    """Return the hashes of a name whose account is gone, keyed, so that a copy of the database does not tell names.

    The first is what is stored now; the others were stored with former secret keys of the site.
    """
    salt = f"accounts.former.{field}"
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return [salted_hmac(salt, text, secret=key, algorithm="sha256").hexdigest() for key in keys]


def note_coached(user: User, mark: str) -> None:
    """Never show a user this coach mark again.

    Args:
        user: who has read it.
        mark: the game and the mark, as "shifting-stones:aim".
    """
    with transaction.atomic():
        current = User.objects.select_for_update().get(pk=user.pk)
        if mark not in current.coached.split():
            current.coached = f"{current.coached} {mark}".strip()
            current.save(update_fields=["coached"])


def access_player(username: str) -> User:
    """Return the person with a name, however it is written, for a page about them.

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
    """Return the user who is logged in, read anew: a model form changes its instance even if it refuses."""
    return User.objects.get(pk=person_of(request).pk)


def wanted_next(request: HttpRequest, otherwise: str) -> str:
    """Return the path within the site where a form asks to be redirected (`next`), or `otherwise`."""
    wanted = get_next_redirect_url(request) or ""
    return wanted if wanted.startswith("/") else otherwise


def way_back(request: HttpRequest) -> str:
    """Return the query with which a link to log in or to register leads back to this page; empty for the start page.

    From pages for that itself it leads where they were to lead, and never back to a page whose address is a secret.
    """
    match = request.resolver_match
    if match is None or {"key", "token"} & match.kwargs.keys():
        return ""
    is_entrance = (match.url_name or "").startswith(("account_", "mfa_"))
    # Never from the body: this is also asked for pages that refuse to read it.
    path = request.GET.get("next", "") if is_entrance else request.get_full_path()
    is_way = path not in {"", "/"} and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    return f"?{urlencode({'next': path})}" if is_way else ""


def page_before(request: HttpRequest) -> str:
    """Return the address of the page of this site that a form was sent from, or of the start page."""
    before = request.headers.get("Referer", "")
    own = url_has_allowed_host_and_scheme(before, {request.get_host()}, require_https=request.is_secure())
    return before if before and own else reverse("home")


def member_of(request: HttpRequest) -> User | None:
    """Return the user who is logged in, guests included; None for a visitor."""
    return request.user if isinstance(request.user, User) else None


# --- presence: who has a page open, as the heartbeat of each process reports (`games.play.live.heartbeat`) ------------

HERE: Final = timedelta(seconds=60)
"""How recent the latest report must be for somebody to count as being here."""

REPORTED_EVERY: Final = timedelta(seconds=25)
"""How often a process reports who is here; short enough that one may come late."""

LOOKING: Final = timedelta(hours=2)
"""After this time somebody who looks for a game is no longer shown as looking."""


def record_presence(keys: Iterable[int]) -> None:
    """Record that these people are here now, in one statement."""
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


def note_bot_here(user: User) -> None:
    """Record that a bot account is here now; called as often as it asks the API or its stream beats.

    It is written once every `REPORTED_EVERY`. People who use the API are not here by that: they have no page open.
    """
    if user.is_bot and cache.add(f"bot-here:{user.pk}", True, REPORTED_EVERY.total_seconds()):
        record_presence([user.pk])


def presence_shown_to(reader: Any, keys: Iterable[int]) -> set[int]:
    """Return the people among these whose presence a reader may see, whether or not they are here.

    Nobody sees the presence of those who hide it, or of those whom they have blocked or are blocked by.
    """
    among = set(keys) - relations.blocked_with(reader)
    return set(User.objects.filter(pk__in=among, shows_presence=True).values_list("pk", flat=True))


def here_for(reader: Any, keys: Iterable[int]) -> set[int]:
    """Return the people among these who are here, as far as a reader may see it."""
    shown = presence_shown_to(reader, keys)
    return set(Sighting.objects.filter(user__in=shown, at__range=_lately()).values_list("user", flat=True))


def _lately() -> tuple[datetime, datetime]:
    """Return the range of reports that count as being here; the future is in it in case the clock was put back."""
    now = timezone.now()
    return now - HERE, now + HERE


def people_here() -> QuerySet[Sighting]:
    """Return the people who are here and show it, guests included and bots not, for counts."""
    return Sighting.objects.filter(at__range=_lately(), user__shows_presence=True, user__bot_since=None)


def bots_here() -> QuerySet[User]:
    """Return the bot accounts that are here and show it, by name: theirs are open streams and requests to the API."""
    here = User.objects.filter(bot_since__isnull=False, is_active=True, shows_presence=True)
    return here.filter(sighting__at__range=_lately()).exclude(pk__in=suspended()).order_by("name_key")


def is_shown_here(user: User) -> bool:
    """Return whether somebody, loaded with their `sighting`, is here and shows it, person or bot."""
    since, until = _lately()
    return user.shows_presence and hasattr(user, "sighting") and since <= user.sighting.at <= until


def show_presence(user: User, shows: bool) -> None:
    """Show others when somebody is online, or hide it; who hides it is no longer shown as looking for a game either."""
    User.objects.filter(pk=user.pk).update(shows_presence=shows, **({} if shows else {"looking_until": None}))


def look_for_a_game(user: User) -> None:
    """Show friends for the next `LOOKING` that somebody looks for a game."""
    User.objects.filter(pk=user.pk).update(looking_until=timezone.now() + LOOKING)


def stop_looking(user: User) -> None:
    """Stop showing friends that somebody looks for a game."""
    User.objects.filter(pk=user.pk).update(looking_until=None)


def is_looking(user: User) -> bool:
    """Return whether somebody is shown as looking for a game."""
    left = None if user.looking_until is None else user.looking_until - timezone.now()
    return left is not None and timedelta() < left <= LOOKING


# --- language and theme -----------------------------------------------------------------------------------------------
# Kept in the account, and in the browser for visitors. Where an account leaves one to the browser or the system, what
# was chosen in this browser counts.

THEME_COOKIE: Final = "tessera_theme"
LANGUAGE_COOKIE: Final = settings.LANGUAGE_COOKIE_NAME
"""Django reads this one itself where an account says nothing."""
_COOKIES: Final = {"language": LANGUAGE_COOKIE, "theme": THEME_COOKIE}
_CHOICES: Final = {"language": frozenset(code for code, _ in settings.LANGUAGES), "theme": frozenset(User.Theme.values)}


def theme_of(request: HttpRequest) -> str:
    """Return the theme in which a page is shown, a value of `User.Theme`."""
    user = getattr(request, "user", None)
    own = user.theme if isinstance(user, User) else User.Theme.SYSTEM
    kept = request.COOKIES.get(THEME_COOKIE, "")
    return kept if own == User.Theme.SYSTEM and kept in _CHOICES["theme"] else own


def choose_display(request: HttpRequest, response: HttpResponse) -> None:
    """Keep the `language` or `theme` that a form asks for; anything unknown changes nothing."""
    asked = {name: str(request.POST.get(name, "")) for name in _CHOICES}
    chosen = {name: value for name, value in asked.items() if value in _CHOICES[name]}
    if chosen and isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(**chosen)
    for name, value in chosen.items():
        keep_for_a_year(request, response, _COOKIES[name], value)


def forget_display(response: HttpResponse) -> None:
    """Let the settings of the account count alone again in this browser."""
    for cookie in _COOKIES.values():
        response.delete_cookie(cookie, samesite="Lax")
