"""The stones, the cards and where they lie."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from games.titles.shifting_stones.rules import patterns
from games.titles.shifting_stones.rules.patterns import (
    ADJACENT,
    CARDS,
    CELLS,
    FACES,
    OTHER_SIDE,
    TILE_SET,
    TILES,
    Card,
    Grid,
    bits_after,
    cells_of,
    flipped,
    grid_bits,
    matches,
    shifted,
)
from tests.unit.titles.shifting_stones.positions import ELSEWHERE, GRID, LYING_ONES, LYING_TWOS

SPECIFICATION = Path(__file__).resolve().parents[5] / "shared" / "rules" / "shifting_stones_patterns.json"


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """Any grid that can be laid out."""
    kinds = draw(st.permutations(TILE_SET))
    return tuple(draw(st.sampled_from(TILES[kind])) for kind in kinds)


def lies_by_the_book(card: Card, grid: Grid) -> bool:
    """Lay the printed rectangle on every offset where it fits, cell by cell."""
    rows = [grid[0:3], grid[3:6], grid[6:9]]
    height, width = len(card.rows), len(card.rows[0])
    return any(
        all(card.rows[y][x] in (None, rows[top + y][left + x]) for y in range(height) for x in range(width))
        for top in range(4 - height)
        for left in range(4 - width)
    )


def with_rows(*rows: str) -> Grid:
    return tuple(face for row in rows for face in row.split())


@pytest.mark.skipif(not SPECIFICATION.exists(), reason="the specification is not at hand")
def test_data_file_equals_the_specification() -> None:
    ours = Path(patterns.__file__).with_name("patterns.json")
    assert json.loads(ours.read_text()) == json.loads(SPECIFICATION.read_text())


def test_72_pattern_cards_with_ids_from_1() -> None:
    assert list(CARDS) == list(range(1, 73))


def test_28_cards_of_1_point_26_of_2_13_of_3_and_5_of_5() -> None:
    assert Counter(card.points for card in CARDS.values()) == {1: 28, 2: 26, 3: 13, 5: 5}


def test_no_two_cards_show_the_same_pattern() -> None:
    assert len({card.rows for card in CARDS.values()}) == 72


def test_nine_tiles_with_eight_faces() -> None:
    assert Counter(TILE_SET) == {1: 1, 2: 2, 3: 3, 4: 3}
    assert TILES == {1: ("sun", "moon"), 2: ("fish", "bird"), 3: ("horse", "boat"), 4: ("seed", "tree")}
    assert {face for card in CARDS.values() for row in card.rows for face in row} == {*FACES, None}


def test_every_tile_has_two_sides() -> None:
    assert all(OTHER_SIDE[OTHER_SIDE[face]] == face != OTHER_SIDE[face] for face in FACES)


def test_cells_are_named_from_the_top_left() -> None:
    assert CELLS == ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")


def test_twelve_swaps_of_orthogonally_adjacent_tiles() -> None:
    names = {CELLS[cell] + CELLS[other] for cell, other in ADJACENT}
    assert names == {"a1b1", "b1c1", "a2b2", "b2c2", "a3b3", "b3c3", "a1a2", "b1b2", "c1c2", "a2a3", "b2b3", "c2c3"}
    assert len(ADJACENT) == 12


@given(grids(), st.sampled_from(list(CARDS.values())))
def test_matching_is_that_of_the_printed_rectangle(grid: Grid, card: Card) -> None:
    assert matches(card.id, grid) == lies_by_the_book(card, grid)


@given(grids())
def test_all_cards_of_a_grid_by_the_book(grid: Grid) -> None:
    expected = {card.id for card in CARDS.values() if lies_by_the_book(card, grid)}
    assert {card for card in CARDS if matches(card, grid)} == expected


@given(grids(), st.sampled_from(list(CARDS.values())))
def test_cells_of_a_card_show_its_pattern(grid: Grid, card: Card) -> None:
    cells = cells_of(card.id, grid)
    shown = [grid[cell] for cell in cells]
    assert bool(cells) == matches(card.id, grid)
    assert not cells or shown == [face for row in card.rows for face in row if face is not None]


def test_cards_that_lie_on_the_grid_of_the_other_tests() -> None:
    assert {card for card in CARDS if matches(card, GRID)} == {*LYING_ONES, *LYING_TWOS}
    assert not any(matches(card, GRID) for card in ELSEWHERE)


# Card 11: boat bird, 1 x 2. Card 1: tree over bird. Card 23: seed top right, boat bottom left, 2 x 2.
@pytest.mark.parametrize("left", [0, 1])
@pytest.mark.parametrize("top", [0, 1, 2])
def test_1x2_may_lie_anywhere(top: int, left: int) -> None:
    grid = ["sun"] * 9
    grid[3 * top + left : 3 * top + left + 2] = ["boat", "bird"]
    assert matches(11, tuple(grid))


@pytest.mark.parametrize("left", [0, 1, 2])
@pytest.mark.parametrize("top", [0, 1])
def test_2x1_may_lie_anywhere(top: int, left: int) -> None:
    grid = ["sun"] * 9
    grid[3 * top + left], grid[3 * top + 3 + left] = "tree", "bird"
    assert matches(1, tuple(grid))


@pytest.mark.parametrize("left", [0, 1])
@pytest.mark.parametrize("top", [0, 1])
def test_2x2_may_lie_anywhere(top: int, left: int) -> None:
    grid = ["sun"] * 9
    grid[3 * top + left + 1], grid[3 * top + 3 + left] = "seed", "boat"
    assert matches(23, tuple(grid))


def test_patterns_are_never_rotated() -> None:
    assert CARDS[11].rows == (("boat", "bird"),)
    assert not matches(11, with_rows("boat sun fish", "bird horse horse", "seed tree tree"))


def test_patterns_are_never_mirrored() -> None:
    assert not matches(11, with_rows("bird boat fish", "sun horse horse", "seed tree tree"))


def test_patterns_do_not_run_over_the_edge() -> None:
    assert not matches(11, with_rows("sun fish boat", "bird horse horse", "seed tree tree"))


def test_1x3_fixes_the_columns_and_may_lie_in_any_row() -> None:
    assert CARDS[6].rows == ((None, None, "sun"),)
    assert {cell for cell in range(9) if matches(6, tuple("sun" if n == cell else "tree" for n in range(9)))} == {
        2,
        5,
        8,
    }


def test_3x1_fixes_the_rows_and_may_lie_in_any_column() -> None:
    assert CARDS[37].rows == (("sun",), (None,), (None,))
    assert {cell for cell in range(9) if matches(37, tuple("sun" if n == cell else "tree" for n in range(9)))} == {
        0,
        1,
        2,
    }


def test_3x3_is_fixed_in_place() -> None:
    assert CARDS[8].rows[0] == ("sun", None, None)
    assert {cell for cell in range(9) if matches(8, tuple("sun" if n == cell else "tree" for n in range(9)))} == {0}


def test_wild_cells_hold_any_tile_but_count_for_the_size() -> None:
    assert CARDS[4].rows == (("bird", None, "bird"),)
    assert matches(4, with_rows("bird sun bird", "horse horse boat", "seed tree tree"))
    assert not matches(4, with_rows("bird bird sun", "horse horse boat", "seed tree tree"))


def test_shifting_swaps_two_tiles_and_flipping_turns_one_over() -> None:
    assert shifted(GRID, 0, 3) == ("horse", "fish", "bird", "sun", "horse", "boat", "seed", "tree", "tree")
    assert flipped(GRID, 0) == ("moon", "fish", "bird", "horse", "horse", "boat", "seed", "tree", "tree")
    assert flipped(flipped(GRID, 8), 8) == GRID


@given(grids())
def test_every_move_changes_the_bits_of_its_stones_and_no_others(grid: Grid) -> None:
    for cell in range(len(CELLS)):
        assert bits_after(grid_bits(grid), (cell,)) == grid_bits(flipped(grid, cell))
    for first, second in ADJACENT:
        assert bits_after(grid_bits(grid), (first, second)) == grid_bits(shifted(grid, first, second))
