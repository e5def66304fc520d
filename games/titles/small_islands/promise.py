"""What an objective is worth to a seat: the points it would bring now, and those it promises."""

from __future__ import annotations

from functools import lru_cache

from games.titles.small_islands.objectives import (
    MISSIONS,
    Objective,
    fulfils,
    is_discovery,
    points,
)
from games.titles.small_islands.reward import LEAST_SIZE
from games.titles.small_islands.state import Table
from games.titles.small_islands.tiles import RESOURCES, Symbols

TOKEN_WORTH = 5.5
"""What a discovery token is worth on average when two are drawn."""
_NEARLY = 0.5
"""What share of its points an island promises for each symbol that is missing."""
_HOUSELESS = 0.35
"""What share of its points an island promises that has no free house symbol."""


def worth(table: Table, seat: int, objective: Objective) -> float:
    """Return what an objective would bring a seat now."""
    return _sum(table, seat, objective, now=True)


def promise(table: Table, seat: int, objective: Objective) -> float:
    """Return what an objective would bring a seat now, and some of what it would bring if a little were different."""
    return _sum(table, seat, objective, now=False)


def _sum(table: Table, seat: int, objective: Objective, *, now: bool) -> float:
    found, houses = table.islands, table.houses
    taken, own = {house.site for house in houses}, {house.site for house in houses if house.seat == seat}
    drawable = table.discovery_tokens_left > 0
    gains = []
    for island in found.all:
        gain = _gain(objective, island.size, island.symbols, drawable, now)
        if gain and own.isdisjoint(island.sites):
            if any(found.symbols[site].house and site not in taken for site in island.sites):
                gains.append(gain)
            elif not now:
                gains.append(gain * _HOUSELESS)
    gains.sort(reverse=True)
    return sum(gains[: table.houses_in_hand(seat)])


@lru_cache(maxsize=131_072)
def _gain(objective: Objective, size: int, symbols: Symbols, drawable: bool, now: bool) -> float:
    """Return what an objective would bring for an island on which a House may be placed, or promises to bring."""
    missing = 0 if fulfils(objective.mission, symbols) else _missing(objective.mission, symbols)
    missing += max(0, LEAST_SIZE - size)
    if now and missing:
        return 0.0
    discovers = drawable and symbols.temple > 0 and is_discovery(objective.reward)
    return (points(objective.reward, size, symbols) + TOKEN_WORTH * discovers) * _NEARLY**missing


def _missing(mission: int, symbols: Symbols) -> int:
    """Return how many symbols an island lacks at least to fulfil a mission that it does not."""
    card = MISSIONS[mission]
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
