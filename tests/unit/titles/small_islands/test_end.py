"""How a match ends, what counts, and ties."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.protocol import Outcome, Seat
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.events import Finished, Stranded
from games.titles.small_islands.rules.islands import Board
from games.titles.small_islands.rules.rounds import AUTOMATIC_START
from games.titles.small_islands.rules.scoring import Tally
from games.titles.small_islands.rules.state import Discovery, State
from tests.unit.titles.small_islands.positions import act, house, kinds, legal, position, refused, tiles, token, told

WALLED = tiles("52 0,0 0")
"""An inland tile alone: no ship fits beside it."""
THREE_SHIPS = tiles("grey 1,-1 0", "grey 2,-1 0", "ship 0,2 0 0")


def last_settle(seats: int = 2, **changes: Any) -> State:
    """Return a position in which the last seat settles; nobody can place a House."""
    fields: dict[str, Any] = {"phase": "reward", "turn": seats - 1, "navigation": 0, "objective": (7, 9), **changes}
    return position(seats, **fields)


def outcome(state: State) -> Outcome:
    """Return how the match ended after the last seat has settled."""
    found = GAME.outcome(act(state, "settle").state)
    assert found is not None
    return found


# --- the three ends -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reserve", "over"), [(0, True), (5, True), (6, False), (7, False)])
def test_end_1_a_preparation_with_fewer_than_6_tiles_in_the_reserve_ends_the_match(reserve: int, over: bool) -> None:
    step = act(last_settle(deck=tuple(range(20, 20 + reserve))), "settle")
    found = GAME.outcome(step.state)
    assert (found is not None) == over
    if found is not None:
        assert found.reason == "reserve"
        assert kinds(step.events) == ["revealed", "settled", "finished"]


def test_end_2_no_face_up_tile_and_no_ship_that_can_be_placed_brings_a_last_reward_phase() -> None:
    state = position(3, row=(1, None, None), hands=((4, 52), (6, 7), (8, 9)), deck=(), navigation=0, board=WALLED)
    step = act(state, "explore 1 52 1,0 0")
    assert told(step, Stranded) == [Stranded(None, 1)]
    table = step.state.table
    assert (table.phase, table.turn, table.starter, table.end) == ("reward", 1, 1, "stranded")
    after = act(step.state, "settle", "settle", "settle").state
    found = GAME.outcome(after)
    assert found is not None
    assert found.reason == "stranded"


@pytest.mark.parametrize(("ship", "stranded"), [((), False), (("ship 1,-1 0 1",), True)])
def test_end_2_only_the_ships_of_the_player_whose_turn_it_is_count(ship: tuple[str, ...], stranded: bool) -> None:
    """With four players seat 1 has only its own ship."""
    board = (*AUTOMATIC_START, *tiles(*ship))
    state = position(4, row=(17, None, None), deck=(), navigation=0, board=board)
    after = act(state, "explore 1 17 2,1 3").state
    assert (after.table.phase == "reward") == stranded
    assert stranded or {text.split(" ")[0] for text in legal(after)} == {"land"}


def test_end_2_is_not_met_while_a_tile_lies_face_up() -> None:
    state = position(row=(1, 2, None), hands=((4, 52), (6, 7)), deck=(), navigation=0, board=WALLED)
    after = act(state, "explore 1 52 1,0 0").state
    assert (after.table.phase, after.table.end) == ("explore", None)


def test_end_2_the_last_reward_phase_pays_as_every_other() -> None:
    state = last_settle(turn=0, starter=0, end="stranded", objective=(10, 9))
    after = act(state, "settle 0,0", "settle").state
    assert GAME.standing(after)[0] == 6
    assert GAME.outcome(after) is not None


def test_end_3_after_a_reward_phase_with_all_4_ships_placed() -> None:
    board = (*AUTOMATIC_START, *THREE_SHIPS, *tiles("ship 0,3 0 1"))
    step = act(last_settle(board=board), "settle")
    found = GAME.outcome(step.state)
    assert found is not None
    assert found.reason == "ships"
    assert kinds(step.events)[-1] == "finished"


def test_end_3_not_before_everybody_has_settled_nor_with_3_ships() -> None:
    board = (*AUTOMATIC_START, *THREE_SHIPS, *tiles("ship 0,3 0 1"))
    first = act(last_settle(board=board, turn=0), "settle").state
    assert GAME.outcome(first) is None
    assert GAME.outcome(act(last_settle(board=board[:-1]), "settle").state) is None


def test_end_3_comes_before_end_1() -> None:
    board = (*AUTOMATIC_START, *THREE_SHIPS, *tiles("ship 0,3 0 1"))
    assert outcome(last_settle(board=board, deck=())).reason == "ships"


def test_refused_match_over() -> None:
    state = act(last_settle(deck=()), "settle").state
    for text in ("settle", "land own 1,-1", "choose 1 2", "explore 1 5 2,0 3", "start S1A 0,0 0"):
        assert refused(state, text, seat=0) == "match-over"
    assert GAME.to_move(state) == frozenset()
    assert list(GAME.legal_actions(state, Seat(0))) == []


# --- points ---------------------------------------------------------------------------------------------------------


def scored(*, board: Board = AUTOMATIC_START, **changes: Any) -> State:
    """Return a match that is over."""
    return act(last_settle(deck=(), board=board, **changes), "settle").state


def test_score_is_points_so_far_plus_discovery_tokens_plus_ports_around_the_ship() -> None:
    board = (*AUTOMATIC_START, *tiles("ship 0,2 0 0"))  # around it lies S4 with a Port, and S3 with one
    houses = (house(0, "0,0", 7), house(0, "1,0", 0), house(1, "0,1", 5))
    state = scored(board=board, houses=houses, discoveries=(Discovery(1, 2),), values=(6,))
    assert GAME.view_for(state, None).tallies == (Tally(0, 7, 6, 2), Tally(0, 5, 0, 0))
    assert GAME.outcome(state) == Outcome((1, 2), (15, 5), "reserve")
    assert GAME.standing(state) == (15, 5)


def test_ports_count_on_the_8_tiles_around_printed_or_token() -> None:
    board = (*AUTOMATIC_START, *tiles("ship 0,2 0 0"))
    laid = (token("1 leaf port 0,1 W"), token("1 fruit port 0,0 N"), token("1 any port 1,0 E"))
    assert GAME.view_for(scored(board=board, tokens=laid), None).tallies[0].ports == 3  # 0,0 and 1,0 are too far


def test_both_ports_of_a_tile_count() -> None:
    board = tiles("38 0,0 0", "ship 1,-1 0 0")
    laid = (token("1 leaf port 0,0.1 W"),)
    assert GAME.view_for(scored(board=board, tokens=laid), None).tallies[0].ports == 2


def test_grey_ships_and_ships_of_others_give_nothing() -> None:
    board = (*AUTOMATIC_START, *tiles("grey 0,2 0 0", "ship 1,-1 0 1"))
    assert [tally.ports for tally in GAME.view_for(scored(board=board), None).tallies] == [0, 0]


def test_standing_counts_no_discovery_tokens_before_the_end() -> None:
    state = last_settle(houses=(house(0, "0,0", 4),), discoveries=(Discovery(0, 2),), values=(8,))
    assert GAME.standing(state) == (4, 0)
    assert GAME.view_for(state, Seat(0)).tallies[0].total == 12
    assert GAME.view_for(state, Seat(1)).tallies[0].total == 4


def test_in_the_end_everybody_sees_where_every_point_came_from() -> None:
    houses = (house(0, "0,0", 7), house(1, "0,1", 0))
    step = act(last_settle(deck=(), houses=houses, discoveries=(Discovery(1, 3),), values=(8,)), "settle")
    assert told(step, Finished) == [Finished(None, "reserve", (2, 1), (Tally(0, 7, 0, 0), Tally(0, 0, 8, 0)))]
    for viewer in (None, Seat(0), Seat(1)):
        view = GAME.view_for(step.state, viewer)
        assert view.values == (8,)
        assert view.table.houses == houses
        assert view.outcome == GAME.outcome(step.state)


# --- ties -----------------------------------------------------------------------------------------------------------


def test_most_points_win_and_places_are_by_points() -> None:
    houses = (house(0, "0,0", 3), house(1, "0,1", 9), house(2, "1,0", 5))
    assert outcome(last_settle(3, deck=(), houses=houses)).places == (3, 1, 2)


def test_ties_most_houses_placed() -> None:
    houses = (house(0, "0,0", 9), house(1, "0,1", 4), house(1, "1,0", 5))
    assert outcome(last_settle(deck=(), houses=houses)).places == (2, 1)


def test_ties_then_most_ports_around_the_ship() -> None:
    board = (*AUTOMATIC_START, *tiles("ship 1,-1 0 0", "ship 0,2 0 1", "17 2,1 3 0"))  # two Ports lie around 0,2
    houses = (house(0, "0,0", 9), house(1, "0,1", 7))
    assert outcome(last_settle(deck=(), houses=houses, board=board)) == Outcome((2, 1), (9, 9), "reserve")


@pytest.mark.parametrize("last", ["17 2,1 3 {}", "grey 0,2 0 {}"])
@pytest.mark.parametrize("seat", [0, 1])
def test_ties_then_the_player_who_placed_a_tile_last(last: str, seat: int) -> None:
    board = (*AUTOMATIC_START, *tiles(f"2 1,-1 0 {1 - seat}", last.format(seat)))
    assert outcome(last_settle(deck=(), board=board)).places == ((1, 2) if seat == 0 else (2, 1))


def test_ties_a_start_tile_placed_by_hand_counts() -> None:
    assert outcome(last_settle(deck=(), board=tiles("S1A 0,0 3 0"))).places == (1, 2)


def test_still_equal_places_are_shared_and_the_next_is_left_out() -> None:
    """Only players who never placed a tile can be equal in everything."""
    assert outcome(last_settle(3, deck=())).places == (1, 1, 1)
    assert outcome(last_settle(3, deck=(), houses=(house(1, "0,0", 5),))).places == (2, 1, 2)
    assert outcome(last_settle(3, deck=(), board=tiles("S1A 0,0 3 2"))).places == (2, 2, 1)
