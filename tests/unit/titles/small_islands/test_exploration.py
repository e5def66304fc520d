"""Exploration: take a tile, place one of three, refill the row."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.fair import FairChance
from games.engine.protocol import Seat
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.components import Cell
from games.titles.small_islands.rules.events import RowRefilled, TilePlaced, TilePutBack
from games.titles.small_islands.rules.notation import Discard, Explore
from tests.unit.titles.small_islands.positions import SEED, act, choices, kinds, legal, position, refused, tiles, told

ROW = (17, 2, 3)
HANDS = ((5, 41), (6, 7))
OPEN: dict[str, Any] = {"row": ROW, "hands": HANDS, "deck": tuple(range(20, 40))}
WALLED = tiles("52 0,0 0")
"""An inland tile alone: no tip and no ship fits beside it."""
STUCK: dict[str, Any] = {"board": WALLED, "row": (1, 2, 3), "hands": ((4, 5), (41, 7)), "deck": tuple(range(20, 40))}


def test_exploration_goes_clockwise_from_the_first_player_one_action_each() -> None:
    state = position(3, starter=1, turn=1)
    seats = []
    for _ in range(4):
        seats.append(state.table.turn)
        state = act(state, GAME.notate(choices(state, Explore)[0])).state
    assert seats == [1, 2, 0, 1]


def test_explore_takes_one_of_the_face_up_tiles_into_hand_and_places_one_of_the_3_in_hand() -> None:
    step = act(position(**OPEN), "explore 1 5 2,0 3")
    assert step.state.hands[0] == (41, 17)
    assert step.state.table.board[-1] == tiles("5 2,0 3 0")[0]
    assert told(step, TilePlaced) == [TilePlaced(None, 0, 1, 17, 5, Cell(2, 0), 3, known=False)]


def test_the_tile_just_taken_may_be_placed() -> None:
    step = act(position(**OPEN), "explore 1 17 2,1 3")
    assert step.state.hands[0] == (5, 41)
    assert told(step, TilePlaced)[0].known


def test_every_slot_can_be_taken_and_every_tile_in_hand_placed() -> None:
    used = {(action.slot, action.tile) for action in choices(position(**OPEN), Explore) if isinstance(action, Explore)}
    hand = {(slot, tile) for slot in (1, 2, 3) for tile in HANDS[0]}
    assert used == hand | {(1, 17), (2, 2), (3, 3)}


def test_the_row_is_refilled_from_the_navigation_stack() -> None:
    step = act(position(**OPEN), "explore 2 2 2,0 3")
    assert step.state.table.row == (17, 20, 3)
    assert (step.state.deck[0], step.state.table.navigation) == (21, 5)
    assert told(step, RowRefilled) == [RowRefilled(None, 2, 20, "navigation")]
    assert step.reveals


def test_the_row_is_refilled_from_the_reserve_when_the_navigation_stack_is_empty() -> None:
    step = act(position(**OPEN, navigation=0), "explore 3 3 2,0 3")
    assert step.state.table.row == (17, 2, 20)
    assert (step.state.table.navigation, step.state.reserve) == (0, 19)
    assert told(step, RowRefilled) == [RowRefilled(None, 3, 20, "reserve")]


def test_slots_of_the_row_keep_their_numbers_when_nothing_is_left_to_refill() -> None:
    step = act(position(**OPEN | {"deck": ()}, navigation=0), "explore 1 17 2,1 3")
    assert step.state.table.row == (None, 2, 3)
    assert refused(step.state, "explore 1 6 3,1 3") == "slot-empty"
    assert "refilled" not in kinds(step.events)


def test_empty_slots_are_refilled_from_slot_1_on() -> None:
    state = position(**OPEN | {"row": (None, 2, None), "deck": (30,)}, navigation=0)
    step = act(state, "explore 2 2 2,0 3")
    assert step.state.table.row == (30, None, None)
    state = position(**OPEN | {"row": (None, 2, None), "deck": (30, 31)}, navigation=0)
    step = act(state, "explore 2 2 2,0 3")
    assert told(step, RowRefilled) == [RowRefilled(None, 1, 30, "reserve"), RowRefilled(None, 2, 31, "reserve")]


def test_the_row_is_refilled_after_the_token() -> None:
    step = act(position(**OPEN), "explore 1 17 2,1 3 token fruit 0,0 flower")
    assert kinds(step.events) == ["placed", "token", "refilled"]


def test_exploring_uses_no_chance() -> None:
    chance = FairChance(SEED, 9)
    GAME.apply(position(**OPEN), Seat(0), GAME.parse("explore 1 17 2,1 3"), chance)
    assert not chance.used


def test_a_known_tile_placed_without_refill_reveals_nothing() -> None:
    state = position(**OPEN | {"deck": ()}, navigation=0)
    assert not act(state, "explore 1 17 2,1 3").reveals
    assert act(state, "explore 1 5 2,0 3").reveals  # nobody knew of 5


def test_a_tile_that_was_seen_being_taken_stays_known() -> None:
    state = act(position(**OPEN), "explore 1 5 2,0 3").state
    assert state.table.shown == ((17,), ())
    state = act(state, "explore 2 2 1,-1 0").state
    later = act(state, "explore 3 17 0,2 2")
    assert told(later, TilePlaced)[0].known
    assert later.state.table.shown == ((3,), ())


@pytest.mark.parametrize("text", ["explore 1 6 2,1 3", "explore 1 2 2,1 3", "explore 2 17 discard"])
def test_refused_tile_not_at_hand(text: str) -> None:
    assert refused(position(**OPEN), text) == "tile-not-at-hand"


def test_refused_slot_empty() -> None:
    assert refused(position(**OPEN | {"row": (17, None, 3)}), "explore 2 5 2,1 3") == "slot-empty"


@pytest.mark.parametrize(
    "text", ["explore 1 17 2,1 3", "explore 1 17 discard", "land own 1,-1", "settle", "choose 1 2"]
)
def test_refused_not_your_turn(text: str) -> None:
    assert refused(position(**OPEN), text, seat=1) == "not-your-turn"


@pytest.mark.parametrize("text", ["settle", "choose 1 2", "start S1A 0,0 0"])
def test_refused_not_now(text: str) -> None:
    assert refused(position(**OPEN), text) == "not-now"


def test_nobody_else_has_legal_actions() -> None:
    assert list(GAME.legal_actions(position(**OPEN), Seat(1))) == []


# --- no legal place -------------------------------------------------------------------------------------------------


def test_when_no_tile_has_a_legal_place_one_is_put_under_the_reserve() -> None:
    step = act(position(**STUCK), "explore 2 4 discard")
    assert step.state.deck == (*range(21, 40), 4)
    assert step.state.hands[0] == (5, 2)
    assert step.state.table.row == (1, 20, 3)
    assert step.state.table.board == WALLED
    assert step.state.table.turn == 1
    assert told(step, TilePutBack) == [TilePutBack(None, 0, 2, 2, 4, known=False)]


def test_any_of_the_three_may_be_put_back() -> None:
    assert {text for text in legal(position(**STUCK)) if text.startswith("explore")} == {
        f"explore {slot} {tile} discard" for slot in (1, 2, 3) for tile in (4, 5, slot)
    }


def test_the_returned_tile_is_refilled_too() -> None:
    step = act(position(**STUCK | {"deck": ()}, navigation=0), "explore 2 2 discard")
    assert step.state.table.row == (1, 2, 3)
    assert step.state.deck == ()
    assert told(step, RowRefilled) == [RowRefilled(None, 2, 2, "reserve")]


def test_the_returned_tile_goes_to_the_end_behind_the_navigation_stack() -> None:
    step = act(position(**STUCK | {"deck": (20, 21)}, navigation=2), "explore 1 1 discard")
    assert (step.state.deck, step.state.table.navigation) == ((21, 1), 1)
    assert step.state.reserve == 1


def test_whether_a_tile_fits_depends_on_the_slot_taken() -> None:
    state = position(**STUCK | {"row": (1, 52, 3), "board": tiles("55 0,0 0")})
    texts = legal(state)
    assert "explore 1 4 discard" in texts
    assert "explore 2 4 discard" not in texts
    assert any(text.startswith("explore 2 52 ") for text in texts)
    assert refused(state, "explore 2 4 discard") == "a-tile-fits"


def test_refused_a_tile_fits() -> None:
    assert refused(position(**OPEN), "explore 1 17 discard") == "a-tile-fits"
    assert not choices(position(**OPEN), Discard)


def test_a_tile_put_back_is_known_to_lie_at_the_end() -> None:
    state = act(position(**STUCK), "explore 2 4 discard").state
    assert GAME.view_for(state, None).returned == (4,)
    again = position(**STUCK | {"deck": (20,)}, navigation=0)
    assert GAME.view_for(act(again, "explore 1 5 discard").state, None).returned == (5,)
    gone = act(position(**STUCK | {"deck": ()}, navigation=0), "explore 1 5 discard").state
    assert GAME.view_for(gone, None).returned == ()
