"""Round robin: everybody meets everybody, and all rounds are drawn at the start.

Two seats: the circle method. Whoever is left over in a round has no heat in it, everybody once. More seats: in as many
rounds as everybody needs to meet everybody, people change places between heats until nobody meets more often than they
have to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Final

from games.events.formats import meetings, points
from games.events.formats.event import Chance, Heat, Pair, Plan, Player, Row, has_ended, is_open, present, running
from games.events.formats.meetings import Company, Group
from games.events.formats.sizes import sizes

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
    return not heats


def is_over(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> bool:
    if has_ended(plan, now):
        return not any(heat.begun_at for heat in running(heats))
    return bool(heats) and not running(heats)


def next_at(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> datetime | None:
    return None


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
    return _even(people, plan, numbers)


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


def _even(people: Sequence[int], plan: Plan, numbers: dict[int, int]) -> list[list[Group]]:
    """Return rounds of larger heats, each with as few new meetings of the same people as exchanges bring about."""
    each = sizes(len(people), plan.want, plan.least)
    met, byes, found = Counter[Pair](), Counter[int](), list[list[Group]]()
    for k in range(plan.rounds or -(-(len(people) - 1) // (plan.want - 1))):
        turned = [*people[k % len(people) :], *people[: k % len(people)]]
        company = Company(numbers, met=met, apart=plan.apart)
        groups = meetings.with_byes(turned, each, byes, partial(meetings.groups, company=company))
        met += meetings.meetings_in(groups)
        byes.update(group[0] for group in groups if len(group) == 1)
        found.append([group for group in groups if len(group) > 1])
    return found
