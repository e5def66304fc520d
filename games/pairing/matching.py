"""Who plays with whom, as a pure function over those who wait.

Rules. Nobody meets themselves, or somebody they must not meet. A pair is possible while its gap in rating is within
the mean of their two windows; a window widens with waiting, and from `Pace.patience` on it takes in everybody. All
players of a group are possible in pairs, accept its number of seats, and have an accepted value of each option in
common.

Cost. A pair costs its gap in rating, and `AGAIN` for each time these two have met lately; a group costs what its pairs
cost. First come, in the order in which they came, those whose patience is over, each with the first group that can be
completed: so nobody starves. Then larger groups before smaller ones, as they are harder to fill, each from the longest
waiting person on by adding the cheapest. Pairs are a matching of maximum weight: as many as possible, cheap ones, and
those who have waited first.

One call looks at `MOST` at a time, those who have waited longest first: pairs take O(MOST³), and
a group of k around each tries at most the combinations of k - 1 of the `NEAREST` cheapest others, of all `MOST` when
their patience is over. The first that fits is taken, so many are tried only where blocks or options forbid most of
them; what is left over is left to the next call. Only when none of them can begin it goes on with the next `MOST`, and
when nobody can, with those who came last, each together with anybody: so people who cannot meet hold nobody up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TypeAlias

MOST = 200
NEAREST = 24
AGAIN = 150.0
"""What meeting again costs, in points of rating."""

_SURE = 10_000.0
"""The weight of any pair: more than a cost, so that two pairs are better than one cheap pair."""

Pair: TypeAlias = tuple[int, int]
Accepted: TypeAlias = Mapping[str, frozenset[str]]
"""By option, the values somebody would play with."""


def pair_of(one: int, other: int) -> Pair:
    """Return the keys of two people, the smaller one first."""
    return (one, other) if one < other else (other, one)


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
"""How windows widen, by speed and rated: live within minutes, over days within hours; casual matches are wider."""


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
    """Return what two people both accept, None when they agree on no value of some option."""
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
    return [*_with_the_latest(_Free(order), rules)] if len(order) > MOST else []


def _among(free: _Free, rules: Rules) -> list[tuple[Waiter, ...]]:
    groups = [*_impatient(free, rules)]
    for size in sorted({size for waiter in free for size in waiter.seats if size > 2}, reverse=True):  # noqa: PLR2004
        groups += _groups(free, rules, size)
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


def _impatient(free: _Free, rules: Rules) -> Iterator[tuple[Waiter, ...]]:
    """Take a group for each of those whose patience is over, in their order."""
    for waiter in free:
        if waiter in free and waiter.waited >= rules.pace.patience:
            for size in sorted(waiter.seats, reverse=True):
                if group := _completed(waiter, size, free, rules, MOST):
                    yield free.take(group)
                    break


def _with_the_latest(free: _Free, rules: Rules) -> Iterator[tuple[Waiter, ...]]:
    """Take a group for each of those who came last, as large as possible."""
    for waiter in tuple(free)[-MOST:]:
        for size in sorted(waiter.seats, reverse=True):
            if waiter in free and (group := _completed(waiter, size, free, rules, NEAREST)):
                yield free.take(group)


def _groups(free: _Free, rules: Rules, size: int) -> Iterator[tuple[Waiter, ...]]:
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
