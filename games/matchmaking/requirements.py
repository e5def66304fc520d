"""What a table requires of those who sit down, and for whom its free seats are reserved.

A planned table reserves a seat for everybody who said they would come (`models.Promise`). A host can reserve seats for
friends and invited players (`Match.kept`), who may also take the other seats once those are taken. Rating windows and
turns taken on time are checked in two ways: for one person who wants to sit down, and in a query for all tables that a
person could join.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Case, Count, Exists, F, IntegerField, OuterRef, Q, Subquery, When
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Friendship
from accounts.relations import Circle, are_friends, circle_of, friends_of
from games.engine.elo import START
from games.engine.protocol import RuleViolation
from games.matchmaking.models import Invitation, Promise, Removal
from games.matchmaking.signals import promise_ended, promised
from games.play.models import Match, MatchQuerySet, Seat
from games.play.reliability import reliability_of
from games.ratings.models import Rating, points

# --- promised seats of planned tables ---------------------------------------------------------------------------------


def promise_seat(match: Match, user: Any) -> None:
    """Reserve a seat at a locked table for somebody who said they would come."""
    Promise.objects.create(match=match, user=user)
    promised.send(Match, match=match, user=user)


def is_coming(match: Match, user: Any) -> bool:
    """Return whether a seat is reserved for somebody."""
    return match.opens_at is not None and match.promises.filter(user=user).exists()


def count_promises(match: Match) -> int:
    """Return how many seats are promised at a table; none at one that was not planned."""
    return match.promises.count() if match.opens_at is not None else 0


def promised_to(match: Match) -> list[int]:
    """Return the keys of those to whom seats are promised."""
    return list(match.promises.values_list("user", flat=True)) if match.opens_at is not None else []


def end_promises(match: Match, people: Iterable[Any]) -> None:
    """Take back the promises to these people."""
    gone = list(people)
    match.promises.filter(user__in=gone).delete()
    promise_ended.send(Match, match=match, people=gone)


def end_all_promises(match: Match) -> list[Any]:
    """Take back all promises of a table; return to whom they were made."""
    people = [promise.user for promise in match.promises.select_related("user")] if match.opens_at else []
    if people:
        end_promises(match, people)
    return people


# --- seats kept for friends of the host -------------------------------------------------------------------------------

OPEN_SEATS = 2
"""Seats that cannot be kept for friends: the host's, and one for somebody else."""


def check_kept(count: int, seats: int) -> None:
    """Refuse to keep so many of the seats of a table: "kept"."""
    if count < 0 or (count and count > seats - OPEN_SEATS):
        text = _("Leave at least one seat for others, or choose a table for friends alone.")
        raise RuleViolation("kept", text)


def check_open_seat(match: Match, user: Any) -> None:
    """Refuse somebody who is no friend of the host when all free seats are kept for friends: "seats-for-friends"."""
    if not has_open_seat(match) and not are_friends(match.host, user):
        raise RuleViolation("seats-for-friends", _("The free seats are kept for friends of the host."))


def has_open_seat(match: Match) -> bool:
    """Return whether the kept seats leave one for others, at a table with a free seat."""
    return not match.kept or _taken_by_others(match) < match.seat_count - match.kept


def still_kept(match: Match, taken: int) -> int:
    """Return how many of the free seats of a table are kept for friends.

    Args:
        match: open or planned.
        taken: how many seats are taken, or promised.
    """
    if not match.kept:
        return 0
    free = match.seat_count - taken
    return free - min(free, max(0, match.seat_count - match.kept - _taken_by_others(match)))


def _taken_by_others(match: Match) -> int:
    """Return how many seats are taken by the host, bots and people for whom none is kept."""
    there = [*match.seats.values_list("user", flat=True), *promised_to(match)]
    people = [key for key in there if key is not None]
    known = friends_of(match.host).filter(pk__in=people).values_list("pk", flat=True)
    invited = match.invitations.filter(user__in=people).exclude(user=match.host_id).values_list("user", flat=True)
    return len(there) - len({*known, *invited})


def closed_to_strangers(invited: Iterable[int], close: Iterable[int]) -> Q:
    """Return the condition on tables whose free seats are all kept for people other than a reader.

    Args:
        invited: the tables to which the reader is invited.
        close: the reader's friends.
    """
    one = Q(asker=OuterRef("match__host"), asked=OuterRef("user"))
    other = Q(asked=OuterRef("match__host"), asker=OuterRef("user"))
    friend_of_host = Exists(Friendship.objects.filter(one | other, state=Friendship.State.FRIENDS))
    was_invited = Exists(Invitation.objects.filter(match=OuterRef("match"), user=OuterRef("user")))
    there = Seat.objects.filter(match=OuterRef("pk")).exclude(Q(friend_of_host) | Q(was_invited))
    others = Coalesce(Subquery(there.order_by().values("match").annotate(count=Count("pk")).values("count")), 0)
    full = Q(kept__gt=0, seat_count__lte=others + F("kept"))
    return full & ~Q(pk__in=invited) & ~Q(host__in=close)


# --- ratings and turns on time ----------------------------------------------------------------------------------------

RATINGS = range(100, 4001)
"""The ends that a rating window can have."""

NEWCOMER = points(START)
"""The rating that counts for somebody who has none yet for a game and speed."""


def check_window(least: int | None, most: int | None) -> None:
    """Refuse a rating window that contains no rating: "rating-window"."""
    ends = [end for end in (least, most) if end is not None]
    if any(end not in RATINGS for end in ends) or (len(ends) == len((least, most)) and ends[0] > ends[1]):
        raise RuleViolation("rating-window", _("The highest rating must not be below the lowest one."))


def check_meets(match: Match, user: Any) -> None:
    """Refuse somebody who does not meet what a table requires.

    Raises:
        RuleViolation: "rating" outside of its window, or "unreliable" after too many missed turns.
    """
    if match.rating_from is not None or match.rating_to is not None:
        rating = _ratings_of(user).get((match.game, match.speed), NEWCOMER)
        if not is_within(match, rating):
            text = _("This table is for other ratings. Yours counts as %(rating)d here.")
            raise RuleViolation("rating", text % {"rating": rating})
    if match.reliability and not reliability_of(user).suffices(match.reliability):
        raise RuleViolation("unreliable", _("This table is for players who finish more of their turns on time."))


def _ratings_of(user: Any) -> dict[tuple[str, str], int]:
    rows = Rating.objects.filter(user=user, games__gt=0).values_list("game", "speed", "rating")
    return {(game, speed): points(rating) for game, speed, rating in rows}


def is_within(match: Match, rating: int) -> bool:
    """Return whether a rating lies within a table's window."""
    return (match.rating_from or 0) <= rating and (match.rating_to is None or rating <= match.rating_to)


# --- what a reader could join -----------------------------------------------------------------------------------------

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


def reader_of(user: Any, circle: Circle | None = None) -> Reader:
    """Load everything about somebody that decides at which tables they could sit down.

    Args:
        user: who it is.
        circle: the people around them, if they are loaded.
    """
    fresh = Invitation.objects.filter(user=user, withheld=False, expires_at__gt=timezone.now())
    circle = circle or circle_of(user)
    return Reader(
        user,
        _ratings_of(user),
        reliability_of(user).in_time,
        frozenset(fresh.filter(match__status__in=_AHEAD).values_list("match", flat=True)),
        frozenset(Removal.objects.filter(user=user, match__status__in=_AHEAD).values_list("match", flat=True)),
        frozenset(circle.apart),
        frozenset(circle.friends),
    )


def could_come(match: Match, reader: Reader) -> bool:
    """Return whether a seat could be kept for somebody at a planned table, loaded with its `promises`."""
    people = {promise.user_id for promise in match.promises.all()}
    if reader.user.guest or len(people) >= match.seat_count or people & reader.apart:
        return False
    return _suits(match, reader) and _fits(match, reader)


def could_sit(match: Match, reader: Reader) -> bool:
    """Return whether somebody could sit down at an open table they see, loaded with `seats` and `promises`."""
    seats, coming = list(match.seats.all()), {promise.user_id for promise in match.promises.all()}
    there = {seat.user_id for seat in seats}
    if reader.user.pk in there or (there | coming) & reader.apart or len(seats) >= match.seat_count:
        return False
    if reader.user.pk in coming:
        return True
    free = len(seats) + len(coming) < match.seat_count
    return free and not (match.rated and reader.user.guest) and _suits(match, reader) and _fits(match, reader)


def _suits(match: Match, reader: Reader) -> bool:
    """Return whether a table, loaded with its host, would not be a rated one of people and bots with the reader."""
    return not match.rated or match.host is None or match.host.is_bot == reader.user.is_bot


def _fits(match: Match, reader: Reader) -> bool:
    """Return whether a table with a free seat lets somebody in."""
    if match.pk in reader.removed:
        return False
    if match.pk in reader.invited:
        return True
    reliable = reader.in_time is None or reader.in_time >= match.reliability
    if not (reliable and is_within(match, reader.rating(match.game, match.speed))):
        return False
    return match.host_id in reader.close or has_open_seat(match)


def joinable(tables: MatchQuerySet, reader: Reader) -> MatchQuerySet:
    """Filter open tables to those at which somebody could sit down."""
    own = (When(game=game, speed=speed, then=rating) for (game, speed), rating in reader.ratings.items())
    rating = Case(*own, default=NEWCOMER, output_field=IntegerField())
    within = Q(rating_from=None) | Q(rating_from__lte=rating), Q(rating_to=None) | Q(rating_to__gte=rating)
    reliable = Q() if reader.in_time is None else Q(reliability__lte=reader.in_time)
    kept_out = Q(Exists(Seat.objects.filter(match=OuterRef("pk"), user=reader.user))) | Q(pk__in=reader.removed)
    if reader.apart:
        kept_out |= Q(Exists(Seat.objects.filter(match=OuterRef("pk"), user__in=reader.apart)))
    asked = Q(pk__in=reader.invited) | Q(*within, reliable)
    kept_out |= Q(rated=True, host__isnull=False, host__bot_since__isnull=reader.user.is_bot)
    kept_out |= closed_to_strangers(reader.invited, reader.close)
    fitting = tables.filter(asked).exclude(kept_out)
    return fitting.filter(rated=False) if reader.user.guest else fitting
