"""How many people one person can ask, follow and block."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _

from accounts.models import Block, Follow, Friendship, User

REQUESTS: Final = 20
"""Requests for friendship from one person within `PERIOD`."""

PERIOD: Final = timedelta(days=1)

AGAIN: Final = timedelta(days=7)
"""After a request the same person can ask the same other only when this has passed."""

FOLLOWED: Final = 500
"""People whom one person follows."""

BLOCKED: Final = 2_000
"""People whom one person has blocked."""


def check_request(asker: User, former: Friendship | None) -> None:
    """Refuse a request for friendship: "again", too soon after the `former` one, or "too-many" in a day."""
    now = timezone.now()
    if former is not None and former.asker_id == asker.pk and former.at > now - AGAIN:
        raise ValidationError(_("You asked this person recently. Wait a week before you ask again."), code="again")
    latest = Friendship.objects.filter(asker=asker, at__gt=now - PERIOD).order_by("-at").values_list("at", flat=True)
    if len(asked := list(latest[:REQUESTS])) == REQUESTS:
        text = _("You have asked %(count)d people in a day. You can ask more in %(wait)s.")
        wait = timeuntil(asked[-1] + PERIOD + timedelta(seconds=59), depth=1)
        raise ValidationError(text % {"count": REQUESTS, "wait": wait}, code="too-many")


def check_follows(follower: User) -> None:
    """Refuse to follow more people than `FOLLOWED`: "too-many"."""
    if Follow.objects.filter(follower=follower).count() >= FOLLOWED:
        text = _("You already follow %(count)d people, which is the limit. Stop following somebody first.")
        raise ValidationError(text % {"count": FOLLOWED}, code="too-many")


def check_blocks(by: User) -> None:
    """Refuse to block more people than `BLOCKED`: "too-many"."""
    if Block.objects.filter(by=by).count() >= BLOCKED:
        text = _("You have already blocked %(count)d people, which is the limit. Unblock somebody first.")
        raise ValidationError(text % {"count": BLOCKED}, code="too-many")
