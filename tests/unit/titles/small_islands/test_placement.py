"""Where a tile may be placed."""

from __future__ import annotations

import pytest

from games.titles.small_islands.rules.components import FACES, Cell
from games.titles.small_islands.rules.rounds import AUTOMATIC_START
from tests.unit.titles.small_islands.positions import act, cell, legal, on_large_table, position, refused, tiles

ROW = (17, 2, 3)
HANDS = ((5, 41), (6, 7))


def test_a_tile_lies_side_by_side_with_at_least_one_tile_in_play() -> None:
    state = position(row=ROW, hands=HANDS)
    assert refused(state, "explore 1 17 5,5 0") == "not-beside"
    assert refused(state, "explore 1 17 2,2 0") == "not-beside"  # touches the block by a corner only
    assert act(state, "explore 1 17 2,1 3").state.table.board[-1].cell == Cell(2, 1)


def test_all_four_vertices_agree_with_what_is_there() -> None:
    """South of the automatic block lie sea, sea and land: only its last vertex is land."""
    board = on_large_table(AUTOMATIC_START)
    assert board.refusal("17", cell("0,2"), 2) is None  # land only on its own south side
    assert board.refusal("17", cell("0,2"), 0) == "coast-broken"
    assert board.refusal("17", cell("1,2"), 0) == "coast-broken"
    assert board.refusal("17", cell("1,2"), 1) is None  # land on its east side, as the vertex 2,2


def test_vertices_agree_with_tiles_that_only_touch_by_a_corner() -> None:
    """The cell 1,0 lies side by side with 0,0 and touches 2,1 at the vertex 2,1, which is land."""
    board = on_large_table(tiles("1 0,0 0", "1 1,1 1", "2 2,1 0"))
    assert board.refusal("12", cell("1,0"), 0) == "coast-broken"
    assert board.refusal("12", cell("1,0"), 2) is None


@pytest.mark.parametrize("where", ["0,0", "1,1"])
def test_a_cell_holds_one_tile(where: str) -> None:
    assert refused(position(row=ROW, hands=HANDS), f"explore 1 17 {where} 0") == "cell-taken"


def test_the_landscape_must_continue_on_all_sides_and_corners() -> None:
    assert refused(position(row=ROW, hands=HANDS), "explore 1 17 0,-1 2") == "coast-broken"


def test_rotation_is_free() -> None:
    texts = legal(position(row=ROW, hands=HANDS, tokens=()))
    turns = {text.split(" ")[4] for text in texts if text.startswith("explore 1 17 2,1 ") and "token" not in text}
    assert turns == {"3"}
    assert {text.split(" ")[4] for text in texts if text.startswith("explore 1 17 ")} == {"0", "1", "2", "3"}


def test_ships_are_placed_by_the_same_rules_and_set_their_vertices_to_sea() -> None:
    board = on_large_table((*AUTOMATIC_START, *tiles("grey 1,-1 0")))
    assert on_large_table(AUTOMATIC_START).refusal("grey", cell("-1,0"), 0) == "coast-broken"
    assert on_large_table(AUTOMATIC_START).refusal("grey", cell("1,-1"), 0) is None
    assert board.refusal("1", cell("2,-1"), 0) == "coast-broken"  # NW would be the ship's NE
    assert board.refusal("1", cell("2,-1"), 1) is None


def test_tiles_may_be_placed_beside_ships() -> None:
    only_beside_the_ship = on_large_table((*AUTOMATIC_START, *tiles("grey 1,-1 0"))).refusal("17", cell("1,-2"), 0)
    assert only_beside_the_ship is None


def test_a_first_tile_lies_on_0_0() -> None:
    assert on_large_table(()).spots("S1A") == [(Cell(0, 0), turn) for turn in range(4)]
    assert on_large_table(()).refusal("S1A", cell("1,0"), 0) == "first-elsewhere"


def test_gaps_stand_topmost_first_then_leftmost() -> None:
    cells = [gap.cell for gap in on_large_table(AUTOMATIC_START).gaps]
    assert cells == [Cell(0, -1), Cell(1, -1), Cell(-1, 0), Cell(2, 0), Cell(-1, 1), Cell(2, 1), Cell(0, 2), Cell(1, 2)]


def test_an_inland_tile_lies_the_same_in_every_turn() -> None:
    assert {lying.corners for lying in FACES["52"].lying} == {0b1111}
