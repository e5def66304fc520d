"""Alone against Alexis."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from games.engine.fair import FairChance, Stream
from games.engine.protocol import Seat, Step
from games.titles.small_islands import GAME
from games.titles.small_islands.chart import Board
from games.titles.small_islands.events import (
    ExpeditionDrawn,
    ExpeditionShuffled,
    HousePlaced,
    RowRefilled,
    Settled,
    ShipPlaced,
    Stranded,
    TilePlaced,
    TilePutBack,
)
from games.titles.small_islands.geometry import Cell
from games.titles.small_islands.scoring import Tally
from games.titles.small_islands.setup import AUTOMATIC_START
from games.titles.small_islands.state import Discovery, State
from tests.titles.small_islands.choosers import random_plays
from tests.titles.small_islands.positions import (
    SEED,
    act,
    begin,
    choose_all,
    house,
    kinds,
    position,
    site,
    tiles,
    token,
    told,
)

LAND = 0
LARGEST, MOST_TEMPLES, LAST_PLACED = (1, 2, 3), (4, 5, 6), (7, 8, 9)
"""The Explore cards by target, for the slots 1, 2 and 3."""
SMALLEST = 10
WALLED = tiles("52 0,0 0")
DECK = tuple(range(20, 40))


def his_turn(board: Board, row: tuple[int | None, ...], *cards: int, **changes: Any) -> Step[State]:
    """Let Alexis begin the second round with these expedition cards, inside the player's choice."""
    fields: dict[str, Any] = {"deck": DECK, "round": 2, **changes}
    state = position(
        1, phase="choose", chosen=(False,), turn=1, starter=1, board=board, row=row, expedition=cards, **fields
    )
    return choose_all(state, number=17)


def his_place(board: Board, tile: int, card: int, **changes: Any) -> tuple[Cell, int]:
    """Return where Alexis places a tile, the cell and the turn."""
    (placed,) = told(his_turn(board, (tile, tile, tile), card, **changes), TilePlaced)
    return placed.cell, placed.turn


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


# --- landing --------------------------------------------------------------------------------------------------------


def land(board: Board = AUTOMATIC_START, **changes: Any) -> Step[State]:
    fields: dict[str, Any] = {"navigation": 0, **changes}
    return his_turn(board, (15, 16, 17), LAND, **fields)


def test_he_lands_with_a_grey_ship_and_the_reward_phase_begins_with_him() -> None:
    step = land()
    assert told(step, ShipPlaced) == [ShipPlaced(None, 1, "grey", Cell(1, -1))]
    table = step.state.table
    assert (table.phase, table.starter, table.turn) == ("reward", 1, 0)
    assert table.board[-1].seat == 1
    assert "settled" in kinds(step.events)


def test_he_explores_with_slot_1_largest_instead_while_the_navigation_stack_is_not_empty() -> None:
    step = land(navigation=1)
    assert told(step, ShipPlaced) == []
    assert (told(step, TilePlaced)[0].slot, told(step, TilePlaced)[0].tile) == (1, 15)
    assert told(step, TilePlaced)[0].cell == his_place(AUTOMATIC_START, 15, LARGEST[0])[0]


def test_he_explores_instead_when_no_grey_ship_is_left() -> None:
    board = (*AUTOMATIC_START, *tiles("grey 0,2 0 0", "grey 0,3 0 1", "grey 0,4 0 1"))
    assert told(land(board), TilePlaced)[0].tile == 15


def test_he_explores_instead_when_no_place_is_left_for_a_ship() -> None:
    assert told(land(WALLED), TilePlaced)[0].tile == 15


def test_his_ship_goes_where_the_fewest_ports_are_on_the_8_tiles_around() -> None:
    assert told(land(), ShipPlaced)[0].cell == Cell(1, -1)  # two Ports lie around 0,2
    laid = (token("0 leaf port 0,0 N"), token("0 fruit port 0,0 S"), token("0 any port 1,0 E"))
    assert told(land(tokens=laid), ShipPlaced)[0].cell == Cell(0, 2)


def test_then_beside_a_largest_island() -> None:
    board = tiles("16 0,0 2", "17 1,0 2", "15 0,-5 2")
    assert told(land(board), ShipPlaced)[0].cell == Cell(0, -1)


def test_then_topmost_then_leftmost() -> None:
    assert told(land(tiles("16 0,0 2", "15 0,-5 2")), ShipPlaced)[0].cell == Cell(0, -6)
    assert told(land(tiles("16 0,0 2", "17 1,0 2")), ShipPlaced)[0].cell == Cell(0, -1)


def test_with_no_face_up_tile_he_draws_no_card_and_lands_if_he_can() -> None:
    step = his_turn(AUTOMATIC_START, (None, None, None), LARGEST[0], deck=(), navigation=0)
    assert told(step, ExpeditionDrawn) == []
    assert told(step, ShipPlaced)[0].seat == 1
    assert step.state.expedition == (LARGEST[0],)


def test_with_no_face_up_tile_and_no_ship_to_place_end_2_applies_to_him() -> None:
    step = his_turn(WALLED, (None, None, None), LARGEST[0], deck=(), navigation=0)
    assert told(step, Stranded) == [Stranded(None, 1)]
    assert told(step, ExpeditionDrawn) == []
    assert (step.state.table.phase, step.state.table.starter, step.state.table.turn) == ("reward", 1, 0)
    over = act(step.state, "settle").state
    assert over.table.end == "stranded"
    assert GAME.outcome(over) is not None


def test_end_2_applies_to_you_as_to_everybody() -> None:
    state = position(1, row=(1, None, None), hands=((4, 52),), deck=(), navigation=0, board=WALLED, expedition=(1,))
    step = act(state, "explore 1 52 1,0 0")
    assert told(step, Stranded) == [Stranded(None, 1)]  # his turn comes first


def test_the_player_after_the_one_who_landed_is_first() -> None:
    """You landed, so Alexis begins the next round, inside your choice; he landed, so you do."""
    mine = position(1, phase="reward", starter=0, turn=0, objective=(7, 9), deck=DECK)
    after = act(mine, "settle").state
    assert (after.table.phase, after.table.starter) == ("choose", 1)
    assert "expedition" in kinds(choose_all(after).events)
    his = position(1, phase="reward", starter=1, turn=0, objective=(7, 9), deck=DECK)
    after = act(his, "settle").state
    assert (after.table.phase, after.table.starter) == ("choose", 0)
    assert kinds(choose_all(after).events) == ["chosen", "kept", "exploration"]


def test_your_choice_reveals_only_when_alexis_acts_in_it() -> None:
    assert not choose_all(begin(1)).reveals
    assert his_turn(AUTOMATIC_START, (15, 16, 17), 5).reveals


# --- his Houses -----------------------------------------------------------------------------------------------------

THREE = (*AUTOMATIC_START, *tiles("18 0,-3 0", "4 -1,-3 1", "5 1,-3 0"))
"""An island of three tiles with two flowers and two fruits, one with a temple and a fruit (1,0), one with a flower
and a leaf (0,0)."""


def settled(card: str, **changes: Any) -> Step[State]:
    """Let Alexis place his Houses after the player has placed none."""
    fields: dict[str, Any] = {"board": THREE, "deck": DECK, "objective": (12, 9), **changes}
    return act(position(1, phase="reward", alexis=card, **fields), "settle")


def his_houses(step: Step[State]) -> list[str]:
    return [f"{place.site.cell.x},{place.site.cell.y}" for place in told(step, HousePlaced) if place.seat == 1]


@pytest.mark.parametrize(
    ("card", "places"),
    [("morning", ["-1,-3"]), ("afternoon", ["1,0", "-1,-3"]), ("night", ["-1,-3", "0,0"])],
)
def test_in_each_reward_phase_he_places_his_cards_number_of_houses_by_his_preference(
    card: str, places: list[str]
) -> None:
    """Size; temples, then size; the three resources together, then size."""
    step = settled(card)
    assert his_houses(step) == places
    assert told(step, Settled)[1] == Settled(None, 1, len(places), 4)


def test_his_houses_ties_by_the_free_house_symbol_topmost_then_leftmost() -> None:
    assert his_houses(settled("morning", board=AUTOMATIC_START)) == ["0,0"]
    assert his_houses(settled("morning", houses=(house(0, "-1,-3"),))) == ["0,-3"]


def test_his_houses_region_1_of_a_channel_comes_first() -> None:
    board = tiles("38 0,0 0", "4 0,-1 3")
    step = settled("morning", board=board)
    assert [place.site for place in told(step, HousePlaced)] == [site("0,-1")]
    again = settled("morning", board=board, houses=(house(0, "0,-1"),))
    assert [place.site for place in told(again, HousePlaced)] == [site("0,0.1")]


def test_his_houses_only_on_islands_of_2_or_more_tiles_with_a_free_symbol_and_none_of_his() -> None:
    assert his_houses(settled("morning", board=tiles("5 0,0 0"))) == []
    assert his_houses(settled("night", board=AUTOMATIC_START, houses=(house(1, "0,0"),))) == ["1,0"]
    full = (house(0, "0,0"), house(0, "0,1"), house(0, "1,0"))
    assert his_houses(settled("night", board=AUTOMATIC_START, houses=full)) == []


def test_he_settles_in_turn_order() -> None:
    assert kinds(settled("morning").events)[:4] == ["revealed", "settled", "house", "settled"]
    first = land()
    assert kinds(first.events)[-3:] == ["landed", "house", "settled"]
    assert GAME.to_move(first.state) == {0}


# --- the end --------------------------------------------------------------------------------------------------------


def over(card: str = "morning", **changes: Any) -> State:
    fields: dict[str, Any] = {"deck": (), "objective": (7, 9), **changes}
    return act(position(1, phase="reward", starter=1, turn=0, alexis=card, **fields), "settle").state


@pytest.mark.parametrize(("card", "points"), [("morning", 30), ("afternoon", 35), ("night", 40)])
def test_he_scores_at_the_end_his_cards_points_and_1_per_house(card: str, points: int) -> None:
    state = over(card, houses=(house(1, "0,0", 1), house(1, "1,0", 1)))
    assert GAME.view_for(state, None).tallies[1] == Tally(points, 2, 0, 0)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == f"alexis {points + 2}"


@pytest.mark.parametrize(("points", "places"), [(29, (2,)), (30, (2,)), (31, (1,))])
def test_you_win_with_strictly_more(points: int, places: tuple[int, ...]) -> None:
    outcome = GAME.outcome(over(houses=(house(0, "0,0", points),)))
    assert outcome is not None
    assert (outcome.places, outcome.scores, outcome.reason) == (places, (points,), "alexis 30")


def test_your_discovery_tokens_and_ports_count() -> None:
    board = (*AUTOMATIC_START, *tiles("ship 0,2 0 0"))
    state = over(board=board, houses=(house(0, "0,0", 9),), discoveries=(Discovery(0, 1),), values=(8,))
    assert GAME.standing(state) == (19,)


def test_standing_is_yours_alone() -> None:
    assert GAME.standing(begin(1)) == (0,)


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
