"""Friends, who both agreed, and follows, which need no consent. Only registered people have either.

Anyone who asks or follows somebody who blocked them sees what they would see of a stranger who does not answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import blocks, limits
from accounts.blocks import lock_people
from accounts.models import Follow, Friendship, User
from accounts.signals import answered, befriended, friend_asked

State = Friendship.State


class Standing(StrEnum):
    """What another person is to somebody, as far as that somebody may know."""

    STRANGER = "stranger"
    FRIEND = "friend"
    ASKED_BY_ME = "asked-by-me"
    ASKS_ME = "asks-me"


# --- friends ----------------------------------------------------------------------------------------------------------


def ask(asker: User, other: User) -> Standing:
    """Ask somebody to be friends, or accept if they have asked already; return what they are to the asker then.

    Raises:
        ValidationError: "guest" if one of them is a guest, "self", "blocked" if the asker has blocked the other,
            "again" too soon after an earlier request, or "too-many" in a day.
    """
    _check(asker, other)
    with _locked(asker, other) as found:
        now = Standing.STRANGER if found is None else _standing(found, asker)
        if now in (Standing.FRIEND, Standing.ASKED_BY_ME):
            return now
        apart = blocks.is_blocked_between(asker, other)
        if found is not None and found.state in (State.ASKED, State.DECLINED) and not apart:
            return _accept(found)  # whoever was declined still wants it
        return _request(asker, other, found, apart=apart)


def _request(asker: User, other: User, former: Friendship | None, *, apart: bool) -> Standing:
    """Store a request; between people who are kept `apart` it is declined from the beginning."""
    _check_request(asker, former)
    request = former or Friendship()
    request.asker, request.asked, request.at, request.since = asker, other, timezone.now(), None
    request.state = State.DECLINED if apart else State.ASKED
    request.save()
    if not apart:
        friend_asked.send(Friendship, asker=asker, asked=other)
    return Standing.ASKED_BY_ME


def _check_request(asker: User, former: Friendship | None) -> None:
    """Refuse a request: "again", too soon after the `former` one, or "too-many" in a day. What is taken back counts."""
    now = timezone.now()
    if former is not None and former.asker_id == asker.pk and former.at > now - limits.AGAIN:
        raise ValidationError(_("You asked this person recently. Wait a week before you ask again."), code="again")
    since = now - limits.PERIOD
    latest = Friendship.objects.filter(asker=asker, at__gt=since).order_by("-at").values_list("at", flat=True)
    if len(asked := list(latest[: limits.REQUESTS])) == limits.REQUESTS:
        text = _("You have asked %(count)d people in a day. You can ask more in %(wait)s.")
        words = {"count": limits.REQUESTS, "wait": limits.in_words(asked[-1] + limits.PERIOD - now)}
        raise ValidationError(text % words, code="too-many")
    _spend("friend-request", asker)


def _spend(what: str, user: User) -> None:
    """Count what somebody does for them and for their network address, or refuse it: "too-many"."""
    try:
        limits.spend(what, user)
    except limits.TooMany as error:
        raise ValidationError(error.text, code="too-many") from error


def _accept(request: Friendship) -> Standing:
    request.since = timezone.now()
    _change(request, State.FRIENDS)
    befriended.send(Friendship, asker=request.asker, asked=request.asked)
    return Standing.FRIEND


def accept(user: User, asker: User) -> None:
    """Accept a request; do nothing if they are friends.

    Raises:
        ValidationError: "gone" if there is no such request, for instance because it was taken back.
    """
    with _locked(user, asker) as found:
        standing = Standing.STRANGER if found is None else _standing(found, user)
        if found is not None and standing == Standing.ASKS_ME:
            _accept(found)
        elif standing != Standing.FRIEND:
            raise ValidationError(_("This request is no longer there."), code="gone")


def decline(user: User, asker: User) -> None:
    """Decline a request. The asker is not told: for them it still waits. Do nothing if there is none."""
    with _locked(user, asker) as found:
        if found is not None and _standing(found, user) == Standing.ASKS_ME:
            _change(found, State.DECLINED)


def remove(user: User, other: User) -> None:
    """End a friendship, or take one's own request back; do nothing if there is neither."""
    with _locked(user, other) as found:
        if found is not None and _standing(found, user) in (Standing.FRIEND, Standing.ASKED_BY_ME):
            _change(found, State.OVER)


def _change(request: Friendship, state: State) -> None:
    request.state = state
    request.save(update_fields=["state", "since"])
    answered.send(Friendship, asker=request.asker, asked=request.asked, state=state)


@contextmanager
def _locked(one: User, other: User) -> Iterator[Friendship | None]:
    """Keep everything between two people as it is within the block, a transaction."""
    with transaction.atomic():
        lock_people([one.pk, other.pk])
        yield Friendship.objects.select_related("asker", "asked").filter(_pair(one, other)).first()


def _pair(one: User, other: User) -> Q:
    return Q(asker=one, asked=other) | Q(asker=other, asked=one)


def _check(user: User, other: User) -> None:
    if user.guest or other.guest:
        raise ValidationError(_guests_in_words(user), code="guest")
    if user.pk == other.pk:
        raise ValidationError(_("That is you."), code="self")
    if blocks.has_blocked(user, other):
        raise ValidationError(_("You have blocked this person. Unblock them first."), code="blocked")


def _guests_in_words(user: User) -> str:
    if user.guest:
        return _("Register to have friends and to follow people. You keep your matches.")
    return _("This person plays as a guest. You can be friends once they have registered.")


def _standing(request: Friendship, user: User) -> Standing:
    if request.state == State.FRIENDS:
        return Standing.FRIEND
    if request.asker_id == user.pk and request.state in (State.ASKED, State.DECLINED):
        return Standing.ASKED_BY_ME
    return Standing.ASKS_ME if request.state == State.ASKED else Standing.STRANGER


def standing(user: User, other: User) -> Standing:
    """Return what another person is to somebody, as far as that somebody may know."""
    found = Friendship.objects.filter(_pair(user, other)).first()
    return Standing.STRANGER if found is None else _standing(found, user)


def are_friends(one: Any, other: Any) -> bool:
    """Return whether two people are friends; visitors (None, or anonymous) have none."""
    keys = getattr(one, "pk", None), getattr(other, "pk", None)
    return None not in keys and Friendship.objects.filter(_pair(one, other), state=State.FRIENDS).exists()


def friends_of(user: Any) -> QuerySet[User]:
    """Return somebody's friends by name; visitors (None, or anonymous) have none."""
    if getattr(user, "pk", None) is None:
        return User.objects.none()
    asked = Friendship.objects.filter(asker=user, state=State.FRIENDS).values("asked")
    asking = Friendship.objects.filter(asked=user, state=State.FRIENDS).values("asker")
    return User.objects.filter(Q(pk__in=asked) | Q(pk__in=asking)).order_by("name_key")


def asking(user: User) -> QuerySet[User]:
    """Return who asks somebody to be friends, the latest first."""
    waiting = Q(requests_out__asked=user, requests_out__state=State.ASKED)
    return User.objects.filter(waiting).order_by("-requests_out__at")


def asked_by(user: User) -> QuerySet[User]:
    """Return whom somebody has asked and who has not accepted, the latest first."""
    waiting = Q(requests_in__asker=user, requests_in__state__in=(State.ASKED, State.DECLINED))
    return User.objects.filter(waiting).order_by("-requests_in__at")


# --- follows ----------------------------------------------------------------------------------------------------------


def follow(follower: User, other: User) -> None:
    """Follow somebody; do nothing if that is so already.

    Raises:
        ValidationError: "guest" if one of them is a guest, "self", "blocked" if the follower has blocked the other, or
            "too-many" who are followed.
    """
    _check(follower, other)
    with transaction.atomic():
        lock_people([follower.pk, other.pk])
        if not is_following(follower, other):
            _check_follows(follower)
            Follow.objects.create(follower=follower, followed=other)


def _check_follows(follower: User) -> None:
    """Refuse to follow more people than one can, or too many in a short time: "too-many"."""
    if Follow.objects.filter(follower=follower).count() >= limits.FOLLOWED:
        text = _("You already follow %(count)d people, which is the limit. Stop following somebody first.")
        raise ValidationError(text % {"count": limits.FOLLOWED}, code="too-many")
    _spend("follow", follower)


def unfollow(follower: User, other: User) -> None:
    """Stop following somebody. Idempotent."""
    Follow.objects.filter(follower=follower, followed=other).delete()


def is_following(follower: User, other: User) -> bool:
    """Return whether somebody follows another, as they themselves may know it."""
    return Follow.objects.filter(follower=follower, followed=other).exists()


def followed_by(user: Any) -> QuerySet[User]:
    """Return whom somebody follows, by name, as they themselves may know it; visitors follow nobody."""
    if getattr(user, "pk", None) is None:
        return User.objects.none()
    return User.objects.filter(followers__follower=user).order_by("name_key")


def hears_of(user: User, other: User) -> bool:
    """Return whether somebody is told what another does: as a friend or a follower, not blocked by either."""
    return are_friends(user, other) or followers_of(other).filter(pk=user.pk).exists()


def followers_of(user: User) -> QuerySet[User]:
    """Return who may hear what somebody does because they follow them: nobody who is blocked by either."""
    return User.objects.filter(follows__followed=user).exclude(pk__in=blocks.blocked_with(user))
