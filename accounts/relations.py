"""Blocks, friends and follows. Every part of the site asks here.

A block works both ways: two people are kept apart whichever of them has blocked the other. Nobody is told. So whatever
is refused because of a block must look as it would between strangers, and what the blocked person has seen before stays
as it was. Friendship needs the consent of both, following needs none, and only registered people can have either.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet, Value
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import limits
from accounts.models import Block, Follow, Friendship, User
from accounts.questions import Prepared
from accounts.signals import answered, befriended, blocked, friend_asked

State = Friendship.State

# --- blocks -----------------------------------------------------------------------------------------------------------


def block(by: User, other: User) -> None:
    """Block somebody: ends the friendship, the request by `by`, and that `by` follows them. Idempotent.

    A request or follow by the other stays and looks to them as before, but has no effect.

    Raises:
        ValidationError: "self", or "too-many" who are blocked already.
    """
    if by.pk == other.pk:
        raise ValidationError(_("You can’t block yourself."), code="self")
    with transaction.atomic():
        lock_people([by.pk, other.pk])
        if Block.objects.filter(by=by, blocked=other).exists():
            return
        if Block.objects.filter(by=by).count() >= limits.BLOCKED:
            text = _("You have already blocked %(count)d people, which is the limit. Unblock someone first.")
            raise ValidationError(text % {"count": limits.BLOCKED}, code="too-many")
        _spend("block", by)
        _block(by, other)


def _spend(what: str, user: User) -> None:
    """Count one use of a rate limit, or refuse it: "too-many"."""
    try:
        limits.spend(what, user)
    except limits.TooMany as error:
        raise ValidationError(error.text, code="too-many") from error


def _block(by: User, other: User) -> None:
    Block.objects.get_or_create(by=by, blocked=other)
    Follow.objects.filter(follower=by, followed=other).delete()
    Friendship.objects.filter(asker=other, asked=by, state=State.ASKED).update(state=State.DECLINED)
    Friendship.objects.filter(asker=by, asked=other).update(state=State.OVER)
    Friendship.objects.filter(asker=other, asked=by, state=State.FRIENDS).update(state=State.OVER)
    blocked.send(Block, by=by, other=other)


def unblock(by: User, other: User) -> None:
    """Lift a block; do nothing if there is none."""
    Block.objects.filter(by=by, blocked=other).delete()


def hand_over_blocks(guest: User, user: User) -> None:
    """Hand over to a user the blocks by a guest and of a guest, inside a transaction."""
    for row in Block.objects.filter(by=guest).exclude(blocked=user).select_related("blocked"):
        _block(user, row.blocked)
    for row in Block.objects.filter(blocked=guest).exclude(by=user).select_related("by"):
        _block(row.by, user)


def lock_people(keys: Iterable[int | None]) -> None:
    """Lock people until the transaction ends, always in the same order.

    Nobody can block any of them meanwhile, and what is counted for them does not change.

    Args:
        keys: of the people; None for a seat without one.
    """
    found = User.objects.select_for_update(no_key=True).filter(pk__in=[key for key in keys if key])
    list(found.order_by("pk").values_list("pk"))


def has_blocked(by: User, other: User) -> bool:
    """Return whether `by` has blocked the other; for pages of `by` only."""
    return Block.objects.filter(by=by, blocked=other).exists()


def blocked_by(user: User) -> QuerySet[User]:
    """Return whom somebody has blocked, the latest first; for their own pages only."""
    return User.objects.filter(blocked_by__by=user).order_by("-blocked_by__at", "-blocked_by__pk")


def blocked_among(by: Any, others: Iterable[int | None]) -> User | None:
    """Return one of these people whom `by` has blocked, None if there is none; for pages of `by` only."""
    keys = [key for key in others if key is not None]
    return User.objects.filter(pk__in=keys, blocked_by__by=by.pk).order_by("pk").first() if keys else None


def is_blocked_between(one: Any, other: Any) -> bool:
    """Return whether one of two people has blocked the other; False for visitors (None, or anonymous)."""
    keys = getattr(one, "pk", None), getattr(other, "pk", None)
    return None not in keys and bool(blocked_pairs(key for key in keys if key is not None))


def is_blocked_with_any(user: Any, others: Iterable[int | None]) -> bool:
    """Return whether somebody has blocked one of these people or is blocked by one; False for visitors."""
    key, keys = getattr(user, "pk", None), [each for each in others if each is not None]
    between = Q(by=key, blocked__in=keys) | Q(blocked=key, by__in=keys)
    return bool(keys) and Block.objects.filter(between).exists()


def blocked_with(user: Any) -> set[int]:
    """Return the keys of all whom somebody has blocked or is blocked by; none for visitors."""
    key = getattr(user, "pk", None)
    if key is None:
        return set()
    pairs = Block.objects.filter(Q(by=key) | Q(blocked=key)).values_list("by", "blocked")
    return {one for pair in pairs for one in pair} - {key}


def sides_of(user: Any) -> tuple[set[int], Mapping[int, datetime]]:
    """Return the keys of those whom somebody has blocked, and of those who have blocked them, with the moment.

    The moment keeps the block a secret: what somebody saw before it stays as it was.
    """
    rows = Block.objects.filter(Q(by=user.pk) | Q(blocked=user.pk)).values_list("by", "blocked", "at")
    own = {blocked for by, blocked, _at in rows if by == user.pk}
    return own, {by: at for by, _blocked, at in rows if by != user.pk}


def blocked_pairs(keys: Iterable[int]) -> set[tuple[int, int]]:
    """Return which of these people are to be kept apart, as pairs of keys, the smaller key first; one query."""
    among = set(keys)
    pairs = Block.objects.filter(by__in=among, blocked__in=among).values_list("by", "blocked")
    return {(min(pair), max(pair)) for pair in pairs}


class Relation(StrEnum):
    """What another person is to somebody, as far as they may know."""

    STRANGER = "stranger"
    FRIEND = "friend"
    ASKED_BY_ME = "asked-by-me"
    ASKS_ME = "asks-me"


@dataclass(frozen=True, slots=True)
class Circle:
    """The keys of the people around somebody.

    Args:
        friends: their friends.
        followed: whom they follow.
        asking: who has asked them to be friends and waits for an answer.
        apart: whom they have blocked, or are blocked by.
    """

    friends: set[int]
    followed: set[int]
    asking: set[int]
    apart: set[int]


def circle_of(user: User) -> Circle:
    """Return the people around somebody, in one query."""
    circle = Circle(set(), set(), set(), set())
    friendships = Friendship.objects.filter(Q(asker=user) | Q(asked=user), state__in=(State.ASKED, State.FRIENDS))
    follows = Follow.objects.filter(follower=user)
    blocks = Block.objects.filter(Q(by=user) | Q(blocked=user))
    rows = friendships.values_list("asker", "asked", "state").union(
        follows.values_list("follower", "followed", Value("follows")),
        blocks.values_list("by", "blocked", Value("blocks")),
        all=True,
    )
    for one, other, tie in rows:
        match tie:
            case "follows":
                circle.followed.add(other)
            case "blocks":
                circle.apart.add(other if one == user.pk else one)
            case State.FRIENDS:
                circle.friends.add(other if one == user.pk else one)
            case State.ASKED if other == user.pk:
                circle.asking.add(one)
    return circle


# --- friends ----------------------------------------------------------------------------------------------------------


def request_friendship(asker: User, other: User) -> Relation:
    """Ask somebody to be friends, or accept if they have asked already; return what they are to the asker then.

    Raises:
        ValidationError: "guest" if one of them is a guest, "self", "blocked" if the asker has blocked the other,
            "again" too soon after an earlier request, or "too-many" in a day.
    """
    _check(asker, other)
    with _locked(asker, other) as found:
        now = _relation(found, asker)
        if now in (Relation.FRIEND, Relation.ASKED_BY_ME):
            return now
        apart = is_blocked_between(asker, other)
        if found is not None and found.state in (State.ASKED, State.DECLINED) and not apart:
            return _accept(found)  # somebody whose request was declined still wants it
        return _request(asker, other, found, apart=apart)


def _request(asker: User, other: User, former: Friendship | None, *, apart: bool) -> Relation:
    """Store a request, unless it comes too soon after the `former` one ("again") or is one too many ("too-many").

    Requests that were taken back count too. Between people who are kept `apart` it is declined from the beginning.
    """
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
    request = former or Friendship()
    request.asker, request.asked, request.at, request.since = asker, other, timezone.now(), None
    request.state = State.DECLINED if apart else State.ASKED
    request.save()
    if not apart:
        friend_asked.send(Friendship, asker=asker, asked=other)
    return Relation.ASKED_BY_ME


def _accept(request: Friendship) -> Relation:
    request.since = timezone.now()
    _change(request, State.FRIENDS)
    befriended.send(Friendship, asker=request.asker, asked=request.asked)
    return Relation.FRIEND


def accept_request(user: User, asker: User) -> None:
    """Accept a request; do nothing if they are friends.

    Raises:
        ValidationError: "gone" if there is no such request, for instance because it was taken back.
    """
    with _locked(user, asker) as found:
        relation = _relation(found, user)
        if found is not None and relation == Relation.ASKS_ME:
            _accept(found)
        elif relation != Relation.FRIEND:
            raise ValidationError(_("This request is no longer there."), code="gone")


def decline_request(user: User, asker: User) -> None:
    """Decline a request; do nothing if there is none. The asker is not told: to them it still waits."""
    with _locked(user, asker) as found:
        if found is not None and _relation(found, user) == Relation.ASKS_ME:
            _change(found, State.DECLINED)


def end_friendship(user: User, other: User) -> None:
    """End a friendship, or take one's own request back; do nothing if there is neither."""
    with _locked(user, other) as found:
        if found is not None and _relation(found, user) in (Relation.FRIEND, Relation.ASKED_BY_ME):
            _change(found, State.OVER)


def _change(request: Friendship, state: State) -> None:
    request.state = state
    request.save(update_fields=["state", "since"])
    answered.send(Friendship, asker=request.asker, asked=request.asked, state=state)


@contextmanager
def _locked(one: User, other: User) -> Iterator[Friendship | None]:
    """Lock two people within the block, a transaction; yield what there is of a friendship between them."""
    with transaction.atomic():
        lock_people([one.pk, other.pk])
        yield Friendship.objects.select_related("asker", "asked").filter(_pair(one, other)).first()


def _pair(one: User, other: User) -> Q:
    return Q(asker=one, asked=other) | Q(asker=other, asked=one)


def _check(user: User, other: User) -> None:
    if user.guest:
        raise ValidationError(_("Register to have friends and to follow people. You keep your matches."), code="guest")
    if other.guest:
        text = _("This person plays as a guest. You can be friends once they have registered.")
        raise ValidationError(text, code="guest")
    if user.pk == other.pk:
        raise ValidationError(_("That is you."), code="self")
    if has_blocked(user, other):
        raise ValidationError(_("You have blocked this person. Unblock them first."), code="blocked")


def _relation(request: Friendship | None, user: User) -> Relation:
    if request is None:
        return Relation.STRANGER
    if request.state == State.FRIENDS:
        return Relation.FRIEND
    if request.asker_id == user.pk and request.state in (State.ASKED, State.DECLINED):
        return Relation.ASKED_BY_ME
    return Relation.ASKS_ME if request.state == State.ASKED else Relation.STRANGER


def relation_between(user: User, other: User) -> Relation:
    """Return what another person is to somebody, as far as that person may know."""
    return _relation(Friendship.objects.filter(_pair(user, other)).first(), user)


@dataclass(frozen=True, slots=True)
class Ties:
    """What another person is to somebody, and whether they follow them or have blocked them; for their own pages."""

    relation: Relation
    follows: bool
    blocks: bool


def ties_between(user: User, other: User) -> Ties:
    """Return what another person is to somebody, as far as that person may know, in one query."""
    rows = _TIES.of([user.pk, other.pk])
    found = {tie: Friendship(asker_id=one, asked_id=another, state=tie) for one, another, tie in rows}
    follows, blocks = (found.pop(tie, None) is not None for tie in ("follows", "blocks"))
    return Ties(_relation(next(iter(found.values()), None), user), follows, blocks)


def _ties(people: Collection[int]) -> QuerySet[Any, Any]:
    """Return the query for the ties of the first of two people to the second: from whom, to whom, and what it is."""
    one, other = (User(pk=key) for key in people)
    friendship = Friendship.objects.filter(_pair(one, other)).values_list("asker", "asked", "state")
    follow = Follow.objects.filter(follower=one, followed=other)
    block = Block.objects.filter(by=one, blocked=other)
    return friendship.union(
        follow.values_list("follower", "followed", Value("follows")),
        block.values_list("by", "blocked", Value("blocks")),
        all=True,
    )


_TIES = Prepared(_ties)


def are_friends(one: Any, other: Any) -> bool:
    """Return whether two people are friends; visitors (None, or anonymous) have none."""
    keys = getattr(one, "pk", None), getattr(other, "pk", None)
    return None not in keys and Friendship.objects.filter(_pair(one, other), state=State.FRIENDS).exists()


def friends_of(user: Any) -> QuerySet[User]:
    """Return somebody's friends by name; visitors (None, or anonymous) have none."""
    if getattr(user, "pk", None) is None:
        return User.objects.none()
    return User.objects.filter(is_friend_of(user.pk)).order_by("name_key")


def is_friend_of(key: int) -> Q:
    """Return the condition on people to be friends of the one with this key."""
    asked = Friendship.objects.filter(asker=key, state=State.FRIENDS).values("asked")
    asking = Friendship.objects.filter(asked=key, state=State.FRIENDS).values("asker")
    return Q(pk__in=asked) | Q(pk__in=asking)


def requests_to(user: User) -> QuerySet[User]:
    """Return who has asked somebody to be friends and waits for an answer, the latest first."""
    waiting = Q(requests_out__asked=user, requests_out__state=State.ASKED)
    return User.objects.filter(waiting).order_by("-requests_out__at")


def requests_by(user: User) -> QuerySet[User]:
    """Return whom somebody has asked and who has not accepted, the latest first."""
    waiting = Q(requests_in__asker=user, requests_in__state__in=(State.ASKED, State.DECLINED))
    return User.objects.filter(waiting).order_by("-requests_in__at")


# --- follows ----------------------------------------------------------------------------------------------------------


def follow(follower: User, other: User) -> None:
    """Follow somebody. Idempotent.

    Raises:
        ValidationError: "guest" if one of them is a guest, "self", "blocked" if the follower has blocked the other, or
            "too-many" who are followed.
    """
    _check(follower, other)
    with transaction.atomic():
        lock_people([follower.pk, other.pk])
        if is_following(follower, other):
            return
        if Follow.objects.filter(follower=follower).count() >= limits.FOLLOWED:
            text = _("You already follow %(count)d people, which is the limit. Stop following someone first.")
            raise ValidationError(text % {"count": limits.FOLLOWED}, code="too-many")
        _spend("follow", follower)
        Follow.objects.create(follower=follower, followed=other)


def unfollow(follower: User, other: User) -> None:
    """Stop following somebody. Idempotent."""
    Follow.objects.filter(follower=follower, followed=other).delete()


def is_following(follower: User, other: User) -> bool:
    """Return whether somebody follows another."""
    return Follow.objects.filter(follower=follower, followed=other).exists()


def followed_by(user: Any) -> QuerySet[User]:
    """Return whom somebody follows, by name; visitors follow nobody."""
    if getattr(user, "pk", None) is None:
        return User.objects.none()
    return User.objects.filter(followers__follower=user).order_by("name_key")


def hears_of(user: User, other: User) -> bool:
    """Return whether somebody is told what another does: as a friend, or as a follower unless there is a block."""
    return are_friends(user, other) or followers_of(other).filter(pk=user.pk).exists()


def followers_of(user: User) -> QuerySet[User]:
    """Return the followers who are told what somebody does: those without a block, by either of the two."""
    return User.objects.filter(follows__followed=user).exclude(pk__in=blocked_with(user))
