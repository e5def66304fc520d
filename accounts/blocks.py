"""Blocks: who wants nothing to do with whom. Every part of the site asks here.

A block works both ways: two people are kept apart whoever of them blocked the other. Nobody is told, so whatever is
refused because of a block must look to both as it would look between strangers, and what the blocked one has seen
before stays as it was.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts import limits
from accounts.models import Block, Follow, Friendship, User
from accounts.signals import blocked

State = Friendship.State


def block(by: User, other: User) -> None:
    """Block somebody. Their friendship ends, and so does what `by` follows of them and asked them; do nothing if done.

    What the other asked or follows looks to them as before: it waits in vain.

    Raises:
        ValidationError: "self", or "too-many" who are blocked already.
    """
    if by.pk == other.pk:
        raise ValidationError(_("You can’t block yourself."), code="self")
    with transaction.atomic():
        lock_people([by.pk, other.pk])
        if not Block.objects.filter(by=by, blocked=other).exists():
            _check_blocks(by)
            _keep_apart(by, other)


def _check_blocks(by: User) -> None:
    """Refuse to block more people than one can, or too many in a short time: "too-many"."""
    if Block.objects.filter(by=by).count() >= limits.BLOCKED:
        text = _("You have already blocked %(count)d people, which is the limit. Unblock somebody first.")
        raise ValidationError(text % {"count": limits.BLOCKED}, code="too-many")
    try:
        limits.spend("block", by)
    except limits.TooMany as error:
        raise ValidationError(error.text, code="too-many") from error


def _keep_apart(by: User, other: User) -> None:
    Block.objects.get_or_create(by=by, blocked=other)
    _part(by, other)
    blocked.send(Block, by=by, other=other)


def _part(by: User, other: User) -> None:
    Follow.objects.filter(follower=by, followed=other).delete()
    Friendship.objects.filter(asker=other, asked=by, state=State.ASKED).update(state=State.DECLINED)
    Friendship.objects.filter(asker=by, asked=other).update(state=State.OVER)
    Friendship.objects.filter(asker=other, asked=by, state=State.FRIENDS).update(state=State.OVER)


def unblock(by: User, other: User) -> None:
    """Lift a block; do nothing if there is none."""
    Block.objects.filter(by=by, blocked=other).delete()


def hand_over(guest: User, user: User) -> None:
    """Let a user have the blocks of a guest, and those of the guest by others, inside a transaction."""
    for row in Block.objects.filter(by=guest).exclude(blocked=user).select_related("blocked"):
        _keep_apart(user, row.blocked)
    for row in Block.objects.filter(blocked=guest).exclude(by=user).select_related("by"):
        _keep_apart(row.by, user)


def lock_people(keys: Iterable[int | None]) -> None:
    """Lock people inside a transaction, always in the same order.

    Nobody blocks anybody of them meanwhile, and what is counted for them does not change.

    Args:
        keys: of the people; None for a seat without one.
    """
    found = User.objects.select_for_update(no_key=True).filter(pk__in=[key for key in keys if key])
    list(found.order_by("pk").values_list("pk"))


def has_blocked(by: User, other: User) -> bool:
    """Return whether `by` has blocked the other: for their own pages only."""
    return Block.objects.filter(by=by, blocked=other).exists()


def blocked_by(user: User) -> QuerySet[User]:
    """Return whom somebody has blocked, the latest first: for their own pages only."""
    return User.objects.filter(blocked_by__by=user).order_by("-blocked_by__at", "-blocked_by__pk")


def blocked_among(by: Any, others: Iterable[int | None]) -> User | None:
    """Return somebody of these people whom `by` has blocked, None if there is nobody: for their own pages only."""
    keys = [key for key in others if key is not None]
    return User.objects.filter(pk__in=keys, blocked_by__by=by.pk).order_by("pk").first() if keys else None


def is_blocked_between(one: Any, other: Any) -> bool:
    """Return whether one of two people has blocked the other. Visitors (None, or anonymous) are blocked by nobody."""
    keys = getattr(one, "pk", None), getattr(other, "pk", None)
    return None not in keys and bool(blocked_pairs(key for key in keys if key is not None))


def is_blocked_with_any(user: Any, others: Iterable[int | None]) -> bool:
    """Return whether somebody (a visitor: None, or anonymous) and one of these people are to be kept apart."""
    keys = [key for key in others if key is not None]
    return bool(keys) and Block.objects.filter(_between(getattr(user, "pk", None), keys)).exists()


def blocked_with(user: Any) -> set[int]:
    """Return the keys of all people whom somebody (a visitor: None, or anonymous) has blocked or is blocked by."""
    key = getattr(user, "pk", None)
    if key is None:
        return set()
    pairs = Block.objects.filter(Q(by=key) | Q(blocked=key)).values_list("by", "blocked")
    return {one for pair in pairs for one in pair} - {key}


def sides_of(user: Any) -> tuple[set[int], Mapping[int, datetime]]:
    """Return the keys of those whom somebody has blocked, and of those who have blocked them, with the moment.

    The latter are for keeping that from them: what they have seen before stays as it was.
    """
    rows = Block.objects.filter(Q(by=user.pk) | Q(blocked=user.pk)).values_list("by", "blocked", "at")
    own = {blocked for by, blocked, _at in rows if by == user.pk}
    return own, {by: at for by, _blocked, at in rows if by != user.pk}


def blocked_pairs(keys: Iterable[int]) -> set[tuple[int, int]]:
    """Return which of these people are to be kept apart, as pairs of keys, the smaller key first; one query."""
    among = set(keys)
    pairs = Block.objects.filter(by__in=among, blocked__in=among).values_list("by", "blocked")
    return {(min(pair), max(pair)) for pair in pairs}


def _between(key: int | None, others: Collection[int]) -> Q:
    return Q(by=key, blocked__in=others) | Q(blocked=key, by__in=others)
