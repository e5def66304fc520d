"""Who moderates, and what each moderator may see. Roles are Django's groups; a superuser has no role by that alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django import template
from django.contrib.auth.decorators import login_required
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse

from accounts import sanctions
from accounts.models import User
from accounts.relations import lock_people
from games.clubs.membership import clubs_of, is_member
from games.clubs.models import Club
from games.matchmaking.models import Promise
from games.moderation.models import Case, Deed
from games.play.models import Match, Seat

MODERATORS: Final = "moderators"
"""The group that may use the pages of moderators."""

ADMINISTRATORS: Final = "administrators"
"""The group that may also use Django's admin; its members are moderators too."""

ROLES: Final = (MODERATORS, ADMINISTRATORS)

_own_deeds: list[Callable[[Any], QuerySet[Deed]]] = []
_leaving: list[Callable[[], QuerySet[Any]]] = []


def is_moderator(user: Any) -> bool:
    """Return whether somebody may use the pages of moderators."""
    return _is_in(user, ROLES)


def is_administrator(user: Any) -> bool:
    """Return whether somebody may decide about moderators and use Django's admin."""
    return _is_in(user, (ADMINISTRATORS,))


def _is_in(user: Any, names: tuple[str, ...]) -> bool:
    known = user.is_authenticated and user.is_active and user.is_staff
    return bool(known) and user.groups.filter(name__in=names).exists()


def is_last_administrator(user: User) -> bool:
    """Return whether this person is the only administrator whose account is open, not suspended and not about to end.

    All administrators are locked until the transaction ends, so that the last two cannot leave at the same moment.
    """
    everybody = User.objects.filter(groups__name=ADMINISTRATORS)
    lock_people([user.pk, *everybody.values_list("pk", flat=True)])
    remaining = everybody.filter(is_active=True, is_staff=True).exclude(pk__in=sanctions.suspended())
    for leaving in _leaving:
        remaining = remaining.exclude(pk__in=leaving())
    return set(remaining.values_list("pk", flat=True)) == {user.pk}


def leave_out_of_administrators(leaving: Callable[[], QuerySet[Any]]) -> None:
    """Register a query for the keys of people whose accounts are about to end: they do not count as administrators."""
    _leaving.append(leaving)


def on_groups_changed(instance: Any, action: str, reverse: bool, pk_set: set[int] | None, **_: Any) -> None:
    """Set `User.is_staff` for people with a role, so that pages need no query for anybody else (`m2m_changed`)."""
    if action in {"post_add", "post_remove", "post_clear"}:
        people = User.objects.filter(pk__in=pk_set or ()) if reverse else User.objects.filter(pk=instance.pk)
        has_role = User.objects.filter(groups__name__in=ROLES)
        people.filter(pk__in=has_role).update(is_staff=True)
        people.exclude(pk__in=has_role).exclude(is_superuser=True).update(is_staff=False)


def for_moderators(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Show a page to moderators only; anybody else gets a 404, visitors after they have logged in."""

    @login_required
    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
        if not is_moderator(request.user):
            raise Http404
        return view(request, *args, **more)

    return wrapped


def is_own(user: User | None, person: User | None = None, match: Match | None = None, club: Club | None = None) -> bool:
    """Return whether somebody is this person, takes part in this match or belongs to this club; None is a command."""
    if user is None:
        return False
    return user == person or takes_part(user, match) or (club is not None and is_member(club, user))


def takes_part(user: User | None, match: Match | None) -> bool:
    """Return whether somebody plays a match, hosts its table, or has promised to come."""
    return user is not None and match is not None and matches_of(user).filter(pk=match.pk).exists()


def matches_of(user: Any) -> QuerySet[Match]:
    """Return the matches and tables in which somebody takes part."""
    seats, promises = Seat.objects.filter(user=user), Promise.objects.filter(user=user)
    return Match.objects.filter(Q(pk__in=seats.values("match")) | Q(host=user) | Q(pk__in=promises.values("match")))


def cases_for(user: Any) -> QuerySet[Case]:
    """Return the cases that a moderator may see: none about themselves, their own matches or their clubs."""
    others = Case.objects.exclude(person=user).exclude(match__in=matches_of(user))
    return others.exclude(club__in=clubs_of(user))


def deeds_for(user: Any) -> QuerySet[Deed]:
    """Return the deeds that a moderator may read: none about themselves, their own matches, or cases about these."""
    own_cases = Case.objects.exclude(pk__in=cases_for(user).values("pk"))
    others = Deed.objects.exclude(person=user).exclude(match__in=matches_of(user)).exclude(case__in=own_cases)
    for own in _own_deeds:
        others = others.exclude(pk__in=own(user).values("pk"))
    return others


def keep_from_readers(own: Callable[[Any], QuerySet[Deed]]) -> None:
    """Register a query for more deeds about a moderator, which that moderator must not read."""
    _own_deeds.append(own)


def access_case(user: Any, pk: int) -> Case:
    """Return a case, with the rows it refers to.

    Raises:
        Http404: there is none, or it is about this moderator.
    """
    found = cases_for(user).filter(pk=pk).select_related("person", "match", "club", "claimed_by").first()
    if found is None:
        raise Http404
    return found


def access_person(username: str) -> User:
    """Return somebody by name, even if their account is closed.

    Raises:
        Http404: there is none.
    """
    found = User.objects.named(username)
    if found is None:
        raise Http404
    return found


register = template.Library()


@register.inclusion_tag("moderation/menu_link.html", takes_context=True)
def moderation_link(context: Any) -> dict[str, Any]:
    """Link moderators to their pages, with the number of open cases; makes no query for anybody else."""
    user = context.get("user")
    if user is None or not user.is_authenticated or not user.is_staff or not is_moderator(user):
        return {"moderates": False}
    return {"moderates": True, "open": cases_for(user).filter(decided_at=None).count()}
