"""The edge of the table: no tile, start tile or ship crosses it, and Alexis keeps to it as well."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.engine.fair import FairChance
from games.engine.protocol import OptionError, complete_options
from games.titles import rules_of
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.alexis import best_place
from games.titles.small_islands.rules.components import Cell
from games.titles.small_islands.rules.islands import Board, placement
from games.titles.small_islands.rules.rounds import REACHES
from tests.unit.titles.small_islands.positions import SEED, act, begin, legal, position, refused, tiles

SMALL = REACHES["small"]


def row_of_ships(start: int, end: int, y: int = 0) -> Board:
    """Return ships side by side from one column to another: nothing but sea, so that most tiles fit beside them."""
    return tiles(*(f"grey {x},{y} 0" for x in range(start, end + 1)))


@pytest.mark.parametrize(("table", "reach"), [("large", 11), ("small", 4)])
def test_the_table_is_as_wide_on_every_side_of_the_block_in_the_middle(table: str, reach: int) -> None:
    assert begin(table=table).table.reach == reach
    columns = {gap.cell.x for gap in placement(row_of_ships(-reach, reach + 1), reach).gaps}
    assert (min(columns), max(columns)) == (-reach, reach + 1)
    down = tiles(*(f"grey 0,{y} 0" for y in range(-reach, reach + 2)))
    rows = {gap.cell.y for gap in placement(down, reach).gaps}
    assert (min(rows), max(rows)) == (-reach, reach + 1)


def test_the_table_is_large_if_nothing_else_is_chosen() -> None:
    assert begin() == begin(table="large")


@pytest.mark.parametrize(("row", "where"), [((-4, 0), "-5,0"), ((0, 5), "6,0")])
def test_no_tile_and_no_ship_crosses_the_edge(row: tuple[int, int], where: str) -> None:
    state = position(row=(17, 2, 3), hands=((5, 41), (6, 7)), board=row_of_ships(*row), reach=SMALL, navigation=0)
    assert refused(state, f"explore 1 17 {where} 0") == "beyond-the-edge"
    assert refused(state, f"land own {where}") == "beyond-the-edge"
    texts = legal(state)
    assert not any(f" {where}" in text for text in texts)
    assert f"land own {row[0]},1" in texts


def test_a_vertex_on_the_edge_is_bound_by_nothing() -> None:
    """In the corner of the table, north of a ship, a tip may turn its land to the north, where nothing lies."""
    found = placement(row_of_ships(-4, -4, -3), SMALL)
    assert [turn for turn in range(4) if found.refusal("1", Cell(-4, -4), turn) is None] == [0, 1]


def test_start_tiles_by_hand_keep_to_the_table() -> None:
    state = begin(start="by_hand", table="small")
    state = act(state, "start S1A 0,0 0").state
    state = replace(state, table=replace(state.table, board=tiles("grey 0,-4 0")))
    assert refused(state, "start S2A 0,-5 0") == "beyond-the-edge"
    cells = {text.split(" ")[2] for text in legal(state)}
    assert cells == {"-1,-4", "1,-4", "0,-3"}


@pytest.mark.parametrize("target", ["largest", "smallest", "most_temples", "last_placed"])
def test_alexis_keeps_to_the_table(target: str) -> None:
    """The only tile lies in the corner of the table, with land all around: he places beside it, not outside."""
    table = replace(begin(1, table="small").table, board=tiles("52 -4,-4 0"))
    found = best_place(table, 17, target)
    assert found is not None
    assert found.cell == Cell(-3, -4)


def test_alexis_lands_on_the_table() -> None:
    table = replace(begin(1, table="small").table, board=tiles("grey -4,-4 0"))
    assert [gap.cell for gap in table.placement.gaps] == [Cell(-3, -4), Cell(-4, -3)]


def test_a_match_of_the_first_version_has_no_edge() -> None:
    first = rules_of("small-islands", 1)
    assert (first.version, rules_of("small-islands", 2)) == (1, GAME)
    with pytest.raises(OptionError):
        complete_options(first, 2, {"table": "small"})
    state = first.start(2, complete_options(first, 2, {}), FairChance(SEED, 0)).state
    far = replace(state.table, board=row_of_ships(11, 12))
    assert far.placement.refusal("grey", Cell(13, 0), 0) is None


def test_rules_that_were_not_kept_are_those_of_today() -> None:
    assert rules_of("small-islands", 99) is GAME
    assert rules_of("small-islands", None) is GAME
