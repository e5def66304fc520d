"""What a table requires of those who sit down: a rating within its window, and turns taken on time.

It is asked twice: of one person who wants to sit down, and of all tables for a person who looks for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.relations import blocked_with, friends_of
from games.engine.elo import START
from games.engine.protocol import RuleViolation
from games.matchmaking.kept import closed_to_strangers, has_open_seat
from games.matchmaking.models import Invitation, Removal
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
    if match.rating_from is not None or match.rating_to is not None:
        _check_rating(match, _ratings_of(user).get((match.game, match.speed), NEWCOMER))
    if match.reliability and not reliability_of(user).suffices(match.reliability):
        raise RuleViolation("unreliable", _("This table is for players who finish more of their turns on time."))


def _check_rating(match: Match, rating: int) -> None:
    if not is_within(match, rating):
        text = _("This table is for other ratings. Yours counts as %(rating)d here.")
        raise RuleViolation("rating", text % {"rating": rating})


def _ratings_of(user: Any) -> dict[tuple[str, str], int]:
    rows = Rating.objects.filter(user=user, games__gt=0).values_list("game", "speed", "rating")
    return {(game, speed): points(rating) for game, speed, rating in rows}


def is_within(match: Match, rating: int) -> bool:
    """Return whether a rating lies within a table's window."""
    return (match.rating_from or 0) <= rating and (match.rating_to is None or rating <= match.rating_to)


_AHEAD = (Match.Status.PLANNED, Match.Status.OPEN)


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who looks for a table.

    Args:
        user: a guest or a member.
        ratings: in whole points, by game and speed.
        in_time: the percentage of turns they took on time, as `Reliability.in_time`.
        invited, removed: the tables to which they are invited, and from which they were removed.
        apart: people from whom a block keeps them apart.
        close: their friends.
    """

    user: Any
    ratings: Mapping[tuple[str, str], int] = field(default_factory=dict)
    in_time: int | None = None
    invited: frozenset[int] = frozenset()
    removed: frozenset[int] = frozenset()
    apart: frozenset[int] = frozenset()
    close: frozenset[int] = frozenset()

    def rating(self, game: str, speed: str) -> int:
        """Return the rating that counts for them."""
        return self.ratings.get((game, speed), NEWCOMER)


def reader_of(user: Any) -> Reader:
    """Return somebody with all that decides at which tables they could sit down."""
    fresh = Invitation.objects.filter(user=user, withheld=False, expires_at__gt=timezone.now())
    return Reader(
        user,
        _ratings_of(user),
        reliability_of(user).in_time,
        frozenset(fresh.filter(match__status__in=_AHEAD).values_list("match", flat=True)),
        frozenset(Removal.objects.filter(user=user, match__status__in=_AHEAD).values_list("match", flat=True)),
        frozenset(blocked_with(user)),
        frozenset(friends_of(user).values_list("pk", flat=True)),
    )


def could_come(match: Match, reader: Reader) -> bool:
    """Return whether a seat could be kept for somebody at a planned table, which has its `promises`."""
    people = {promise.user_id for promise in match.promises.all()}
    if reader.user.guest or len(people) >= match.seat_count or people & reader.apart:
        return False
    return _fits(match, reader)


def could_sit(match: Match, reader: Reader) -> bool:
    """Return whether somebody could sit down at an open table that they can see, which has its `seats`, `promises`."""
    seats, coming = list(match.seats.all()), {promise.user_id for promise in match.promises.all()}
    there = {seat.user_id for seat in seats}
    if reader.user.pk in there or (there | coming) & reader.apart or len(seats) >= match.seat_count:
        return False
    if reader.user.pk in coming:
        return True
    free = len(seats) + len(coming) < match.seat_count
    return free and not (match.rated and reader.user.guest) and _fits(match, reader)


def _fits(match: Match, reader: Reader) -> bool:
    """Return whether a table lets somebody in, if it has a seat."""
    if match.pk in reader.removed:
        return False
    if match.pk in reader.invited:
        return True
    reliable = reader.in_time is None or reader.in_time >= match.reliability
    if not (reliable and is_within(match, reader.rating(match.game, match.speed))):
        return False
    return match.host_id in reader.close or has_open_seat(match)


def joinable(tables: MatchQuerySet, reader: Reader, game: str, speed: str) -> MatchQuerySet:
    """Return those of the tables of a game and speed at which somebody could sit down."""
    rating = reader.rating(game, speed)
    window = Q(rating_from=None) | Q(rating_from__lte=rating), Q(rating_to=None) | Q(rating_to__gte=rating)
    reliable = Q() if reader.in_time is None else Q(reliability__lte=reader.in_time)
    kept_out = Q(Exists(Seat.objects.filter(match=OuterRef("pk"), user=reader.user))) | Q(pk__in=reader.removed)
    if reader.apart:
        kept_out |= Q(Exists(Seat.objects.filter(match=OuterRef("pk"), user__in=reader.apart)))
    asked = Q(pk__in=reader.invited) | Q(*window, reliable)
    kept_out |= closed_to_strangers(reader.invited, reader.close)
    fitting = tables.filter(asked).exclude(kept_out)
    return fitting.filter(rated=False) if reader.user.guest else fitting
