"""How reviews begin: by themselves when a match ends, or because somebody asks for one of an earlier match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from accounts.limits import spend
from accounts.models import User
from games.bots import services as bots
from games.play.models import Match, Seat
from games.review.judge import steps_of
from games.review.models import Review

MOST_UNDER_WAY: Final = 3
"""Reviews that one person who asked for them can have under way."""

MOST_WAITING: Final = 200
"""Reviews under way, half an hour's work of one process. While there are more, none begins by itself."""


class TooManyUnderWay(Exception):
    """A person has so many reviews under way that no other one begins; the text says so."""


def begin(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Begin the review of a match that has just ended (`match_over`), unless too many wait to be made."""
    if _under_way().count() < MOST_WAITING:
        Review.objects.bulk_create([Review(match=match, steps=steps_of(match.length))], ignore_conflicts=True)
        bots.call()


def ask(match: Match, person: User) -> None:
    """Begin the review of a match that is over, if it has none yet.

    Raises:
        TooManyUnderWay: the person waits for others.
        TooMany: the person has asked too often.
    """
    if _under_way().filter(asked_by=person.pk).exclude(match=match).count() >= MOST_UNDER_WAY:
        raise TooManyUnderWay(_("Three reviews are already under way for you. Wait until one is done."))
    spend("review", person)
    asked = {"asked_by_id": person.pk, "steps": steps_of(match.length)}
    Review.objects.get_or_create(match=match, defaults=asked)
    bots.call()


def _under_way() -> QuerySet[Review]:
    return Review.objects.filter(done__lt=F("steps"))
