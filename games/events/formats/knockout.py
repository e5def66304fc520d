"""Knockout: the better half of each heat goes on; whoever was among the worse half once, or twice, is out.

People are seeds by their rating: the best meet the worst of those who have as many lives left. When all who are there
sit in one heat, only its first goes on. Those who share a place go on in the order of seeds, never by lot. Whoever is
not there when a round is drawn loses a life, too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import combinations, groupby

from games.events.formats import meetings, points
from games.events.formats.event import Chance, Heat, Plan, Player, Row, has_ended, is_open, present, running
from games.events.formats.meetings import Company, Group
from games.events.formats.sizes import sizes


def pair(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime, chance: Chance) -> list[Heat]:
    if running(heats) or not is_open(plan, now) or not _can_go_on(plan, players, heats):
        return []
    lives, here = lives_left(plan, players, heats), _left(plan, players, heats)
    numbers = meetings.drawn(sorted(here, key=lambda player: player.entered), chance)
    company = Company(numbers, met=meetings.met(heats), apart=plan.apart)
    arrange = partial(_by_lives, lives=lives, company=company, least=plan.least)
    order = [player.person for player in sorted(here, key=lambda player: -lives[player.person])]
    byes = Counter(heat.people[0] for heat in heats if heat.is_bye)
    groups = meetings.with_byes(order, sizes(len(order), plan.want, plan.least), byes, arrange)
    return meetings.heats_of(groups, numbers, heats, now)


def standings(plan: Plan, players: Sequence[Player], heats: Sequence[Heat]) -> list[Row]:
    """Whoever has more lives, then whoever came further, then by the place in their last heat."""
    lives = lives_left(plan, players, heats)
    last = dict.fromkeys(lives, (0, 0))
    for heat in sorted(heats, key=lambda heat: heat.round):
        last.update({who: (-heat.round, place) for who, place in zip(heat.people, heat.places or (), strict=False)})
    rows = points.standings(players, heats)
    rows.sort(key=lambda row: (-lives[row.person], last[row.person]))
    return points.numbered(replace(row, lives=lives[row.person]) for row in rows)


def may_join(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> bool:
    return not heats


def is_over(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> bool:
    return not running(heats) and (has_ended(plan, now) or not _can_go_on(plan, players, heats))


def next_at(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> datetime | None:
    return None


def lives_left(plan: Plan, players: Iterable[Player], heats: Iterable[Heat]) -> dict[int, int]:
    """Return how many lives everybody has left."""
    seeds = {player.person: seed for seed, player in enumerate(_seeds(players))}
    by_round = defaultdict[int, list[Heat]](list)
    for heat in heats:
        by_round[heat.round].append(heat)
    lives = dict.fromkeys(seeds, plan.lives)
    for there in by_round.values():
        go_on = {person for heat in there for person in _going_on(heat, seeds, is_final=len(there) == 1)}
        for person in lives.keys() - go_on:
            lives[person] = max(lives[person] - 1, 0)
    return lives


def _going_on(heat: Heat, seeds: Mapping[int, int], *, is_final: bool) -> Sequence[int]:
    """Return who loses no life in a heat: all as long as it has no places."""
    if heat.places is None:
        return heat.people
    order = sorted(zip(heat.places, (seeds[person] for person in heat.people), heat.people, strict=True))
    return [person for *_, person in order[: 1 if is_final else (len(order) + 1) // 2]]


def _seeds(players: Iterable[Player]) -> list[Player]:
    return sorted(players, key=lambda player: (-player.rating, player.entered))


def _left(plan: Plan, players: Sequence[Player], heats: Sequence[Heat]) -> list[Player]:
    """Return those who are here and not out, by their seeds."""
    lives = lives_left(plan, players, heats)
    return [player for player in _seeds(present(players)) if lives[player.person]]


def _can_go_on(plan: Plan, players: Sequence[Player], heats: Sequence[Heat]) -> bool:
    left = [player.person for player in _left(plan, players, heats)]
    return len(left) >= plan.least and any(frozenset(two) not in plan.apart for two in combinations(left, 2))


def _by_lives(
    order: Sequence[int], each: Sequence[int], lives: Mapping[int, int], company: Company, least: int
) -> list[Group]:
    """Return heats of these sizes of people with as many lives left; who fills none goes on to those with fewer."""
    groups, left, open_ = list[Group](), list[int](), list(each)
    for _, equals in groupby(order, key=lives.__getitem__):
        left += equals
        filled = list[int]()
        while open_ and sum(filled) + open_[0] <= len(left):
            filled.append(open_.pop(0))
        groups += _dealt(left, filled, company, least)
        seated = {person for group in groups for person in group}
        left = [person for person in left if person not in seated]
    return groups


def _dealt(order: Sequence[int], each: Sequence[int], company: Company, least: int) -> list[Group]:
    """Return heats in which the best meet the worst: dealt out to the first heat up to the last, then back."""
    dealt: list[list[int]] = [[] for _ in each]
    people, heats = iter(order), list(zip(dealt, each, strict=True))
    while any(len(there) < size for there, size in heats):
        for there, size in heats:
            if len(there) < size:
                there.append(next(people))
        heats.reverse()
    return meetings.exchanged([tuple(there) for there in dealt], company, least)
