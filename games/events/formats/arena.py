"""Arena: until it ends, whoever is free meets others who are free, as soon as there are enough of them.

It opens when eight people are there. Whoever is free first meets people they have not met; only if nobody else has
come free for a minute, the same again, those seldom met first. Who stays over waits, without a bye.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from games.events.formats import meetings, points
from games.events.formats.event import (
    Chance,
    Heat,
    Plan,
    Player,
    Row,
    has_ended,
    is_open,
    present,
    running,
)
from games.events.formats.meetings import Company, Group
from games.events.formats.sizes import sizes

OPENS_WITH: Final = 8
PATIENCE: Final = timedelta(minutes=1)
"""How long somebody is free before they meet the same people again."""


def pair(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime, chance: Chance) -> list[Heat]:
    here = present(players)
    if not is_open(plan, now) or (not heats and len(here) < OPENS_WITH):
        return []
    playing = {person for heat in running(heats) for person in heat.people}
    free = [player for player in here if player.person not in playing]
    numbers = meetings.drawn(free, chance)
    rows = points.standings(free, heats)
    order = [row.person for row in sorted(rows, key=lambda row: (-row.points, numbers[row.person]))]
    level = meetings.levels((row.person, row.points) for row in rows)
    again = meetings.Company(numbers, level, meetings.met(heats), plan.apart)
    new = replace(again, apart=plan.apart | again.met.keys())

    groups = _groups(plan, order, heats, new)
    taken = {person for group in groups for person in group}
    since = _free_since(heats)
    left = [person for person in order if person not in taken and since.get(person, now) + PATIENCE <= now]
    groups += _groups(plan, left, heats, again)
    return meetings.heats_of(groups, numbers, heats, now)


def standings(plan: Plan, players: Sequence[Player], heats: Sequence[Heat]) -> list[Row]:
    return points.standings(players, heats)


def may_join(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> bool:
    return not has_ended(plan, now)


def is_over(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> bool:
    return has_ended(plan, now) and not running(heats)


def next_at(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> datetime | None:
    """Return when the patience of the next person who is free is over."""
    playing = {person for heat in running(heats) for person in heat.people}
    since = _free_since(heats)
    ends = [since[it.person] + PATIENCE for it in present(players) if it.person in since and it.person not in playing]
    return min((end for end in ends if end > now), default=None)


def _groups(plan: Plan, order: Sequence[int], heats: Sequence[Heat], company: Company) -> list[Group]:
    had = Counter(person for heat in heats for person in heat.people)
    each = sizes(len(order), plan.want, plan.least)
    return meetings.without_byes(order, each, had, partial(meetings.groups, company=company))


def _free_since(heats: Sequence[Heat]) -> dict[int, datetime]:
    """Return for everybody when their last heat was over."""
    over = sorted((heat.over_at, heat.people) for heat in heats if heat.over_at)
    return {person: at for at, people in over for person in people}
