"""What an objective brings for an island, and what it promises to bring if a little were different."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import TypeAlias

from games.titles.small_islands.charts import Land, size_of, symbols_of
from games.titles.small_islands.rules import components
from games.titles.small_islands.rules.components import (
    RESOURCES,
    Objective,
    Symbols,
    fulfils,
    is_discovery,
    objective_of,
    points,
)
from games.titles.small_islands.rules.reward import LEAST_SIZE

TOKEN_WORTH = 5.5
"""What a discovery token is worth on average when two are drawn."""
_NEARLY = 0.5
"""What share of its points an island promises for each symbol that is missing."""
HOUSELESS = 0.35
"""What share of its points an island promises that has no free house symbol."""


@lru_cache(maxsize=131_072)
def gain(objective: Objective, size: int, symbols: Symbols, drawable: bool, now: bool) -> float:
    """Return what an objective would bring for an island on which a House may be placed, or promises to bring."""
    missing = lacking(objective, size, symbols)
    if now and missing:
        return 0.0
    discovers = drawable and symbols.temple > 0 and is_discovery(objective.reward)
    return (points(objective.reward, size, symbols) + TOKEN_WORTH * discovers) * _NEARLY**missing


def lacking(objective: Objective, size: int, symbols: Symbols) -> int:
    """Return how many symbols, and tiles to its least size, keep an island from fulfilling an objective."""
    missing = 0 if fulfils(objective.mission, symbols) else _missing(objective.mission, symbols)
    return missing + max(0, LEAST_SIZE - size)


def _missing(mission: int, symbols: Symbols) -> int:
    """Return how many symbols an island lacks at least to fulfil a mission that it does not."""
    card = components.MISSIONS[mission]
    match card["kind"]:
        case "more":
            return symbols.of(card["less"]) - symbols.of(card["more"]) + 1
        case "at_least":
            return sum(max(0, least - symbols.of(name)) for name, least in card["needs"].items())
        case "equal_named":
            return _unequal(card["resource"], symbols)
        case _:
            return min(_unequal(name, symbols) for name in RESOURCES)


def _unequal(resource: str, symbols: Symbols) -> int:
    """Return how many symbols keep a resource from being present in the same number as another."""
    count = symbols.of(resource)
    return min(max(count, symbols.of(name), 1) * 2 - count - symbols.of(name) for name in RESOURCES if name != resource)


# --- by land, quickly -------------------------------------------------------------------------------------------------

_REMEMBERED = 20_000


Gaining: TypeAlias = dict[Land, float]
"""What a seat may gain on each island, by its land."""


class Gains(Gaining):
    """What an objective brings a seat for each island, by its land: found out when it is first asked for.

    Args:
        objective: what is played for.
        drawable: whether discovery tokens are left.
        now: whether only what it would bring at once counts, not what it promises.
    """

    def __init__(self, objective: Objective, drawable: bool, now: bool) -> None:
        super().__init__()
        self._terms = objective, drawable, now

    def __missing__(self, land: Land) -> float:
        objective, drawable, now = self._terms
        symbols = symbols_of(land)
        worth = gain(objective, size_of(land), symbols._replace(house=0), drawable, now)
        if not symbols.house:
            worth *= 0.0 if now else HOUSELESS
        if len(self) >= _REMEMBERED:
            self.clear()
        self[land] = worth
        return worth


@lru_cache(maxsize=1024)
def gains(objective: Objective, drawable: bool, now: bool) -> Gains:
    """Return what an objective brings, see `Gains`."""
    return Gains(objective, drawable, now)


class Expected(Gaining):
    """What a seat may hope for from each island whose objective is known only as far as how likely each one is."""

    def __init__(self, chances: Mapping[Objective, float], drawable: bool, now: bool) -> None:
        super().__init__()
        self._parts = [(chance, gains(objective, drawable, now)) for objective, chance in chances.items()]

    def __missing__(self, land: Land) -> float:
        worth = 0.0
        for chance, part in self._parts:
            worth += chance * part[land]
        if len(self) >= _REMEMBERED:
            self.clear()
        self[land] = worth
        return worth


@lru_cache(maxsize=8)
def anything(advanced: bool, drawable: bool) -> Expected:
    """Return what an objective promises that has yet to be dealt."""
    decks = components.decks(advanced).values()
    objectives = [objective_of(cards) for cards in product(*decks)]
    return Expected(dict.fromkeys(objectives, 1 / len(objectives)), drawable, now=False)
