"""Events in few words: people, heats that are over, and draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from games.engine.fair import FairChance
from games.events import formats
from games.events.formats import Format, Heat, Plan, Player

START = datetime(2027, 1, 1, 19, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SEED = bytes(range(32))


def plan(kind: str, **given: Any) -> Plan:
    usual: dict[str, Any] = {"format": Format(kind), "starts_at": START, "rounds": 5 if kind == "swiss" else None}
    return Plan(**usual | given)


def people(count: int, **given: Any) -> list[Player]:
    """Return so many people, the best rated first."""
    return [Player(**{"person": k, "entered": k, "rating": 2000 - 10 * k} | given) for k in range(count)]


def apart(*pairs: tuple[int, int]) -> frozenset[frozenset[int]]:
    return frozenset(map(frozenset, pairs))


def drawn(
    given: Plan, players: Sequence[Player], heats: Sequence[Heat] = (), now: datetime = START, seed: bytes = SEED
) -> list[Heat]:
    return formats.pair(given, players, heats, now, FairChance(seed, formats.next_round(heats)))


def over(heat: Heat, *places: int, at: datetime = START + HOUR) -> Heat:
    """Return a heat that was played; without places the earlier entries stand before the later ones."""
    by_entry = tuple(sorted(heat.people).index(person) + 1 for person in heat.people)
    return heat if heat.is_bye else replace(heat, begun_at=heat.drawn_at, over_at=at, places=places or by_entry)


def played(given: Plan, players: Sequence[Player], rounds: int) -> list[Heat]:
    """Return the heats of so many draws, each over an hour after the last."""
    heats = list[Heat]()
    for k in range(rounds):
        now = START + k * HOUR
        heats += [over(heat, at=now + HOUR) for heat in drawn(given, players, heats, now)]
    return heats


def who(heats: Sequence[Heat]) -> list[list[int]]:
    return sorted(sorted(heat.people) for heat in heats)


def byes(heats: Sequence[Heat]) -> list[int]:
    return [heat.people[0] for heat in heats if heat.is_bye]
