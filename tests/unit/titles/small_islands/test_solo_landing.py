"""Alone against Alexis: landing, his Houses, and who wins."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.protocol import Step
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.components import Cell
from games.titles.small_islands.rules.events import (
    ExpeditionDrawn,
    HousePlaced,
    Settled,
    ShipPlaced,
    Stranded,
    TilePlaced,
)
from games.titles.small_islands.rules.islands import Board
from games.titles.small_islands.rules.rounds import AUTOMATIC_START
from games.titles.small_islands.rules.scoring import Tally
from games.titles.small_islands.rules.state import Discovery, State
from tests.unit.titles.small_islands.alone import DECK, LAND, LARGEST, WALLED, his_place, his_turn
from tests.unit.titles.small_islands.positions import (
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
