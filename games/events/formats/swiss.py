"""Swiss: round after round, everybody meets people with about as many points, the same ones as seldom as possible.

Who enters late is paired from the next round on, as long as fewer than half of the rounds are drawn, and gets half a
point once for what they have missed. Byes go to the lowest of those who have had fewest.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from games.events.formats import meetings, points
from games.events.formats.event import (
    WHOLE,
    Chance,
    Heat,
    Plan,
    Player,
    Row,
    State,
    has_ended,
    is_open,
    next_round,
    present,
    running,
)
from games.events.formats.sizes import sizes


def pair(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime, chance: Chance) -> list[Heat]:
    here = present(players)
    if running(heats) or not is_open(plan, now) or next_round(heats) > (plan.rounds or 0) or len(here) < plan.least:
        return []
    numbers = meetings.drawn(here, chance)
    rows = points.standings(here, heats, _for_being_late(here))
    order = [row.person for row in sorted(rows, key=lambda row: (-row.points, numbers[row.person]))]
    level = meetings.levels((row.person, row.points) for row in rows)
    company = meetings.Company(numbers, level, meetings.met(heats), plan.apart)
    byes = {row.person: row.byes for row in rows}
    each = sizes(len(order), plan.want, plan.least)
    groups = meetings.with_byes(order, each, byes, partial(meetings.groups, company=company))
    return meetings.heats_of(groups, numbers, heats, now)


def standings(plan: Plan, players: Sequence[Player], heats: Sequence[Heat]) -> list[Row]:
    return points.standings(players, heats, _for_being_late(players))


def may_join(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> bool:
    return 2 * (next_round(heats) - 1) < (plan.rounds or 0)


def is_over(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> bool:
    too_few = sum(player.state is not State.OUT for player in players) < plan.least
    has_no_more = next_round(heats) > (plan.rounds or 0) or too_few
    return not running(heats) and (has_no_more or has_ended(plan, now))


def next_at(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> datetime | None:
    return None


def _for_being_late(players: Sequence[Player]) -> dict[int, int]:
    return {player.person: WHOLE // 2 for player in players if player.joined_round > 1}
