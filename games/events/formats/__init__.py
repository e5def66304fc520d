"""Who meets whom in an event, and who stands where: pure functions over a plan, its players and their heats.

    from games.events import formats

    chance = formats.chance(server_seed, players, nonces, formats.next_round(heats))
    for heat in formats.pair(plan, players, heats, now, chance):
        ...                                              # store it: it is drawn
    for heat in formats.forfeits(plan, players, heats, now):
        ...                                              # store that it is over, and its places: nobody plays it
    for heat in formats.due(plan, players, heats, now):
        ...                                              # begin its match with `heat.people` in the order of seats

Ask in this order, each time with what is stored by then, when the event starts, when a heat is over, when somebody
enters, returns or leaves, and at `next_at`. Asked again without any of these in between, nothing is drawn twice.

`players` are all who ever entered, `heats` all that were ever drawn, both in any order; times are aware. When somebody
enters, store `next_round(heats)` as their `joined_round`. When the first round of a league is drawn, store what
`divisions` says. For `proof`, store with each round at which time it was drawn, who was in, and who was out.

A module for each format says what is special about it; what they share is in `sizes` (how many seats the heats have),
`meetings` (who meets whom, and sits where) and `points`. `clock` says whether a clock lets a round end in time, `proof`
is the file from which anybody draws an event again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, Protocol

from games.engine import fair
from games.events.formats import arena, knockout, ladder, league, robin, swiss
from games.events.formats.event import (
    WHOLE,
    Chance,
    Format,
    Heat,
    Pair,
    Plan,
    Player,
    Row,
    State,
    has_ended,
    is_open,
    next_round,
    present,
)
from games.events.formats.league import divisions, next_divisions

__all__ = [
    "WHOLE",
    "Chance",
    "Format",
    "Heat",
    "Pair",
    "Plan",
    "Player",
    "Row",
    "State",
    "begins_as",
    "chance",
    "divisions",
    "due",
    "forfeits",
    "is_open",
    "is_over",
    "may_join",
    "missing",
    "most",
    "next_at",
    "next_divisions",
    "next_round",
    "pair",
    "standings",
]


class _Rules(Protocol):
    """What a module defines for its format; the functions of the same names here say what is promised."""

    def pair(
        self, plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime, chance: Chance
    ) -> list[Heat]: ...

    def standings(self, plan: Plan, players: Sequence[Player], heats: Sequence[Heat]) -> list[Row]: ...

    def may_join(self, plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> bool: ...

    def is_over(self, plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> bool: ...

    def next_at(
        self, plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime
    ) -> datetime | None: ...


_RULES: Final[Mapping[Format, _Rules]] = {
    Format.LEAGUE: league,
    Format.LADDER: ladder,
    Format.SWISS: swiss,
    Format.ROBIN: robin,
    Format.KNOCKOUT: knockout,
    Format.ARENA: arena,
}


def pair(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime, chance: Chance) -> list[Heat]:
    """Return the heats that are drawn now, byes among them; none if it is not the time.

    Args:
        plan: of the event.
        players: all who ever entered.
        heats: all that were ever drawn.
        now: the time.
        chance: of the round `next_round(heats)`, see `chance`.

    Returns:
        heats with people in the order of seats, none of them begun; byes are over. In all but a league and a ladder
        where people play several at a time, nobody is in two.
    """
    return _RULES[plan.format].pair(plan, players, heats, now, chance)


def standings(plan: Plan, players: Sequence[Player], heats: Sequence[Heat]) -> list[Row]:
    """Return the rows of everybody, best first, in a league by division; a ladder lists nobody who is out."""
    return _RULES[plan.format].standings(plan, players, heats)


def forfeits(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> list[Heat]:
    """Return the heats that end now without a match, with their places: all of their people but one are out.

    In a league they wait until nobody new can take these places. Nothing of them is rated.
    """
    if plan.format is Format.LEAGUE and now < plan.starts_at + league.VACANT:
        return []
    out = {player.person for player in players if player.state is State.OUT}
    return [
        replace(heat, over_at=now, places=tuple(2 if person in out else 1 for person in heat.people))
        for heat in _waiting(plan, heats)
        if len(out.intersection(heat.people)) >= len(heat.people) - 1
    ]


def due(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> list[Heat]:
    """Return the heats whose match begins now: everybody in them is there, with a place free among those at a time.

    In a heat of three or more, two of whom are there, bots play for those who are out.
    """
    if not is_open(plan, now):
        return []
    known = {player.person: player for player in players}
    playing = Counter(person for heat in heats if heat.begun_at and not heat.is_over for person in heat.people)
    found = []
    for heat in _waiting(plan, heats):
        there = [known[person] for person in heat.people if known[person].state is not State.OUT]
        free = all(it.state is State.IN and playing[it.person] < it.at_a_time for it in there)
        if free and len(there) > 1 and (len(there) == len(heat.people) or len(heat.people) > 2):  # noqa: PLR2004
            playing.update(heat.people)
            found.append(heat)
    return found


def may_join(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> bool:
    """Return whether somebody new can enter now, at the start or late: as the format has it."""
    return not has_ended(plan, now) and _RULES[plan.format].may_join(plan, players, heats, now)


def most(plan: Plan) -> int | None:
    """Return how many people can take part at most; None for as many as come."""
    return robin.MOST if plan.format is Format.ROBIN else None


def missing(plan: Plan, players: Sequence[Player], heats: Sequence[Heat]) -> int:
    """Return how many people an arena waits for until it opens; 0 for every other format, and once it is open."""
    waits = plan.format is Format.ARENA and not heats
    return max(arena.OPENS_WITH - len(present(players)), 0) if waits else 0


def is_over(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> bool:
    """Return whether nothing is played any more and nothing will be drawn."""
    return _RULES[plan.format].is_over(plan, players, heats, now)


def next_at(plan: Plan, players: Sequence[Player], heats: Sequence[Heat], now: datetime) -> datetime | None:
    """Return when to ask again if nothing happens before, None if only something that happens can change anything."""
    if now < plan.starts_at:
        return plan.starts_at
    if has_ended(plan, now):
        return None
    times = (_RULES[plan.format].next_at(plan, players, heats, now), plan.ends_at)
    return min((time for time in times if time is not None), default=None)


def begins_as(plan: Plan, players: Sequence[Player]) -> Format:
    """Return the format in which an event starts: a league of fewer than four begins as a ladder."""
    few = len(present(players)) < league.ENOUGH
    return Format.LADDER if few and plan.format is Format.LEAGUE else plan.format


def chance(server_seed: bytes, players: Sequence[Player], nonces: Mapping[int, bytes], round_: int) -> Chance:
    """Return the chance of a round: of the seed of the event, and the nonces of all who had entered by then.

    Args:
        server_seed: the 32 bytes to whose commitment (`games.engine.fair.commitment`) people have entered.
        players: all who ever entered.
        nonces: by person, what they added when they entered; empty or missing where nothing.
        round_: its number, from 1; its draw has the label "<round>:pair".
    """
    entered = sorted((it for it in players if it.joined_round <= round_), key=lambda it: it.entered)
    seed = fair.final_seed(server_seed, [nonces.get(player.person, b"") for player in entered])
    return fair.FairChance(seed, round_)


def _waiting(plan: Plan, heats: Sequence[Heat]) -> list[Heat]:
    """Return the heats that are drawn and have not begun, the earliest rounds first."""
    drawn = league.current(heats) if plan.format is Format.LEAGUE else heats
    return sorted(
        (heat for heat in drawn if heat.begun_at is None and not heat.is_over), key=lambda it: (it.round, it.number)
    )
