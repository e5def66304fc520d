"""League: a season in divisions of people who play about equally well; the best go up, the last go down.

Divisions have 6 people where two meet, else 8 to 12. Within one everybody meets everybody as in a robin, drawn at the
start; a heat begins when all of its people have a place free among those they play at a time. At the end the best two
of each division go up and the last two down, and new people begin in the lowest.

Somebody new takes the place of somebody who has left in the first three days, with all heats that had not begun.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import groupby
from math import inf
from typing import Final

from games.events.formats import meetings, points, robin
from games.events.formats.event import (
    Chance,
    Heat,
    Plan,
    Player,
    Row,
    State,
    is_open,
    next_round,
    present,
)

ENOUGH: Final = 4
"""With fewer people a season begins as a ladder."""
VACANT: Final = timedelta(days=3)
"""How long after the start somebody new can take a place that has become free."""
MOVING: Final = 2
"""How many go up, and how many down."""

_PAIR: Final = 2
_OF_PAIRS: Final = 6
_FEWEST, _MOST = 8, 12


def pair(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime, chance: Chance) -> list[Heat]:
    if not is_open(plan, now):
        return []
    return _replaced(plan, players, heats, now) if heats else _season(plan, players, now, chance)


def standings(plan: Plan, players: Sequence[Player], heats: Sequence[Heat]) -> list[Row]:
    division = divisions(plan, players, heats)
    counted = current(heats)
    rows = list[Row]()
    for number in sorted(set(division.values())):
        there = [player for player in players if division.get(player.person) == number]
        rows += [replace(row, division=number) for row in points.standings(there, counted)]
    return rows


def may_join(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> bool:
    return not heats or (now < plan.starts_at + VACANT and bool(_vacant(plan, players, heats)))


def is_over(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> bool:
    return robin.is_over(plan, players, current(heats), now)


def next_at(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> datetime | None:
    """Return when places that have become free are lost, and their heats with them."""
    closes = plan.starts_at + VACANT
    return closes if heats and now < closes else None


def divisions(plan: Plan, players: Collection[Player], heats: Collection[Heat] = ()) -> dict[int, int]:
    """Return the division of everybody who plays, from 1.

    Args:
        plan: of the season.
        players: all of it.
        heats: of the season; none before it is drawn.
    """
    if not heats:
        return _cut(plan, present(players))
    found = {player.person: player.division for player in players if player.division is not None}
    for heat in sorted(heats, key=lambda heat: heat.round):
        for person in heat.people:
            if person not in found and (known := [found[other] for other in heat.people if other in found]):
                found[person] = known[0]
    return found


def next_divisions(rows: Iterable[Row]) -> dict[int, int]:
    """Return in which division everybody begins the next season, from the final standings of this one."""
    by_division = [list(there) for _, there in groupby(rows, key=lambda row: row.division)]
    found = {}
    for there in by_division:
        moving = min(MOVING, len(there) // 2)
        for k, row in enumerate(there):
            up = k < moving and there is not by_division[0]
            down = k >= len(there) - moving and there is not by_division[-1]
            found[row.person] = row.division - up + down
    return found


def current(heats: Collection[Heat]) -> list[Heat]:
    """Return the heats without those that were drawn anew for somebody who took a place."""
    latest: dict[int, int] = {}
    for heat in heats:
        latest[heat.number] = max(heat.round, latest.get(heat.number, 0))
    return [heat for heat in heats if heat.round == latest[heat.number]]


# --- the start --------------------------------------------------------------------------------------------------------


def _cut(plan: Plan, players: Iterable[Player]) -> dict[int, int]:
    """Return these people in divisions, which the lower ones fill if it does not come out even."""
    order = sorted(players, key=lambda it: (it.division or inf, -it.rating, it.entered))
    count = number_of_divisions(len(order), plan.want)
    fewest, over = divmod(len(order), count)
    each = [fewest + (k >= count - over) for k in range(count)]
    return {
        player.person: number for number, there in enumerate(meetings.cut(order, each), start=1) for player in there
    }


def number_of_divisions(people: int, want: int) -> int:
    """Return how many divisions so many people make.

    >>> [number_of_divisions(people, 2) for people in (4, 9, 10, 12, 16, 60)]
    [1, 1, 2, 2, 3, 10]
    >>> [number_of_divisions(people, 4) for people in (5, 15, 16, 24, 25, 60)]
    [1, 1, 2, 2, 3, 5]
    """
    if want == _PAIR:
        return max(1, (people + 2) // _OF_PAIRS)
    return max(1, min(-(-people // _MOST), people // _FEWEST))


def _season(plan: Plan, players: Sequence[Player], now: datetime, chance: Chance) -> list[Heat]:
    here = present(players)
    if len(here) < plan.least:
        return []
    numbers, first, found = meetings.drawn(here, chance), Counter[int](), list[Heat]()
    division = _cut(plan, here)
    for number in sorted(set(division.values())):
        there = {person: numbers[person] for person in numbers if division[person] == number}
        for round_, groups in enumerate(robin.rounds(plan, there), start=1):
            for group in groups:
                people = meetings.seated(group, first, numbers)
                found.append(meetings.drawn_heat(round_, len(found) + 1, people, now))
    return found


# --- places that have become free -------------------------------------------------------------------------------------


def _vacant(plan: Plan, players: Sequence[Player], heats: Sequence[Heat]) -> list[tuple[int, list[Heat]]]:
    """Return who has left heats that had not begun, and these: the lowest division first, then earlier entries."""
    waiting = [heat for heat in current(heats) if heat.begun_at is None and not heat.is_over]
    division = divisions(plan, players, heats)
    left = [player for player in players if player.state is State.OUT and player.person in division]
    left.sort(key=lambda player: (-division[player.person], player.entered))
    found = [(it.person, [heat for heat in waiting if it.person in heat.people]) for it in left]
    return [(person, theirs) for person, theirs in found if theirs]


def _replaced(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> list[Heat]:
    """Return the heats of those who take a place, each with the number of the heat it replaces."""
    if now >= plan.starts_at + VACANT:
        return []
    playing = {person for heat in heats for person in heat.people}
    new = [player for player in present(players) if player.person not in playing]
    found = dict[int, Heat]()
    for player, (gone, theirs) in zip(new, _vacant(plan, players, heats), strict=False):
        for heat in theirs:
            before = found.get(heat.number, heat).people
            people = tuple(player.person if person == gone else person for person in before)
            if meetings.Company({}, apart=plan.apart).may_meet(people):
                found[heat.number] = meetings.drawn_heat(next_round(heats), heat.number, people, now)
    return [found[number] for number in sorted(found)]
