"""Round robin: everybody meets everybody, and all rounds are drawn at the start.

Two seats: the circle method. Whoever is left over in a round has no heat in it, everybody once. More seats: as many
rounds as everybody needs to meet everybody, with as few meetings of the same people as possible. Few people change
places between heats until nobody meets more often than they have to; for many the rounds are constructed (`rows`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from games.events.formats import meetings, points, rows
from games.events.formats.event import (
    Chance,
    Heat,
    Pair,
    Plan,
    Player,
    Row,
    State,
    has_ended,
    is_open,
    present,
    running,
)
from games.events.formats.meetings import Company, Group
from games.events.formats.sizes import sizes

MOST: Final = 48
"""So many people can enter: in pairs that makes 47 heats for each of them."""

MANY: Final = 17
"""So many people stand in rows; for fewer it is better to look for exchanges, and quick enough."""

_PAIR: Final = 2


def pair(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime, chance: Chance) -> list[Heat]:
    here = present(players)
    if heats or not is_open(plan, now) or len(here) < plan.least:
        return []
    numbers, first = meetings.drawn(here, chance), Counter[int]()
    return [
        meetings.drawn_heat(round_, number, meetings.seated(group, first, numbers), now)
        for round_, groups in enumerate(rounds(plan, numbers), start=1)
        for number, group in enumerate(groups, start=1)
    ]


def standings(plan: Plan, players: Sequence[Player], heats: Sequence[Heat]) -> list[Row]:
    return points.standings(players, heats)


def may_join(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> bool:
    return not heats and sum(player.state is not State.OUT for player in players) < MOST


def is_over(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> bool:
    if has_ended(plan, now):
        return not any(heat.begun_at for heat in running(heats))
    return bool(heats) and not running(heats)


def next_at(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> datetime | None:
    return None


def number_of_rounds(people: int, want: int) -> int:
    """Return how many rounds everybody needs to meet everybody.

    >>> [number_of_rounds(people, 2) for people in (2, 5, 6)], number_of_rounds(10, 4)
    ([1, 5, 5], 3)
    """
    return people - 1 + people % 2 if want == _PAIR else -(-(people - 1) // (want - 1))


def longest(people: int, want: int, round_: timedelta) -> timedelta:
    """Return after which time a robin is over in any case, if each of its matches ends within `round_`.

    A heat waits only while one of its people plays another one.

    >>> longest(6, 2, timedelta(hours=1)) == timedelta(hours=9)
    True
    """
    return (want * (number_of_rounds(people, want) - 1) + 1) * round_


def rounds(plan: Plan, numbers: dict[int, int]) -> list[list[Group]]:
    """Return for each round who meets whom.

    Args:
        plan: its sizes, whom it keeps apart, and its number of rounds.
        numbers: what was drawn for each of these people.
    """
    people = sorted(numbers, key=numbers.__getitem__)
    if plan.want == _PAIR:
        circle = _circle(people)
        return [
            [two for two in circle[k % len(circle)] if frozenset(two) not in plan.apart]
            for k in range(plan.rounds or len(circle))
        ]
    count = plan.rounds or number_of_rounds(len(people), plan.want)
    return (_in_rows if len(people) >= MANY else _even)(people, plan, numbers, count)


def _circle(people: Sequence[int]) -> list[list[Group]]:
    """Return rounds of pairs in which everybody meets everybody once: one stays, the others go round.

    >>> _circle([1, 2, 3, 4])
    [[(1, 4), (2, 3)], [(1, 3), (4, 2)], [(1, 2), (3, 4)]]
    >>> _circle([1, 2, 3])
    [[(2, 3)], [(1, 3)], [(1, 2)]]
    """
    circle: list[int | None] = [*people, *[None] * (len(people) % 2)]
    found = list[list[Group]]()
    for _ in range(len(circle) - 1):
        half = len(circle) // 2
        across = zip(circle[:half], reversed(circle[half:]), strict=True)
        found.append([(one, other) for one, other in across if one is not None and other is not None])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return found


def _in_rows(people: Sequence[int], plan: Plan, numbers: dict[int, int], count: int) -> list[list[Group]]:
    """Return rounds of larger heats in which everybody stands in rows; heats of those kept apart exchange people."""
    number = {person: k for k, person in enumerate(people)}
    here = [tuple(number[person] for person in two) for two in plan.apart if two <= number.keys()]
    company, found = Company(numbers, apart=plan.apart), list[list[Group]]()
    for tables in rows.rounds(len(people), plan.want, plan.least, count):
        at = {k: table for table in tables for k in table}
        groups = [tuple(people[k] for k in table) for table in tables]
        if any(one in at and other in at[one] for one, other in here):
            groups = meetings.exchanged(groups, company, min(map(len, groups)))
        found.append(groups)
    return found


def _even(people: Sequence[int], plan: Plan, numbers: dict[int, int], count: int) -> list[list[Group]]:
    """Return rounds of larger heats, each with as few new meetings of the same people as exchanges bring about."""
    each = sizes(len(people), plan.want, plan.least)
    met, byes, found = Counter[Pair](), Counter[int](), list[list[Group]]()
    for k in range(count):
        turned = [*people[k % len(people) :], *people[: k % len(people)]]
        company = Company(numbers, met=met, apart=plan.apart)
        groups = meetings.with_byes(turned, each, byes, partial(meetings.groups, company=company))
        met += meetings.meetings_in(groups)
        byes.update(group[0] for group in groups if len(group) == 1)
        found.append([group for group in groups if len(group) > 1])
    return found
