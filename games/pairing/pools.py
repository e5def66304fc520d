"""Those who wait for the same game, speed, and kind: what the pure pairing is asked, and what people are told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from math import inf
from statistics import median
from typing import Any

from django.utils import timezone

from accounts.relations import blocked_pairs
from games.engine.elo import START
from games.matchmaking.counting import played_enough
from games.pairing import rests
from games.pairing.matching import PACES, Pace, Pair, Past, Waiter, match, pair_of
from games.pairing.models import Wait
from games.play.models import Match, Seat, Speed
from games.ratings.models import Rating, points

LATELY = {Speed.LIVE: timedelta(hours=6), Speed.DAYS: timedelta(days=7)}
"""How long somebody counts as a recent opponent."""

_WEEK = timedelta(days=7)
_LATEST = 20
_FEW = 5


@dataclass(frozen=True, slots=True)
class Pool:
    """Those who wait for the same."""

    game: str
    speed: Speed
    rated: bool

    @classmethod
    def of(cls, wait: Wait) -> Pool:
        return cls(wait.game, Speed(wait.speed), wait.rated)

    @property
    def pace(self) -> Pace:
        return PACES[self.speed, self.rated]

    def waits(self) -> Any:
        """Return everybody who waits here, asked or not."""
        return Wait.objects.current().filter(game=self.game, speed=self.speed, rated=self.rated)

    def ratings(self, people: Collection[int]) -> dict[int, int]:
        """Return the ratings of these people in points; those who have none are left out."""
        rows = Rating.objects.filter(user__in=people, game=self.game, speed=self.speed)
        return {person: points(rating) for person, rating in rows.values_list("user", "rating")}


def pools() -> list[Pool]:
    """Return where people wait who can be paired."""
    found = Wait.objects.free().order_by("game", "speed", "rated").values_list("game", "speed", "rated").distinct()
    return [Pool(game, Speed(speed), rated) for game, speed, rated in found]


def groups(pool: Pool, now: datetime, without: Collection[int] = ()) -> list[tuple[Waiter, ...]]:
    """Return who could begin in a pool now, except the waits of these keys."""
    free = pool.waits().free().filter(user__is_active=True).exclude(pk__in=without)
    rows = list(free.select_related("user").only("user__guest", "since", "seats", "accepts", "address"))
    if pool.speed == Speed.LIVE:
        resting = rests.at_rest(rows)
        rows = [row for row in rows if row.pk not in resting]
    if len(rows) < 2:  # noqa: PLR2004  # nobody to meet
        return []
    people = {row.user_id for row in rows}
    ratings = pool.ratings(people)
    waiting = [waiter_of(row, ratings.get(row.user_id, points(START)), now) for row in rows]
    past = past_of(pool, people, now)
    if pool.speed == Speed.LIVE:
        past = Past(never={*past.never, *rests.apart(rows)}, met=past.met)
    return match(waiting, pool.pace, past)


def waiter_of(wait: Wait, rating: float, now: datetime) -> Waiter:
    return Waiter(
        key=wait.pk,
        person=wait.user_id,
        rating=rating,
        waited=(now - wait.since).total_seconds(),
        seats=frozenset(wait.seats),
        accepts={name: frozenset(values) for name, values in wait.accepts.items()},
    )


def waiting_by_game(reader: Any) -> Counter[str]:
    """Return how many people other than the reader (a visitor: anonymous) wait for each game, at any speed."""
    waits = Wait.objects.current().filter(user__is_active=True).exclude(user=reader.pk)
    return Counter(game for game, _user in waits.order_by().values_list("game", "user").distinct())


# --- what lies between people -----------------------------------------------------------------------------------------


def past_of(pool: Pool, people: Collection[int], now: datetime) -> Past:
    """Return who must not meet whom, and who met lately."""
    met = Counter(_pairs(_common(people, now - LATELY[pool.speed]).filter(match__speed=pool.speed)))
    enough = played_enough(people) if pool.rated else set()
    return Past(never={*blocked_pairs(people), *enough}, met=met)


def _common(people: Collection[int], since: datetime) -> Any:
    counted = (Match.Status.RUNNING, Match.Status.OVER)
    return Seat.objects.filter(user__in=people, match__started_at__gt=since, match__status__in=counted)


def _pairs(seats: Any) -> Iterable[Pair]:
    tables: dict[int, list[int]] = {}
    for table, person in seats.order_by().values_list("match", "user"):
        tables.setdefault(table, []).append(person)
    return (pair_of(*two) for people in tables.values() for two in combinations(people, 2))


# --- what people are told ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prospect:
    """What can honestly be said to somebody who waits.

    Args:
        others: how many others are waiting for the same.
        rating: their own, in points.
        window: how far away the rating of somebody who comes now may be; None for any.
        usual: how long half of those who were paired lately waited at most; None while there are too few to say.
        counted: how many those were.
    """

    others: int
    rating: int
    window: int | None
    usual: timedelta | None
    counted: int

    @property
    def lowest(self) -> int:
        return max(self.rating - (self.window or 0), 0)

    @property
    def highest(self) -> int:
        return self.rating + (self.window or 0)


def prospect(wait: Wait) -> Prospect:
    """Return what can be said about a wait now."""
    pool = Pool.of(wait)
    window = pool.pace.window((timezone.now() - wait.since).total_seconds())
    mean = (window + pool.pace.window(0)) / 2
    times = _waited_lately(pool)
    return Prospect(
        others=pool.waits().exclude(user=wait.user_id).count(),
        rating=pool.ratings([wait.user_id]).get(wait.user_id, points(START)),
        window=None if mean == inf else round(mean),
        usual=timedelta(seconds=median(times)) if len(times) >= _FEW else None,
        counted=len(times),
    )


def _waited_lately(pool: Pool) -> list[float]:
    paired = Wait.objects.filter(game=pool.game, speed=pool.speed, rated=pool.rated, state=Wait.State.PAIRED)
    latest = paired.filter(ended_at__gt=timezone.now() - _WEEK).order_by("-ended_at")[:_LATEST]
    return [(ended - since).total_seconds() for since, ended in latest.values_list("since", "ended_at") if ended]
