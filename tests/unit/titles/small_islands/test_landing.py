"""Landing: which ship, when and where."""

from __future__ import annotations

import pytest

from games.engine.protocol import Seat
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.components import Cell
from games.titles.small_islands.rules.events import ShipPlaced
from games.titles.small_islands.rules.notation import Land
from games.titles.small_islands.rules.rounds import AUTOMATIC_START
from tests.unit.titles.small_islands.positions import act, choices, kinds, legal, position, refused, tiles, told

NORTH = "1,-1"
"""North of the block's north-east tile everything is sea."""


@pytest.mark.parametrize(("navigation", "allowed"), [(6, False), (1, False), (0, True)])
def test_land_only_when_the_navigation_stack_is_empty(navigation: int, allowed: bool) -> None:
    state = position(navigation=navigation)
    assert bool(choices(state, Land)) == allowed
    if not allowed:
        assert refused(state, f"land own {NORTH}") == "navigation-not-empty"


def test_landing_ends_the_exploration_and_the_reward_phase_begins_with_who_landed() -> None:
    step = act(position(3, navigation=0, turn=1), f"land own {NORTH}")
    table = step.state.table
    assert (table.phase, table.turn, table.starter) == ("reward", 1, 1)
    assert step.events == (ShipPlaced(None, 1, "own", Cell(1, -1)),)
    assert not step.reveals


def test_the_ship_of_ones_own_colour_is_placed() -> None:
    state = act(position(navigation=0), f"land own {NORTH}").state
    assert state.table.board[-1] == tiles(f"ship {NORTH} 0 0")[0]
    assert [state.table.own_ship_left(seat) for seat in range(2)] == [False, True]
    assert state.table.grey_ships_left == 2


def test_or_a_grey_ship() -> None:
    state = act(position(3, navigation=0), f"land grey {NORTH}").state
    assert state.table.board[-1] == tiles(f"grey {NORTH} 0 0")[0]
    assert state.table.own_ship_left(0)
    assert state.table.grey_ships_left == 0


@pytest.mark.parametrize(("seats", "ships"), [(2, {"own", "grey"}), (3, {"own", "grey"}), (4, {"own"})])
def test_grey_ships_only_with_fewer_than_4_players(seats: int, ships: set[str]) -> None:
    state = position(seats, navigation=0)
    assert {text.split(" ")[1] for text in legal(state) if text.startswith("land")} == ships


def test_refused_no_such_ship() -> None:
    own_used = position(navigation=0, board=(*AUTOMATIC_START, *tiles("ship 0,2 0 0")))
    assert refused(own_used, f"land own {NORTH}") == "no-such-ship"
    greys_used = position(navigation=0, board=(*AUTOMATIC_START, *tiles("grey 0,2 0 0", "grey 0,3 0 1")))
    assert refused(greys_used, f"land grey {NORTH}") == "no-such-ship"
    assert refused(position(4, navigation=0), f"land grey {NORTH}") == "no-such-ship"


@pytest.mark.parametrize(("where", "code"), [("0,0", "cell-taken"), ("7,7", "not-beside"), ("2,1", "coast-broken")])
def test_a_ship_is_placed_by_the_same_rules_as_a_tile(where: str, code: str) -> None:
    assert refused(position(navigation=0), f"land own {where}") == code


def test_a_ship_may_be_placed_wherever_the_vertices_are_sea() -> None:
    cells = {action.cell for action in choices(position(navigation=0), Land) if isinstance(action, Land)}
    assert cells == {Cell(0, -1), Cell(1, -1), Cell(0, 2)} - {Cell(0, -1)}  # the vertex 0,0 is land


def test_one_may_explore_instead_as_long_as_tiles_lie_face_up() -> None:
    assert any(text.startswith("explore") for text in legal(position(navigation=0)))


def test_with_no_face_up_tile_but_a_ship_that_can_be_placed_the_player_must_land() -> None:
    state = position(navigation=0, deck=(), row=(None, None, None))
    assert {text.split(" ")[0] for text in legal(state)} == {"land"}
    assert refused(state, "explore 1 5 2,0 3") == "slot-empty"


def test_a_view_names_the_ships_and_where_they_can_be_placed() -> None:
    state = position(navigation=0)
    view = GAME.view_for(state, Seat(0))
    texts = {f"land {ship} {cell.x},{cell.y}" for ship in view.ships for cell in view.berths}
    assert texts == {text for text in legal(state) if text.startswith("land")}
    assert GAME.view_for(position(), Seat(0)).ships == ()
    assert GAME.view_for(state, None).ships == ()


def test_a_landing_is_told_in_one_event() -> None:
    assert kinds(act(position(navigation=0), f"land own {NORTH}").events) == ["landed"]
    assert told(act(position(navigation=0), f"land grey {NORTH}"), ShipPlaced)[0].ship == "grey"
