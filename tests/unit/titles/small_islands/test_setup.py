"""How a match begins, and what is drawn for it."""

from __future__ import annotations

import pytest

from games.engine.fair import FairChance, Stream, final_seed
from games.engine.protocol import Game, OptionError, Seat, complete_options
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.components import Cell
from games.titles.small_islands.rules.events import CardsReceived, RoundPrepared, SetUp, StartTilePlaced, TilesReceived
from games.titles.small_islands.rules.islands import Placed, islands
from games.titles.small_islands.rules.notation import Action
from games.titles.small_islands.rules.rounds import AUTOMATIC_START
from games.titles.small_islands.rules.state import TOKENS, State
from games.titles.small_islands.rules.view import View
from tests.unit.titles.small_islands.positions import act, all_tiles, begin, choose_all, legal, mover, refused, told

SEED = final_seed(bytes(range(32)), [b"alice", b"bob"])
BY_HAND = ("start S1A 0,0 3", "start S2A 1,0 2", "start S3B 0,1 0", "start S4B 2,0 2")


def start(seats: int, **options: str) -> State:
    return begin(seats, SEED, **options)


def test_game_keeps_the_interface() -> None:
    game: Game[State, Action, View] = GAME
    assert (game.slug, game.name, game.version, game.seats) == ("small-islands", "Small Islands", 2, range(1, 5))
    assert len({event_type.kind for event_type in game.event_types}) == len(game.event_types)


@pytest.mark.parametrize("seats", [0, 5])
def test_one_to_four_players(seats: int) -> None:
    with pytest.raises(OptionError):
        complete_options(GAME, seats, {})


def test_options_are_mode_start_table_and_alexis() -> None:
    assert complete_options(GAME, 3, {}) == {"mode": "normal", "start": "automatic", "table": "large"}
    assert {option.name: [value for value, _ in option.choices] for option in GAME.options} == {
        "mode": ["normal", "advanced"],
        "start": ["automatic", "by_hand"],
        "table": ["large", "small"],
        "alexis": ["morning", "afternoon", "night"],
    }


def test_alexis_is_required_alone_and_not_offered_else() -> None:
    with pytest.raises(OptionError):
        complete_options(GAME, 1, {})
    with pytest.raises(OptionError):
        complete_options(GAME, 2, {"alexis": "night"})


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_player_has_4_houses_in_hand_and_4_in_reserve(seats: int) -> None:
    table = start(seats).table
    assert [table.houses_in_hand(seat) for seat in range(seats)] == [4] * seats
    assert [table.houses_in_reserve(seat) for seat in range(seats)] == [4] * seats
    assert [table.houses_placed(seat) for seat in range(seats)] == [0] * seats


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_each_player_has_4_bonus_tokens(seats: int) -> None:
    table = start(seats).table
    assert [table.tokens_left(seat) for seat in range(seats)] == [TOKENS] * seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ships_are_always_4_one_per_player_in_colour_and_the_rest_grey(seats: int) -> None:
    table = start(seats).table
    assert all(table.own_ship_left(seat) for seat in range(seats))
    assert table.grey_ships_left == 4 - seats


def test_the_automatic_start_is_a_block_of_all_sides_a() -> None:
    assert start(2).table.board == (
        Placed("S1A", Cell(0, 0), 3, None),
        Placed("S2A", Cell(1, 0), 2, None),
        Placed("S3A", Cell(0, 1), 0, None),
        Placed("S4A", Cell(1, 1), 1, None),
    )
    assert [island.size for island in islands(AUTOMATIC_START, ()).all] == [2, 2]


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_tiles_are_drawn_from_the_front_3_face_up_then_2_to_each_seat(seats: int) -> None:
    order = Stream(SEED, "0:reserve").shuffle(range(1, 57))
    state = start(seats)
    assert state.table.row == order[:3]
    assert state.hands == tuple(order[3 + 2 * seat : 5 + 2 * seat] for seat in range(seats))
    assert state.deck == order[3 + 2 * seats :]
    assert sorted(all_tiles(state)) == list(range(1, 57))


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_the_navigation_stack_takes_the_next_6_tiles(seats: int) -> None:
    state = start(seats)
    assert state.table.navigation == 6
    assert state.reserve == 56 - 3 - 2 * seats - 6


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_objectives_are_dealt_1_to_each_seat_then_2_to_each_in_seat_order(seats: int) -> None:
    order = Stream(SEED, "0:objectives").shuffle(range(1, 13))
    more = [order[seats + 2 * seat : seats + 2 * seat + 2] for seat in range(seats)]
    assert start(seats).dealt == tuple(((order[seat], *more[seat]),) for seat in range(seats))


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_advanced_mode_the_same_with_missions_and_rewards(seats: int) -> None:
    missions = Stream(SEED, "0:missions").shuffle(range(1, 13))
    rewards = Stream(SEED, "0:rewards").shuffle(range(1, 13))
    for seat, (three, others) in enumerate(start(seats, mode="advanced").dealt):
        more = slice(seats + 2 * seat, seats + 2 * seat + 2)
        assert three == (missions[seat], *missions[more])
        assert others == (rewards[seat], *rewards[more])


@pytest.mark.parametrize(
    ("seats", "options", "labels"),
    [
        (2, {}, ["0:objectives", "0:reserve"]),
        (4, {"mode": "advanced"}, ["0:missions", "0:reserve", "0:rewards"]),
        (3, {"start": "by_hand"}, ["0:objectives", "0:reserve"]),
        (1, {"alexis": "night"}, ["0:expedition", "0:expedition-explore", "0:objectives", "0:reserve"]),
    ],
)
def test_labels_of_the_set_up(seats: int, options: dict[str, str], labels: list[str]) -> None:
    chance = FairChance(SEED, 0)
    GAME.start(seats, complete_options(GAME, seats, options), chance)
    assert sorted(chance.labels) == labels


def test_seat_0_is_the_first_player_of_round_1() -> None:
    state = start(3)
    assert (state.table.round, state.table.starter) == (1, 0)
    assert mover(choose_all(state).state) == 0


def test_set_up_is_told_to_all_and_hands_and_cards_only_to_their_seats() -> None:
    step = GAME.start(2, complete_options(GAME, 2, {}), FairChance(SEED, 0))
    state = step.state
    assert step.reveals
    assert step.events == (
        SetUp(None, state.table.row),
        *(TilesReceived(frozenset({Seat(seat)}), seat, state.hands[seat]) for seat in range(2)),
        RoundPrepared(None, 1, 0),
        *(CardsReceived(frozenset({Seat(seat)}), seat, state.dealt[seat]) for seat in range(2)),
    )


# --- start tiles by hand --------------------------------------------------------------------------------------------


def test_by_hand_the_first_player_places_all_four() -> None:
    state = start(3, start="by_hand")
    for text in BY_HAND:
        assert GAME.to_move(state) == {0}
        state = act(state, text).state
    assert [placed.face for placed in state.table.board] == ["S1A", "S2A", "S3B", "S4B"]
    assert {placed.seat for placed in state.table.board} == {0}
    assert GAME.to_move(state) == {0, 1, 2}


def test_by_hand_any_side_and_any_turn_in_any_order() -> None:
    first = legal(start(2, start="by_hand"))
    assert first == {f"start S{tile}{side} 0,0 {turn}" for tile in "1234" for side in "AB" for turn in range(4)}
    second = legal(act(start(2, start="by_hand"), "start S4B 0,0 1").state)
    assert {text.split(" ")[1] for text in second} == {"S1A", "S1B", "S2A", "S2B", "S3A", "S3B"}


def test_by_hand_the_first_tile_lies_on_0_0() -> None:
    assert refused(start(2, start="by_hand"), "start S1A 1,0 0") == "first-elsewhere"


def test_by_hand_the_placement_rules_hold() -> None:
    state = act(start(2, start="by_hand"), "start S1A 0,0 0").state
    assert refused(state, "start S2A 0,0 0") == "cell-taken"
    assert refused(state, "start S2A 1,1 0") == "not-beside"
    assert refused(state, "start S2A 1,0 1") == "coast-broken"


@pytest.mark.parametrize("face", ["S1A", "S1B"])
def test_by_hand_each_start_tile_is_placed_once(face: str) -> None:
    assert (
        refused(act(start(2, start="by_hand"), "start S1A 0,0 0").state, f"start {face} 1,0 0") == "start-tile-placed"
    )


def test_by_hand_hands_and_cards_are_not_shown_before_the_fourth_tile_lies() -> None:
    state = start(2, start="by_hand")
    for text in BY_HAND[:3]:
        for seat in map(Seat, range(2)):
            view = GAME.view_for(state, seat)
            assert (view.hand, view.dealt, view.choices) == ((), (), ())
        step = act(state, text)
        assert (step.reveals, len(step.events)) == (False, 1)
        state = step.state
    step = act(state, BY_HAND[3])
    assert step.reveals
    assert isinstance(step.events[0], StartTilePlaced)
    assert [event.tiles for event in told(step, TilesReceived)] == list(step.state.hands)
    assert [event.cards for event in told(step, CardsReceived)] == list(step.state.dealt)
    assert GAME.view_for(step.state, Seat(1)).hand == step.state.hands[1]


def test_by_hand_the_face_up_tiles_are_public_at_once() -> None:
    assert GAME.view_for(start(2, start="by_hand"), None).table.row == start(2).table.row


def test_by_hand_draws_the_same_as_automatic() -> None:
    state = act(start(2, start="by_hand"), *BY_HAND).state
    automatic = start(2)
    assert (state.deck, state.hands, state.dealt) == (automatic.deck, automatic.hands, automatic.dealt)
    assert state.table.navigation == 6


def test_start_tiles_are_refused_later() -> None:
    assert refused(start(2), "start S1A 0,0 0") == "not-now"


def test_the_start_faces_of_a_view_are_those_not_placed_with_their_legal_places() -> None:
    state = act(start(2, start="by_hand"), "start S4B 0,0 1").state
    spots = GAME.view_for(state, Seat(0)).start_spots
    texts = {f"start {face} {cell.x},{cell.y} {turn}" for face, places in spots.items() for cell, turn in places}
    assert texts == legal(state)
