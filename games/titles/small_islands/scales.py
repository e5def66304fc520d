"""What a map is worth by what seats play for, and what one more tile would change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from games.titles.small_islands.charts import PORTS, REGIONS, TILE, TURNS, Chart, Joined, Land
from games.titles.small_islands.gains import Gaining
from games.titles.small_islands.rules.components import Cell


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
