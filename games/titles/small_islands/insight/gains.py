"""What an objective brings for an island, and what it promises to bring if a little were different.

By that a map has a worth for each seat, and a tile a worth where it fits (`Scales`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from games.titles.small_islands.insight.charts import (
    PORTS,
    REGIONS,
    TILE,
    TURNS,
    Chart,
    Joined,
    Land,
    size_of,
    symbols_of,
)
from games.titles.small_islands.rules import components
from games.titles.small_islands.rules.components import (
    RESOURCES,
    Cell,
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


# --- what a map is worth by what seats play for, and what one more tile would change ----------------------------------


class Stake(NamedTuple):
    """What a seat may gain, and how much that matters to whoever weighs it.

    Args:
        seat: whose Houses count.
        gains: what it may gain on each island.
        houses: on how many islands.
        weight: negative for what others may gain.
    """

    seat: int
    gains: Gaining
    houses: int
    weight: float


Place: TypeAlias = tuple[float, int, Cell, tuple[int, ...]]
"""A place for a tile: what the map would weigh with it, the tile, the cell, and the turns for which that is so."""

weight_of = itemgetter(0)


def gained(chart: Chart, seat: int, gains: Gaining, houses: int) -> float:
    """Return what a seat may gain with this many Houses on islands where it has none."""
    bit, residents = 1 << seat, chart.residents
    found = [gains[land] for island, land in chart.land.items() if not residents[island] & bit]
    return sum(sorted(found, reverse=True)[:houses])


class Scales:
    """Weighs a map by some stakes.

    Args:
        chart: the map; scales must not be asked any more when it has changed.
        stakes: what counts.
        ports: what a Port counts on each cell, where it does.

    Attributes:
        total: what the map weighs as it is.
    """

    __slots__ = ("_chart", "_ports", "_stakes", "total")

    def __init__(self, chart: Chart, stakes: Sequence[Stake], ports: Mapping[Cell, float]) -> None:
        self._chart, self._ports = chart, ports
        self._stakes: list[tuple[int, Stake, list[tuple[float, int]]]] = []
        self.total = 0.0
        for stake in stakes:
            if stake.houses and stake.weight:
                bit, residents, gains = 1 << stake.seat, chart.residents, stake.gains
                ranked = [(gains[land], island) for island, land in chart.land.items() if not residents[island] & bit]
                ranked.sort(reverse=True)
                self._stakes.append((bit, stake, ranked))
                self.total += stake.weight * sum([gain for gain, _ in ranked[: stake.houses]])

    def places(self, tiles: Sequence[int]) -> Iterator[Place]:
        """Yield every place for each of these tiles."""
        fitting: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
        for cell, key in self._chart.gaps.items():
            if key not in fitting:
                fitting[key] = [(tile, turns) for tile in tiles if (turns := TURNS[str(tile)][key])]
            if fitting[key]:
                yield from self._in_gap(cell, fitting[key])

    def _in_gap(self, cell: Cell, fitting: Sequence[tuple[int, tuple[int, ...]]]) -> Iterator[Place]:
        """Yield the places in one gap.

        A tile with one region joins the same islands however it is turned: its land meets all the land around it.
        """
        joined, bonus = self._chart.joined(cell), self._ports.get(cell, 0.0)
        (elsewhere, open_to), known = self._elsewhere(joined), dict[Land, float]()
        for tile, turns in fitting:
            face = str(tile)
            port, regions = bonus * PORTS[face], REGIONS[face]
            if len(regions) > 1:
                for turn in turns:
                    yield self._with(self._chart.made(face, cell, turn)) + port, tile, cell, (turn,)
                continue
            own = regions[0]
            if own not in known:
                land, total = joined.land + TILE + own, elsewhere
                for gains, last, weight in open_to:
                    gain = gains[land]
                    if gain > last:
                        total += weight * (gain - last)
                known[own] = total
            yield known[own] + port, tile, cell, turns

    def _with(self, made: Sequence[Joined]) -> float:
        """Return what the map would weigh with these islands in the place of those they join."""
        islands = frozenset[int]().union(*(joined.islands for joined in made))
        total = 0.0
        for bit, stake, ranked in self._stakes:
            found = [gain for gain, island in ranked if island not in islands]
            found += [stake.gains[joined.land] for joined in made if not joined.residents & bit]
            total += stake.weight * sum(sorted(found, reverse=True)[: stake.houses])
        return total

    def _elsewhere(self, joined: Joined) -> tuple[float, list[tuple[Gaining, float, float]]]:
        """Return what the map would weigh without the islands that are joined.

        And for each stake whose seat may settle what they become, what that may gain, what the last House would gain
        elsewhere, and the weight.
        """
        islands, total, open_to = joined.islands, 0.0, []
        for bit, (_, gains, houses, weight), ranked in self._stakes:
            rest = [gain for gain, island in ranked if island not in islands]
            total += weight * sum(rest[:houses])
            if not joined.residents & bit:
                open_to.append((gains, rest[houses - 1] if len(rest) >= houses else 0.0, weight))
        return total, open_to
