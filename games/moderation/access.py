"""Who moderates: the gate of every page of moderators. Roles are Django's groups; a superuser alone has none."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse

from accounts.models import User
from games.moderation.models import Case
from games.play.models import Match, Seat

MODERATORS: Final = "moderators"
"""The group of those who work on the pages of moderators."""

ADMINISTRATORS: Final = "administrators"
"""The group of those who also work in Django's admin; they are moderators too."""

ROLES: Final = (MODERATORS, ADMINISTRATORS)


def is_moderator(user: Any) -> bool:
    """Return whether somebody may work on the pages of moderators."""
    return _is_in(user, ROLES)


def is_administrator(user: Any) -> bool:
    """Return whether somebody may also act against moderators, and work in Django's admin."""
    return _is_in(user, (ADMINISTRATORS,))


def _is_in(user: Any, names: tuple[str, ...]) -> bool:
    known = user.is_authenticated and user.is_active and user.is_staff
    return bool(known) and user.groups.filter(name__in=names).exists()


def on_groups_changed(instance: Any, action: str, reverse: bool, pk_set: set[int] | None, **_: Any) -> None:
    """Keep `User.is_staff` in step with roles: others' pages need not ask for them."""
    if action in {"post_add", "post_remove", "post_clear"}:
        people = User.objects.filter(pk__in=pk_set or ()) if reverse else User.objects.filter(pk=instance.pk)
        has_role = User.objects.filter(groups__name__in=ROLES)
        people.filter(pk__in=has_role).update(is_staff=True)
        people.exclude(pk__in=has_role).exclude(is_superuser=True).update(is_staff=False)


def for_moderators(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Show a page to moderators only; for everybody else who is logged in there is none."""

    @login_required
    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
        if not is_moderator(request.user):
            raise Http404
        return view(request, *args, **more)

    return wrapped


def is_own(user: User | None, person: User | None = None, match: Match | None = None) -> bool:
    """Return whether somebody is this person, or plays this match; a command (None) never does."""
    if user is None:
        return False
    return user == person or (match is not None and Seat.objects.filter(match=match, user=user).exists())


def cases_for(user: Any) -> QuerySet[Case]:
    """Return the cases that somebody may see: not those about themselves or about their own matches."""
    return Case.objects.exclude(person=user).exclude(match__seats__user=user)


def access_case(user: Any, pk: int) -> Case:
    """Return a case with what it is about.

    Raises:
        Http404: there is none, or it is about this moderator.
    """
    found = cases_for(user).filter(pk=pk).select_related("person", "match", "claimed_by").first()
    if found is None:
        raise Http404
    return found


def access_person(username: str) -> User:
    """Return somebody by name, also with a closed account, which nobody else can see.

    Raises:
        Http404: there is none.
    """
    found = User.objects.named(username)
    if found is None:
        raise Http404
    return found
