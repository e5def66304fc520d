"""What every format computes from: the plan of an event, who takes part, and its heats."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, Protocol, TypeAlias

Pair: TypeAlias = frozenset[int]
"""Two people."""

WHOLE: Final = 120
"""What the first of a heat gets who shares this place with nobody: points are counted in 120ths."""


class Format(StrEnum):
    """How an event is played; a module here is named after each."""

    LEAGUE = "league"
    LADDER = "ladder"
    SWISS = "swiss"
    ROBIN = "robin"
    KNOCKOUT = "knockout"
    ARENA = "arena"


class State(StrEnum):
    """Whether somebody who has entered is paired: `PAUSED` not for now, `OUT` never again."""

    IN = "in"
    PAUSED = "paused"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Plan:
    """How an event is played; nothing of it changes once the first heats are drawn, but for `apart`.

    Args:
        format: which module decides.
        starts_at: before this nothing is drawn; a ladder is drawn every day at this time of day. Aware, as every time.
        want: the seats of a heat, as long as enough people are there.
        least: the fewest seats of a heat; from 2 to `want`.
        rounds: how many rounds a Swiss has; of a league and a robin, None for as many as everybody needs to meet
            everybody once.
        ends_at: from then on nothing is drawn or begun, in any format. An arena needs it; a ladder without it has no
            end, and the others wait until those who pause come back.
        lives: in a knockout, how often one is among the worse half of a heat before one is out; 1 or 2.
        apart: pairs who never meet: a block, or what else keeps them apart. Who they are is nowhere to be seen.
    """

    format: Format
    starts_at: datetime
    want: int = 2
    least: int = 2
    rounds: int | None = None
    ends_at: datetime | None = None
    lives: int = 1
    apart: frozenset[Pair] = frozenset()


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who has entered.

    Args:
        person: who; a key that says nothing else.
        entered: the number of their entry from 0, in the order of entering; the same as the number of their nonce.
        rating: in points, when they entered; never changed: the seeds of a knockout, and who begins where on a ladder
            and in a league.
        state: see `State`.
        joined_round: the first round they can be drawn in: `next_round` when they entered.
        division: in a league, from 1, which is the best: before the start the one they belong to by the season before
            (`next_divisions`), None for somebody new; from the start on what `divisions` says.
        at_a_time: how many heats of theirs may run at the same time; the same for the whole event.
    """

    person: int
    entered: int
    rating: int = 1500
    state: State = State.IN
    joined_round: int = 1
    division: int | None = None
    at_a_time: int = 1


@dataclass(frozen=True, slots=True)
class Heat:
    """People who meet at one table, or one person alone: a bye.

    A heat is drawn, then begun (`due` says which), then over. A bye is over when it is drawn.

    Args:
        round: from 1. Leagues and robins draw all their rounds at once; a ladder has a round each night, an arena
            whenever people are free.
        number: in its round, from 1; in a league in the season, where a heat of a later round replaces the one whose
            number it has.
        people: who sits there, in the order of seats.
        drawn_at: when it was drawn.
        begun_at: when its match began; None before, and for ever where there is none.
        over_at: when it was over; None before.
        places: for each seat, 1 is best and equals share a place; None before it is over, and if it does not count.
    """

    round: int
    number: int
    people: tuple[int, ...]
    drawn_at: datetime
    begun_at: datetime | None = None
    over_at: datetime | None = None
    places: tuple[int, ...] | None = None

    @property
    def is_bye(self) -> bool:
        return len(self.people) == 1

    @property
    def is_over(self) -> bool:
        return self.over_at is not None


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the standings; rows come in their order, best first, in a league by division.

    Args:
        place: from 1, in a league within the division; nobody shares one.
        person: who.
        points: in 120ths; see `games.events.formats.points`.
        won: heats in which nobody else was first, byes apart.
        strength: for each heat the mean of the points of those met there, added up, in 120ths.
        heats: heats that are over and count, byes apart.
        byes: how often they had nobody to meet.
        division: in a league, from 1; else 1.
        lives: in a knockout, how many are left; else None.
    """

    place: int
    person: int
    points: int
    won: int
    strength: int
    heats: int
    byes: int
    division: int = 1
    lives: int | None = None


class Chance(Protocol):
    """The chance of one round: `games.engine.fair.FairChance` with the number of the round."""

    def many_below(self, purpose: str, n: int, count: int) -> tuple[int, ...]:
        """Return `count` numbers from 0 to n - 1, all from the stream of this purpose."""


def present(players: Iterable[Player]) -> list[Player]:
    """Return those who can be paired now, in the order of entry."""
    return sorted((player for player in players if player.state is State.IN), key=lambda player: player.entered)


def running(heats: Iterable[Heat]) -> list[Heat]:
    """Return the heats that are drawn and not over, begun or not."""
    return [heat for heat in heats if not heat.is_over]


def next_round(heats: Collection[Heat]) -> int:
    """Return the number of the round that is drawn next: of its chance, and of those who enter now."""
    return 1 + max((heat.round for heat in heats), default=0)


def is_open(plan: Plan, now: datetime) -> bool:
    """Return whether it is a time at which heats are drawn and begun."""
    return plan.starts_at <= now and not has_ended(plan, now)


def has_ended(plan: Plan, now: datetime) -> bool:
    """Return whether the time of the event is over; heats that run go on to their end."""
    return plan.ends_at is not None and plan.ends_at <= now
