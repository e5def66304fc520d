"""Who meets whom: the people of a round in heats, as few of them as possible again, near each other in the standings.

A heat costs 1000 for each two in it who have met once, 1000 times the cube of how often if more often, and the square
of its spread: how far apart its first and its last stand. Those who must not meet never do: whoever would sit with
them and finds no other place sits out.

Two seats: a matching of the least cost. It looks at 12 people at a time, in their order, and at twice and four times
as many where that leaves somebody over or lets two meet again. Of matchings that cost the same it takes the one whose
numbers add up to the least: that of two people is the product of what was drawn for them modulo 65,521. So it does not
matter which program looks for it.

More seats: the order is cut into heats, then two people of near heats change places as long as that lowers the cost;
of all heats where near ones do not help.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import accumulate, combinations, islice, pairwise
from math import inf
from typing import Final, TypeAlias, TypeVar

from games.events.formats.event import Chance, Heat, Pair, Player, next_round

Group: TypeAlias = tuple[int, ...]
"""The people of a heat, before they have seats."""

T = TypeVar("T")

Arrange: TypeAlias = Callable[[Sequence[int], Sequence[int]], list[Group]]
"""What puts people, given in their order, in heats of these sizes, without byes; `groups` in most formats."""

AGAIN: Final = 1000
NEAR: Final = 3
BLOCKS: Final = (12, 24, 48)
TURNS: Final = 16
"""In how many heats, added up, people are put in other orders where some still meet again."""
EQUALS: Final = 65_521
"""A prime; see above."""

_TRIED: Final = 20
"""How many ways to choose who has a bye are tried where people are kept apart."""


def met(heats: Iterable[Heat]) -> Counter[Pair]:
    """Return how often people have met, or are going to; a heat that ended without a match is no meeting."""
    meetings = (heat for heat in heats if heat.begun_at is not None or not heat.is_over)
    return meetings_in(heat.people for heat in meetings)


def meetings_in(groups: Iterable[Group]) -> Counter[Pair]:
    """Return how often people meet in these groups."""
    return Counter(frozenset(two) for group in groups for two in combinations(group, 2))


def drawn(players: Sequence[Player], chance: Chance) -> dict[int, int]:
    """Return the number drawn for each of these people, who come in the order of entry: below 2^32, "r:pair"."""
    numbers = chance.many_below("pair", 2**32, len(players))
    return {player.person: number for player, number in zip(players, numbers, strict=True)}


@dataclass(frozen=True)
class Company:
    """What is known of those who are to meet.

    Args:
        numbers: what was drawn for each, see `drawn`.
        level: how each stands; what lies between two of these numbers is how far apart they are.
        met: how often they have met.
        apart: who must not meet; it costs as much as if they had met a thousand times.
    """

    numbers: Mapping[int, int]
    level: Mapping[int, int] = field(default_factory=dict)
    met: Mapping[Pair, int] = field(default_factory=dict)
    apart: Collection[Pair] = frozenset()

    @cached_property
    def again(self) -> Mapping[int, Mapping[int, int]]:
        """What it costs that two people meet, by one and then by the other; left out where it costs nothing."""
        times = {**self.met, **dict.fromkeys(self.apart, 1000)}
        found: dict[int, dict[int, int]] = {person: {} for person in self.numbers}
        for (one, other), often in ((tuple(pair), often) for pair, often in times.items()):
            if one in found and other in found:
                found[one][other] = found[other][one] = AGAIN * often**3
        return found

    def load(self, person: int, group: Group) -> int:
        """Return what it costs that somebody meets these people."""
        again = self.again[person]
        return sum(again.get(other, 0) for other in group) if again else 0

    def spread(self, group: Group) -> int:
        levels = [self.level.get(person, 0) for person in group]
        return max(levels) - min(levels)

    def cost(self, group: Group) -> int:
        return self.spread(group) ** 2 + sum(self.load(person, group) for person in group) // 2

    def may_meet(self, group: Group) -> bool:
        return not any(frozenset(two) in self.apart for two in combinations(group, 2))


def levels(ranks: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return the level of each person: 0 for those with the most points, and one more for each lower number of points.

    >>> levels([(7, 240), (3, 120), (8, 240), (5, 0)])
    {7: 0, 3: 1, 8: 0, 5: 2}
    """
    known = list(ranks)
    below = {points: level for level, points in enumerate(sorted({points for _, points in known}, reverse=True))}
    return {person: below[points] for person, points in known}


def groups(order: Sequence[int], sizes: Sequence[int], company: Company) -> list[Group]:
    """Return the people in heats of these sizes; where some must not meet there can be fewer heats, or smaller ones.

    Args:
        order: who is to meet, as they stand, best first.
        sizes: of the heats, without byes; they add up to the number of people.
        company: what is known of them.
    """
    if all(size == 2 for size in sizes):  # noqa: PLR2004  # a pair
        return _pairs(order, company)
    return _cheapest(order, sizes, company)


def with_byes(order: Sequence[int], sizes: Sequence[int], byes: Mapping[int, int], arrange: Arrange) -> list[Group]:
    """Return the people in heats of these sizes, with byes as heats of one.

    Byes go to those who have had fewest, of these to the lowest in the order; another choice among those who have had
    equally few is only made if otherwise more people were left over, because they must not meet.
    """
    heats, needed = [size for size in sizes if size > 1], list(sizes).count(1)
    best: list[Group] | None = None
    for resting in islice(_resting(order, needed, byes), _TRIED):
        found = arrange([person for person in order if person not in resting], heats)
        seated = {person for group in found for person in group}
        found += [(person,) for person in order if person not in seated]
        if best is None or len(found) < len(best):
            best = found
        if len(seated) == len(order) - needed:
            break
    return best or []


def without_byes(order: Sequence[int], sizes: Sequence[int], had: Mapping[int, int], arrange: Arrange) -> list[Group]:
    """Return the people in heats of these sizes, without those who have to wait: who have `had` most heats."""
    heats, needed = [size for size in sizes if size > 1], list(sizes).count(1)
    waiting = next(_resting(order, needed, {person: -had.get(person, 0) for person in order}))
    return arrange([person for person in order if person not in waiting], heats)


def _resting(order: Sequence[int], needed: int, byes: Mapping[int, int]) -> Iterator[Group]:
    """Yield who could have a bye, the best choice first: nobody has one more while others have had fewer."""
    at = {person: k for k, person in enumerate(order)}
    lowest = sorted(order, key=lambda person: (byes.get(person, 0), -at[person]))
    most = byes.get(lowest[needed - 1], 0) if needed else 0
    sure = tuple(person for person in lowest[:needed] if byes.get(person, 0) < most)
    equal = [person for person in lowest if byes.get(person, 0) == most]
    return (sure + others for others in combinations(equal, needed - len(sure)))


# --- two seats --------------------------------------------------------------------------------------------------------


def _pairs(order: Sequence[int], company: Company) -> list[Group]:
    """Return pairs: of the smallest blocks in which nobody is left over and nobody meets again, else of the largest."""
    found: list[Group] = []
    for block in BLOCKS:
        left, found = order, []
        while left:
            now, left = (left[:block], left[block:]) if len(left) >= 2 * block else (left, left[:0])
            found += _matched(now, company)
        if block >= len(order) or (
            len(found) == len(order) // 2 and not any(company.load(two[0], two[1:]) for two in found)
        ):
            break
    return found


def _matched(people: Sequence[int], company: Company) -> list[Group]:
    """Return as many pairs as possible, those that cost the least."""
    import networkx as nx  # noqa: PLC0415  # takes a fifth of a second, and few processes pair

    graph = nx.Graph()
    for one, other in combinations(people, 2):
        if company.may_meet((one, other)):
            equal = company.numbers[one] * company.numbers[other] % EQUALS
            graph.add_edge(one, other, weight=-company.cost((one, other)) * len(people) * EQUALS - equal)
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    partner = {one: other for edge in matched for one, other in (edge, edge[::-1])}
    return [(one, partner[one]) for k, one in enumerate(people) if one in partner and partner[one] in people[k:]]


# --- more seats -------------------------------------------------------------------------------------------------------


def cut(order: Sequence[T], sizes: Sequence[int]) -> list[tuple[T, ...]]:
    """Return the order cut into pieces of these sizes.

    >>> cut([5, 3, 8, 1, 9], [3, 2])
    [(5, 3, 8), (1, 9)]
    """
    return [tuple(order[start:end]) for start, end in pairwise(accumulate(sizes, initial=0))]


def _cheapest(order: Sequence[int], sizes: Sequence[int], company: Company) -> list[Group]:
    """Return the heats that cost the least of those that come of exchanges, from the order cut and from others cut."""
    best, cheapest = list[Group](), inf
    for turn in range(max(1, TURNS // max(len(sizes), 1))):
        start = order if not turn else sorted(order, key=lambda person: company.numbers[person] * turn % EQUALS)
        found = exchanged(cut(start, sizes), company, least=min(sizes, default=0))
        missing = len(order) - sum(map(len, found))
        cost = missing * AGAIN**4 + sum(map(company.cost, found))
        if cost < cheapest:
            best, cheapest = found, cost
        if not missing and not any(company.load(person, group) for group in found for person in group):
            break
    return best


def exchanged(found: Sequence[Group], company: Company, least: int) -> list[Group]:
    """Return these heats after people have changed places as long as that lowers the cost.

    Whoever still sits with somebody they must not meet gets up, and a heat of fewer than `least` is none.
    """
    heats = list(found)
    for reach in (NEAR, len(heats)) if len(heats) > NEAR + 1 else (NEAR,):
        while _exchange_once(heats, company, reach):
            pass
    kept = [_without_those_apart(group, company) for group in heats]
    return [group for group in kept if len(group) >= max(least, 2)]


def _exchange_once(heats: list[Group], company: Company, reach: int) -> bool:
    """Go through all near heats, of which one has people who meet again, once; return whether anybody has moved."""
    costs, moved = [company.cost(group) for group in heats], False
    for here, there in combinations(range(len(heats)), 2):
        if there - here > reach:
            continue
        while max(costs[here], costs[there]) >= AGAIN and (better := _better(heats[here], heats[there], company)):
            heats[here], heats[there] = better
            costs[here], costs[there], moved = company.cost(heats[here]), company.cost(heats[there]), True
    return moved


def _better(one: Group, other: Group, company: Company) -> tuple[Group, Group] | None:
    """Return two heats after the exchange that lowers their cost most, None if none does."""
    found, most = None, 0
    spread = company.spread(one) ** 2 + company.spread(other) ** 2
    gains_there = [company.load(person, other) - company.load(person, one) for person in other]
    for k, leaving in enumerate(one):
        again, gain = company.again[leaving], company.load(leaving, one) - company.load(leaving, other)
        for m, coming in enumerate(other):
            apart = gain + gains_there[m] + 2 * again.get(coming, 0)
            if apart + spread > most:
                left, right = (*one[:k], coming, *one[k + 1 :]), (*other[:m], leaving, *other[m + 1 :])
                whole = apart + spread - company.spread(left) ** 2 - company.spread(right) ** 2
                if whole > most:
                    found, most = (left, right), whole
    return found


def _without_those_apart(group: Group, company: Company) -> Group:
    while not company.may_meet(group):
        quarrels = Counter(
            person for two in combinations(group, 2) if frozenset(two) in company.apart for person in two
        )
        most = max(quarrels.values())
        gone = [person for person in group if quarrels[person] == most][-1]
        group = tuple(person for person in group if person != gone)
    return group


# --- seats ------------------------------------------------------------------------------------------------------------


def firsts(heats: Iterable[Heat]) -> Counter[int]:
    """Return how often everybody has sat first, or is going to."""
    return Counter(heat.people[0] for heat in heats if not heat.is_bye)


def seated(group: Group, first: Counter[int], numbers: Mapping[int, int]) -> Group:
    """Return these people in the order of seats: who has sat first least often sits first, of equals the lower number.

    Whoever sits first now is counted in `first`.

    >>> seated((7, 8, 9), Counter({8: 1, 9: 1}), {7: 30, 8: 20, 9: 10})
    (7, 9, 8)
    """
    people = tuple(sorted(group, key=lambda person: (first[person], numbers[person])))
    first[people[0]] += len(people) > 1
    return people


def heats_of(groups: Iterable[Group], numbers: Mapping[int, int], heats: Collection[Heat], now: datetime) -> list[Heat]:
    """Return the next round: these groups in the order of seats, numbered from 1; a bye is over at once.

    Args:
        groups: who meets whom.
        numbers: what was drawn for each.
        heats: all earlier ones.
        now: when they are drawn.
    """
    round_, first = next_round(heats), firsts(heats)
    return [
        drawn_heat(round_, number, seated(group, first, numbers), now) for number, group in enumerate(groups, start=1)
    ]


def drawn_heat(round_: int, number: int, people: Group, now: datetime) -> Heat:
    """Return a heat that is drawn now; a bye is over at once."""
    if len(people) == 1:
        return Heat(round_, number, people, now, over_at=now, places=(1,))
    return Heat(round_, number, people, now)
