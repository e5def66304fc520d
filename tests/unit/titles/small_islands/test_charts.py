"""A chart says of a map what the rules say."""

from __future__ import annotations

import pytest

from games.engine.contract.playouts import Chooser, random_match
from games.titles.small_islands import GAME
from games.titles.small_islands.insight import promise, worth
from games.titles.small_islands.insight.charts import Chart, chart_of, size_of, symbols_of
from games.titles.small_islands.insight.gains import Scales, Stake, gained, gains
from games.titles.small_islands.rules.components import OBJECTIVES, Symbols
from games.titles.small_islands.rules.reward import free_sites
from games.titles.small_islands.rules.scoring import ports_around
from games.titles.small_islands.rules.state import Table
from tests.unit.titles.small_islands.positions import SEED


def tables(seats: int) -> list[Table]:
    return [play.state.table for play in random_match(GAME, seats, {}, SEED, Chooser(SEED)).sample()]


def told(chart: Chart) -> set[tuple[frozenset[object], int, Symbols]]:
    """Return of each island its regions, its size and what counts on it."""
    return {(frozenset(chart.regions(n)), size_of(land), symbols_of(land)) for n, land in chart.land.items()}


@pytest.mark.parametrize("seats", [2, 4])
def test_a_chart_knows_islands_gaps_ports_and_residents_as_the_rules_do(seats: int) -> None:
    for table in tables(seats):
        chart = chart_of(table)
        assert told(chart) == {
            (frozenset(it.sites), it.size, it.symbols._replace(house=len(free_sites(table, it))))
            for it in table.islands.all
        }
        assert chart.gaps == {cell: fixed << 4 | land for cell, fixed, land in table.placement.gaps}
        assert all(chart.ports_around(cell) == ports_around(table, cell) for cell in chart.gaps)
        for island in table.islands.all:
            bits = chart.residents[chart.number(island.sites[0])]
            assert {seat for seat in range(seats) if bits >> seat & 1} == table.residents(island.sites)


def test_what_a_tile_would_make_is_what_it_makes_and_a_copy_stays_as_it_is() -> None:
    table = tables(2)[-3]
    chart = chart_of(table)
    before = told(chart)
    stakes = [Stake(0, gains(OBJECTIVES[1], drawable=True, now=False), 3, 1.0)]
    stakes += [Stake(1, gains(OBJECTIVES[10], drawable=True, now=False), 4, -0.5)]
    scales, tiles = Scales(chart, stakes, {}), [tile for tile in range(1, 57) if tile % 4 == 0]
    for weight, tile, cell, turns in scales.places(tiles):
        assert set(turns) <= {turn for where, turn in table.placement.spots(str(tile)) if where == cell}
        after = chart.copy()
        after.place(str(tile), cell, turns[-1])
        assert weight == pytest.approx(Scales(after, stakes, {}).total)
        assert {joined.land for joined in chart.made(str(tile), cell, turns[-1])} <= set(after.land.values())
    assert told(chart) == before
    assert len({(tile, cell, turn) for _, tile, cell, turns in scales.places(tiles) for turn in turns}) == sum(
        len(table.placement.spots(str(tile))) for tile in tiles
    )


@pytest.mark.parametrize("seats", [2, 4])
def test_objectives_gain_on_a_chart_what_they_are_worth(seats: int) -> None:
    for table in tables(seats):
        chart, drawable, houses = chart_of(table), table.discovery_tokens_left > 0, table.houses_in_hand(1)
        for objective in OBJECTIVES.values():
            now, then = (gained(chart, 1, gains(objective, drawable, now), houses) for now in (True, False))
            assert now == worth(table, 1, objective)
            assert then == pytest.approx(promise(table, 1, objective))
