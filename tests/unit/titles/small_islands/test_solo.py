"""Alone against Alexis: the set-up, his turn and where he explores."""

from __future__ import annotations

from collections import Counter

import pytest

from games.engine.fair import FairChance, Stream
from games.engine.protocol import Seat
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.components import Cell
from games.titles.small_islands.rules.events import (
    ExpeditionDrawn,
    ExpeditionShuffled,
    RowRefilled,
    TilePlaced,
    TilePutBack,
)
from games.titles.small_islands.rules.rounds import AUTOMATIC_START
from tests.unit.titles.small_islands.alone import (
    DECK,
    LAND,
    LARGEST,
    LAST_PLACED,
    MOST_TEMPLES,
    SMALLEST,
    WALLED,
    his_place,
    his_turn,
)
from tests.unit.titles.small_islands.choosers import random_plays
from tests.unit.titles.small_islands.positions import SEED, act, begin, choose_all, kinds, position, tiles, token, told

# --- set-up ---------------------------------------------------------------------------------------------------------


def test_you_are_first_and_alexis_is_seat_1_in_turn_order() -> None:
    table = begin(1).table
    assert (table.starter, table.players, table.seats) == (0, 2, 1)


def test_alexis_has_no_objective_tiles_or_tokens() -> None:
    state = choose_all(begin(1)).state
    assert (len(state.hands), len(state.kept), len(state.dealt)) == (1, 1, 1)
    assert {mark.seat for mark in random_plays(1, "tokens")[-1].state.table.tokens} == {0}


def test_ships_are_yours_and_3_grey() -> None:
    table = begin(1).table
    assert (table.own_ship_left(0), table.own_ship_left(1), table.grey_ships_left) == (True, False, 3)


@pytest.mark.parametrize(("card", "explore", "land"), [("morning", 8, 2), ("afternoon", 7, 3), ("night", 6, 4)])
def test_the_cards_number_of_explore_and_land_cards_are_shuffled_into_the_expedition(
    card: str, explore: int, land: int
) -> None:
    chosen = Stream(SEED, "0:expedition-explore").shuffle(range(1, 11))[:explore]
    state = begin(1, alexis=card)
    assert state.expedition == Stream(SEED, "0:expedition").shuffle([*chosen, *[LAND] * land])
    assert state.table.expedition_cards == ()


# --- his turn -------------------------------------------------------------------------------------------------------


def test_his_turn_he_draws_one_card_inside_your_action() -> None:
    state = position(1, row=(17, 2, 3), deck=DECK, expedition=(LAND, 5, 6))
    step = act(state, "explore 1 17 2,1 3")
    assert kinds(step.events) == ["placed", "refilled", "expedition", "placed", "refilled"]
    assert told(step, ExpeditionDrawn) == [ExpeditionDrawn(None, LAND)]
    assert step.state.expedition == (5, 6)
    assert step.state.table.expedition_discards == (LAND,)
    assert GAME.to_move(step.state) == {0}


def test_he_takes_the_face_up_tile_of_his_slot_and_the_row_is_refilled() -> None:
    step = his_turn(AUTOMATIC_START, (1, 2, 15), LARGEST[2])
    assert (told(step, TilePlaced)[0].slot, told(step, TilePlaced)[0].tile) == (3, 15)
    assert told(step, RowRefilled) == [RowRefilled(None, 3, 20, "navigation")]
    assert step.state.table.board[-1].seat == 1


@pytest.mark.parametrize(
    ("row", "card", "slot"),
    [((15, None, 16), 2, 3), ((15, None, None), 3, 1), ((None, None, 16), 1, 3), ((None, 15, None), 1, 2)],
)
def test_if_his_slot_is_empty_he_takes_the_next_filled_one_1_after_3(
    row: tuple[int | None, ...], card: int, slot: int
) -> None:
    assert told(his_turn(AUTOMATIC_START, row, card, deck=()), TilePlaced)[0].slot == slot


def test_an_empty_expedition_is_reshuffled_from_the_discards_oldest_first() -> None:
    step = his_turn(AUTOMATIC_START, (15, 16, 17), expedition_discards=(3, LAND, 7, 1))
    stack = Stream(SEED, "17:expedition").shuffle([3, LAND, 7, 1])
    assert told(step, ExpeditionShuffled) == [ExpeditionShuffled(None, 4)]
    assert told(step, ExpeditionDrawn) == [ExpeditionDrawn(None, stack[0])]
    assert step.state.expedition == stack[1:]
    assert step.state.table.expedition_discards == stack[:1]
    assert step.state.table.expedition_cards == (LAND, 1, 3, 7)


def test_the_expedition_is_reshuffled_only_when_he_must_draw() -> None:
    step = his_turn(AUTOMATIC_START, (15, 16, 17), 5)
    assert (step.state.expedition, step.state.table.expedition_discards) == ((), (5,))


# --- where he explores ----------------------------------------------------------------------------------------------

TWO_ISLANDS = tiles("16 0,0 2", "17 1,0 2", "56 0,-7 0")
"""In the south two shores with land on their south sides, in the north an inland tile with two temples."""


def test_he_joins_the_largest_island() -> None:
    assert his_place(TWO_ISLANDS, 15, LARGEST[0]) == (Cell(-1, 0), 2)


def test_he_joins_the_island_with_most_temples() -> None:
    assert his_place(TWO_ISLANDS, 15, MOST_TEMPLES[0]) == (Cell(0, -8), 2)


def test_he_joins_the_smallest_island_also_one_of_one_tile() -> None:
    assert his_place(TWO_ISLANDS, 15, SMALLEST) == (Cell(0, -8), 2)


def test_he_places_next_to_the_tile_placed_last_where_land_need_not_join() -> None:
    board = tiles("17 0,0 2", "grey 0,-1 0")
    assert his_place(board, 1, LAST_PLACED[0]) == (Cell(0, -2), 0)


def test_last_placed_at_first_s4() -> None:
    assert his_place(AUTOMATIC_START, 15, LAST_PLACED[0]) == (Cell(2, 1), 3)


def test_last_placed_is_at_first_the_last_start_tile_placed_by_hand() -> None:
    assert his_place(AUTOMATIC_START[::-1], 15, LAST_PLACED[0]) == (Cell(0, -1), 3)


def test_last_placed_is_the_tile_you_just_placed() -> None:
    state = position(1, row=(17, 2, 3), deck=(15, *DECK), expedition=(LAST_PLACED[0],))
    step = act(state, "explore 1 17 2,1 3")
    assert told(step, TilePlaced)[1].cell == Cell(3, 1)


def test_of_several_equal_islands_each_is_a_target() -> None:
    """Both islands of the block have two tiles; of the places beside either the topmost is taken."""
    both = {his_place(AUTOMATIC_START[::order], 1, LARGEST[0]) for order in (1, -1)}
    assert both == {(Cell(0, -1), 3)}


def test_values_are_those_before_placing() -> None:
    """The tile itself has a temple; before, the northern island has the only ones."""
    assert his_place(TWO_ISLANDS, 26, MOST_TEMPLES[0]) == (Cell(0, -8), 2)


def test_symbols_under_tokens_do_not_change_temples_but_ports_and_resources_are_no_target() -> None:
    laid = (token("0 any port 1,0 E"), token("0 fruit fruit 1,0 leaf"))
    assert his_place(TWO_ISLANDS, 15, MOST_TEMPLES[0], tokens=laid) == (Cell(0, -8), 2)


def test_ties_most_vertices_already_set() -> None:
    board = tiles("52 0,0 0", "53 1,1 0")  # 1,0 and 0,1 touch both
    assert his_place(board, 54, LARGEST[0]) == (Cell(1, 0), 0)


def test_ties_then_topmost() -> None:
    assert his_place(WALLED, 15, LARGEST[0]) == (Cell(0, -1), 2)


def test_ties_then_leftmost() -> None:
    assert his_place(tiles("17 0,0 0"), 1, LARGEST[0]) == (Cell(-1, 0), 1)


def test_ties_then_fewest_turns() -> None:
    assert his_place(WALLED, 41, LARGEST[0]) == (Cell(0, -1), 1)
    assert his_place(WALLED, 53, LARGEST[0]) == (Cell(0, -1), 0)


def test_no_such_place_any_legal_place_by_the_same_ties() -> None:
    board = tiles("56 0,0 0", "1 5,5 0")
    assert his_place(board, 2, MOST_TEMPLES[0]) == (Cell(5, 4), 3)


def test_no_legal_place_the_tile_goes_under_the_reserve() -> None:
    step = his_turn(WALLED, (1, 2, 3), LARGEST[1])
    assert told(step, TilePutBack) == [TilePutBack(None, 1, 2, 2, 2, known=True)]
    assert step.state.deck == (*range(21, 40), 2)
    assert step.state.table.row == (1, 20, 3)
    assert GAME.view_for(step.state, None).returned == (2,)


# --- whole matches --------------------------------------------------------------------------------------------------


def test_a_whole_match_uses_each_expedition_card_as_often_as_it_is_in_the_stack() -> None:
    states = [play.state for play in random_plays(1, "cards")]
    stack = Counter(states[0].expedition)
    assert all(Counter((*state.expedition, *state.table.expedition_discards)) == stack for state in states)


def test_labels_of_his_chance_have_the_number_of_your_action() -> None:
    state = position(1, row=(17, 2, 3), deck=DECK, expedition=(), expedition_discards=(5, 6))
    chance = FairChance(SEED, 29)
    GAME.apply(state, Seat(0), GAME.parse("explore 1 17 2,1 3"), chance)
    assert chance.labels == ("29:expedition",)
