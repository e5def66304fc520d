"""Who plays with whom: a pure function over those who wait, and what it is given from the database.

Rules. Nobody meets themselves, or somebody they must not meet. A pair is possible while its gap in rating is within
the mean of their two windows; a window widens with waiting, and from `Pace.patience` on it takes in everybody. All
players of a group are possible in pairs, accept its number of seats, and have an accepted value of each option in
common.

Cost. A pair costs its gap in rating, and `AGAIN` for each time these two have met lately; a group costs what its pairs
cost.

Order. First those whose patience is over, in the order in which they came, each with the first group that can be
completed, so that nobody starves. Then larger groups before smaller ones, as they are harder to fill: around each
person, beginning with the one who has waited longest, by adding the cheapest. The rest in pairs: a matching of maximum
weight, with as many pairs as possible, cheap ones, and those who have waited longest.

Time. One call looks at `MOST` people at a time, those who have waited longest first. Pairs take O(MOST³). A group of k
around somebody tries at most the combinations of k - 1 of the `NEAREST` cheapest others, of all `MOST` when their
patience is over, and takes the first that fits, so that many are tried only where blocks or options forbid most of
them. Who is left over is left to the next call. Only if none of them can begin it goes on with the next `MOST`, and if
nobody can, with those who came last, each together with anybody: so people who cannot meet hold nobody up.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations
from math import inf
from statistics import median
from typing import Any, TypeAlias

from django.utils import timezone

from accounts.relations import blocked_pairs
from games.engine.elo import START
from games.matchmaking.limits import pair_of, played_enough
from games.matchmaking.lobby import shared
from games.pairing.models import Wait
from games.pairing.search import apart_after_lapses, cooling_down
from games.play.models import Match, Seat, Speed
from games.ratings.models import Rating, points

MOST = 200
NEAREST = 24
COUNTED = 5
"""How many seconds old the numbers of those who wait may be on pages."""
AGAIN = 150.0
"""What meeting again costs, in points of rating."""

_SURE = 10_000.0
"""The least weight of a pair: more than any cost, so that two pairs are better than one cheap pair."""

Pair: TypeAlias = tuple[int, int]
Accepted: TypeAlias = Mapping[str, frozenset[str]]
"""By option, the values somebody would play with."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How windows widen.

    Args:
        start: the window of somebody who has just come, in points of rating to either side.
        growth: points added per second.
        patience: seconds after which everybody is welcome.
    """

    start: float
    growth: float
    patience: float

    def window(self, waited: float) -> float:
        """Return how far away an opponent's rating may be after so many seconds; infinite for any.

        >>> pace = Pace(100, 5, 120)
        >>> pace.window(0), pace.window(60), pace.window(120)
        (100.0, 400.0, inf)
        """
        return inf if waited >= self.patience else float(self.start + self.growth * max(waited, 0))


PACES = {
    ("live", True): Pace(start=100, growth=5, patience=120),
    ("live", False): Pace(start=300, growth=10, patience=60),
    ("days", True): Pace(start=100, growth=600 / 21_600, patience=21_600),
    ("days", False): Pace(start=300, growth=600 / 7_200, patience=7_200),
}
"""How windows widen, by speed and rated: in live play within minutes, over days within hours."""


@dataclass(frozen=True, slots=True)
class Waiter:
    """Somebody who waits.

    Args:
        key: names this wait.
        person: who waits, perhaps several times.
        rating: in points.
        waited: for how many seconds.
        seats: the numbers of players they accept.
        accepts: what they accept of each option of the game.
    """

    key: int
    person: int
    rating: float
    waited: float
    seats: frozenset[int]
    accepts: Accepted = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Past:
    """What has happened between people.

    Args:
        never: those who must not meet.
        met: how often others have met lately.
    """

    never: Collection[Pair] = frozenset()
    met: Mapping[Pair, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rules:
    """Whether two people can meet, and what that costs."""

    pace: Pace
    past: Past

    def allow(self, one: Waiter, other: Waiter) -> bool:
        if one.person == other.person or pair_of(one.person, other.person) in self.past.never:
            return False
        windows = (self.pace.window(one.waited) + self.pace.window(other.waited)) / 2
        return abs(one.rating - other.rating) <= windows and common(one.accepts, other.accepts) is not None

    def cost(self, one: Waiter, other: Waiter) -> float:
        return abs(one.rating - other.rating) + AGAIN * self.past.met.get(pair_of(one.person, other.person), 0)

    def weight(self, one: Waiter, other: Waiter) -> float:
        return _SURE + one.waited + other.waited - self.cost(one, other)


def common(one: Accepted, other: Accepted) -> Accepted | None:
    """Return what two people both accept, None if they agree on no value of some option."""
    shared = {name: values & other.get(name, values) for name, values in {**other, **one}.items()}
    return shared if all(shared.values()) else None


def match(waiting: Iterable[Waiter], pace: Pace, past: Past = Past()) -> list[tuple[Waiter, ...]]:
    """Return the groups that can begin now; nobody is in two of them."""
    everybody, rules = sorted(waiting, key=lambda waiter: (-waiter.waited, waiter.key)), Rules(pace, past)
    first = {waiter.person: waiter for waiter in reversed(everybody)}
    order = [it for it in everybody if first[it.person] is it]
    for start in range(0, len(order), MOST):
        if found := _among(_Free(order[start : start + MOST]), rules):
            return found
    return [*_largest(order[-MOST:], _Free(order), rules, NEAREST)] if len(order) > MOST else []


def _among(free: _Free, rules: Rules) -> list[tuple[Waiter, ...]]:
    impatient = (waiter for waiter in free if waiter.waited >= rules.pace.patience)
    groups = [*_largest(impatient, free, rules, MOST)]
    for size in sorted({size for waiter in free for size in waiter.seats if size > 2}, reverse=True):  # noqa: PLR2004
        groups += _of_size(size, free, rules)
    return groups + _pairs(free, rules)


class _Free:
    """Those who are in no group yet, the longest waiting first."""

    def __init__(self, order: Iterable[Waiter]) -> None:
        self._left = {it.key: it for it in order}

    def __iter__(self) -> Iterator[Waiter]:
        return iter(tuple(self._left.values()))

    def __contains__(self, waiter: Waiter) -> bool:
        return waiter.key in self._left

    def take(self, group: Sequence[Waiter]) -> tuple[Waiter, ...]:
        for waiter in group:
            del self._left[waiter.key]
        return tuple(group)


def _largest(people: Iterable[Waiter], free: _Free, rules: Rules, most: int) -> Iterator[tuple[Waiter, ...]]:
    """Take a group for each of these people in their order, as large as possible."""
    for waiter in people:
        for size in sorted(waiter.seats, reverse=True):
            if waiter in free and (group := _completed(waiter, size, free, rules, most)):
                yield free.take(group)


def _of_size(size: int, free: _Free, rules: Rules) -> Iterator[tuple[Waiter, ...]]:
    for waiter in free:
        if waiter in free and size in waiter.seats and (group := _completed(waiter, size, free, rules, NEAREST)):
            yield free.take(group)


def _completed(first: Waiter, size: int, free: _Free, rules: Rules, most: int) -> Sequence[Waiter] | None:
    """Return a group of this size around somebody, None if there is none."""
    others = [it for it in free if size in it.seats and rules.allow(first, it)]
    others.sort(key=lambda other: rules.cost(first, other))
    return _grown([first], first.accepts, others[:most], size, rules)


def _grown(
    group: list[Waiter], accepts: Accepted, others: Sequence[Waiter], size: int, rules: Rules
) -> Sequence[Waiter] | None:
    if len(group) == size:
        return group
    for place, other in enumerate(others):
        shared = common(accepts, other.accepts)
        if shared is not None:
            rest = [it for it in others[place + 1 :] if rules.allow(other, it)]
            if found := _grown([*group, other], shared, rest, size, rules):
                return found
    return None


def _pairs(free: _Free, rules: Rules) -> list[tuple[Waiter, ...]]:
    """Take pairs: a matching of maximum weight between each person and those nearest to them in rating."""
    import networkx as nx  # noqa: PLC0415  # takes a fifth of a second, and only the worker comes here

    graph = nx.Graph()
    twos = sorted((it for it in free if 2 in it.seats), key=lambda it: it.rating)  # noqa: PLR2004  # a pair
    by_key = {it.key: it for it in twos}
    for place, one in enumerate(twos):
        near = [other for other in twos[place + 1 : place + 1 + NEAREST] if rules.allow(one, other)]
        graph.add_weighted_edges_from((one.key, other.key, rules.weight(one, other)) for other in near)
    found = sorted(tuple(sorted(edge)) for edge in nx.max_weight_matching(graph))
    return [free.take([by_key[key] for key in edge]) for edge in found]


# --- pools of people who look for the same ----------------------------------------------------------------------------

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
    """Return the pools in which somebody can be paired."""
    found = Wait.objects.free().order_by("game", "speed", "rated").values_list("game", "speed", "rated").distinct()
    return [Pool(game, Speed(speed), rated) for game, speed, rated in found]


def groups(pool: Pool, now: datetime, without: Collection[int] = ()) -> list[tuple[Waiter, ...]]:
    """Return the groups that could begin in a pool now, without the waits of these keys."""
    free = pool.waits().free().filter(user__is_active=True, user__bot_since=None).exclude(pk__in=without)
    rows = list(free.select_related("user").only("user__guest", "since", "seats", "accepts", "address"))
    if pool.speed == Speed.LIVE:
        resting = cooling_down(rows)
        rows = [row for row in rows if row.pk not in resting]
    if len(rows) < 2:  # noqa: PLR2004  # nobody to meet
        return []
    people = {row.user_id for row in rows}
    ratings = pool.ratings(people)
    waiting = [
        Waiter(
            key=row.pk,
            person=row.user_id,
            rating=ratings.get(row.user_id, points(START)),
            waited=(now - row.since).total_seconds(),
            seats=frozenset(row.seats),
            accepts={name: frozenset(values) for name, values in row.accepts.items()},
        )
        for row in rows
    ]
    past = past_of(pool, people, now)
    if pool.speed == Speed.LIVE:
        past = Past(never={*past.never, *apart_after_lapses(rows)}, met=past.met)
    return match(waiting, pool.pace, past)


def waiting_by_game(reader: Any) -> Counter[str]:
    """Return how many people other than the reader (a visitor: anonymous) wait for each game, at any speed.

    The numbers are at most `COUNTED` seconds old.
    """

    def load() -> list[tuple[str, int]]:
        waits = Wait.objects.current().filter(user__is_active=True)
        return list(waits.order_by().values_list("game", "user").distinct())

    waiting = shared("waiting", time.monotonic() - COUNTED, load)
    return Counter(game for game, user in waiting if user != reader.pk)


def past_of(pool: Pool, people: Collection[int], now: datetime) -> Past:
    """Return who must not meet whom, and who met lately."""
    lately = Seat.objects.filter(
        user__in=people,
        match__speed=pool.speed,
        match__started_at__gt=now - LATELY[pool.speed],
        match__status__in=(Match.Status.RUNNING, Match.Status.OVER),
    )
    tables: dict[int, list[int]] = {}
    for table, person in lately.order_by().values_list("match", "user"):
        tables.setdefault(table, []).append(person)
    met = Counter(pair_of(*two) for there in tables.values() for two in combinations(there, 2))
    enough = played_enough(people) if pool.rated else set()
    return Past(never={*blocked_pairs(people), *enough}, met=met)


# --- what somebody who waits is shown ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prospect:
    """What somebody who waits can expect.

    Args:
        others: how many others are waiting for the same.
        rating: their own, in points.
        window: how far away the rating of somebody who comes now may be; None for any.
        usual: the median wait of those who were paired lately; None while there are too few to say.
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
    """Return what somebody who waits can expect now."""
    pool = Pool(wait.game, Speed(wait.speed), wait.rated)
    window = pool.pace.window((timezone.now() - wait.since).total_seconds())
    mean = (window + pool.pace.window(0)) / 2
    paired = Wait.objects.filter(game=pool.game, speed=pool.speed, rated=pool.rated, state=Wait.State.PAIRED)
    latest = paired.filter(ended_at__gt=timezone.now() - _WEEK).order_by("-ended_at")[:_LATEST]
    times = [(ended - since).total_seconds() for since, ended in latest.values_list("since", "ended_at") if ended]
    return Prospect(
        others=pool.waits().exclude(user=wait.user_id).count(),
        rating=pool.ratings([wait.user_id]).get(wait.user_id, points(START)),
        window=None if mean == inf else round(mean),
        usual=timedelta(seconds=median(times)) if len(times) >= _FEW else None,
        counted=len(times),
    )
