"""What a table requires of those who sit down: a rating within its window, and turns taken on time.

It is asked twice: of one person who wants to sit down, and of all tables for a person who looks for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from accounts.blocks import blocked_with
from games.engine.elo import START
from games.engine.protocol import RuleViolation
from games.matchmaking.models import Removal
from games.play.matches.reliability import reliability_of
from games.play.models import Match, MatchQuerySet, Seat
from games.ratings.models import Rating, points

RATINGS = range(100, 4001)
"""The ends that a rating window can have."""

NEWCOMER = points(START)
"""The rating that counts for somebody who has none yet in a game and speed."""


def check_window(least: int | None, most: int | None) -> None:
    """Refuse a rating window that nobody fits into: "rating-window"."""
    ends = [end for end in (least, most) if end is not None]
    if any(end not in RATINGS for end in ends) or (len(ends) == len((least, most)) and ends[0] > ends[1]):
        raise RuleViolation("rating-window", _("The highest rating must not be below the lowest one."))


def check_meets(match: Match, user: Any) -> None:
    """Refuse somebody who does not meet what a table requires.

    Raises:
        RuleViolation: "rating" outside of its window, or "unreliable" after too many missed turns.
    """
    reader = reader_of(user)
    rating = reader.rating(match.game, match.speed)
    if not is_within(match, rating):
        text = _("This table is for other ratings. Yours counts as %(rating)d here.")
        raise RuleViolation("rating", text % {"rating": rating})
    if match.reliability and not reliability_of(user).suffices(match.reliability):
        raise RuleViolation("unreliable", _("This table is for players who finish more of their turns on time."))


def is_within(match: Match, rating: int) -> bool:
    """Return whether a rating lies within a table's window."""
    return (match.rating_from or 0) <= rating and (match.rating_to is None or rating <= match.rating_to)


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who looks for a table.

    Args:
        user: a guest or a member.
        ratings: in whole points, by game and speed.
    """

    user: Any
    ratings: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def rating(self, game: str, speed: str) -> int:
        """Return the rating that counts for them."""
        return self.ratings.get((game, speed), NEWCOMER)


def reader_of(user: Any) -> Reader:
    """Return somebody with their ratings."""
    rows = Rating.objects.filter(user=user, games__gt=0).values_list("game", "speed", "rating")
    return Reader(user, {(game, speed): points(rating) for game, speed, rating in rows})


def joinable(tables: MatchQuerySet, reader: Reader, game: str, speed: str) -> MatchQuerySet:
    """Return those of the tables of a game and speed at which somebody could sit down."""
    rating = reader.rating(game, speed)
    window = Q(rating_from=None) | Q(rating_from__lte=rating), Q(rating_to=None) | Q(rating_to__gte=rating)
    in_time = reliability_of(reader.user).in_time
    reliable = Q() if in_time is None else Q(reliability__lte=in_time)
    here = {"match": OuterRef("pk"), "user": reader.user}
    kept_out = Q(Exists(Seat.objects.filter(**here))) | Q(Exists(Removal.objects.filter(**here)))
    if apart := blocked_with(reader.user):
        kept_out |= Q(Exists(Seat.objects.filter(match=OuterRef("pk"), user__in=apart)))
    fitting = tables.filter(*window, reliable).exclude(kept_out)
    return fitting.filter(rated=False) if reader.user.guest else fitting
