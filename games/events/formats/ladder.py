"""Ladder: each night everybody with a place free meets those nearest to them on the ladder who have one, too.

Whoever enters stands on the lowest rung, at the start the better rated above. When a heat is over its people are put
anew on the rungs they hold, by their places. Nobody meets those they are still playing with, or within a day of their
last heat the same people again. It goes on until it is ended, and nobody challenges anybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
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
    State,
    has_ended,
    is_open,
    present,
    running,
)
from games.events.formats.sizes import sizes

DAY: Final = timedelta(days=1)


def pair(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime, chance: Chance) -> list[Heat]:
    night = _night(plan, now)
    if not is_open(plan, now) or any(heat.drawn_at >= night for heat in heats):
        return []
    playing = Counter(person for heat in running(heats) for person in heat.people)
    here = [player for player in present(players) if playing[player.person] < player.at_a_time]
    free = {player.person for player in here}
    order = [person for person in rungs(players, heats) if person in free]
    last = _last_heats(heats)
    company = meetings.Company(
        meetings.drawn(here, chance),
        level={person: rung for rung, person in enumerate(order)},
        met=meetings.met(last),
        apart=plan.apart | meetings.met(heat for heat in last if not heat.over_at or now < heat.over_at + DAY).keys(),
    )
    had = Counter(person for heat in heats for person in heat.people)
    each = sizes(len(order), plan.want, plan.least)
    groups = meetings.without_byes(order, each, had, partial(meetings.groups, company=company))
    return meetings.heats_of(groups, company.numbers, heats, now)


def standings(plan: Plan, players: Sequence[Player], heats: Sequence[Heat]) -> list[Row]:
    rows = {row.person: row for row in points.standings(players, heats)}
    out = {player.person for player in players if player.state is State.OUT}
    return points.numbered(rows[person] for person in rungs(players, heats) if person not in out)


def may_join(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> bool:
    return not has_ended(plan, now)


def is_over(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> bool:
    return has_ended(plan, now) and not running(heats)


def next_at(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> datetime | None:
    """Return the next night."""
    return _night(plan, now) + DAY


def rungs(players: Sequence[Player], heats: Sequence[Heat]) -> list[int]:
    """Return everybody who ever entered, from the highest rung to the lowest."""
    entered = sorted(players, key=lambda it: (it.joined_round, -it.rating if it.joined_round == 1 else 0, it.entered))
    ladder = [player.person for player in entered]
    rung = {person: k for k, person in enumerate(ladder)}
    over = [(heat.over_at, heat.round, heat.number, heat) for heat in heats if heat.over_at and heat.places]
    for *_, heat in sorted(over, key=lambda it: it[:3]):
        held = sorted(rung[person] for person in heat.people)
        placed = sorted(zip(heat.places or (), (rung[person] for person in heat.people), heat.people, strict=True))
        rung.update({person: k for k, (_, _, person) in zip(held, placed, strict=True)})
    return sorted(rung, key=rung.__getitem__)


def _night(plan: Plan, now: datetime) -> datetime:
    """Return when the latest night was, at the time of day at which the ladder has begun."""
    return plan.starts_at + (now - plan.starts_at) // DAY * DAY


def _last_heats(heats: Sequence[Heat]) -> list[Heat]:
    """Return the heats that run, and of everybody else the one that was over last."""
    over = sorted((heat for heat in heats if heat.over_at), key=lambda heat: (heat.over_at, heat.round, heat.number))
    last = {person: heat for heat in over for person in heat.people}
    return [*running(heats), *{(heat.round, heat.number): heat for heat in last.values()}.values()]
