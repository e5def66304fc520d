"""How a match begins, and what is drawn for it."""

from __future__ import annotations

from collections import Counter

import pytest

from games.engine.fair import FairChance, Stream, final_seed
from games.engine.protocol import Game, OptionError, Seat, complete_options
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.rules.notation import Action
from games.titles.shifting_stones.rules.patterns import POINTS, TILE_SET, TILES
from games.titles.shifting_stones.rules.state import CardsReceived, Dealt, State
from games.titles.shifting_stones.rules.view import View
from tests.unit.titles.shifting_stones.positions import all_cards

SEED = final_seed(bytes(range(32)), [b"alice", b"bob"])
KIND = {face: kind for kind, sides in TILES.items() for face in sides}


def start(seats: int, seed: bytes = SEED) -> State:
    return GAME.start(seats, {}, FairChance(seed, 0)).state


def test_game_keeps_the_interface() -> None:
    game: Game[State, Action, View] = GAME
    assert (game.slug, game.name, game.version, game.seats) == ("shifting-stones", "Shifting Stones", 1, range(1, 6))
    assert len({event_type.kind for event_type in game.event_types}) == len(game.event_types)


def test_there_are_no_options() -> None:
    assert complete_options(GAME, 3, {}) == {}
    with pytest.raises(OptionError):
        complete_options(GAME, 3, {"bonus": True})


@pytest.mark.parametrize("seats", [0, 6])
def test_one_to_five_players(seats: int) -> None:
    with pytest.raises(OptionError):
        complete_options(GAME, seats, {})


@pytest.mark.parametrize("seats", GAME.seats)
def test_nine_tiles_lie_in_the_grid(seats: int) -> None:
    assert Counter(KIND[face] for face in start(seats).grid) == Counter(TILE_SET)


@pytest.mark.parametrize("seats", GAME.seats)
def test_four_cards_are_dealt_to_each_player(seats: int) -> None:
    state = start(seats)
    assert [len(hand) for hand in state.hands] == [4] * seats


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_rest_is_the_draw_pile(seats: int) -> None:
    state = start(seats)
    assert len(state.deck) == 72 - 4 * seats
    assert sorted(all_cards(state)) == list(range(1, 73))
    assert (state.discards, state.scored) == ((), ((),) * seats)


@pytest.mark.parametrize("seats", GAME.seats)
def test_seat_0_is_the_first_player(seats: int) -> None:
    assert GAME.to_move(start(seats)) == {0}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_labels_of_the_set_up(seats: int) -> None:
    chance = FairChance(SEED, 0)
    GAME.start(seats, {}, chance)
    assert sorted(chance.labels) == ["0:deck", "0:sides", "0:tiles"]


def test_labels_of_the_set_up_alone() -> None:
    chance = FairChance(SEED, 0)
    GAME.start(1, {}, chance)
    assert sorted(chance.labels) == ["0:deck", "0:sides", "0:solo1", "0:solo2", "0:solo3", "0:solo5", "0:tiles"]


def test_tiles_are_shuffled_onto_the_cells_in_order_and_sides_are_one_stream() -> None:
    kinds = Stream(SEED, "0:tiles").shuffle([1, 2, 2, 3, 3, 3, 4, 4, 4])
    sides = Stream(SEED, "0:sides")
    assert start(3).grid == tuple(TILES[kind][sides.below(2)] for kind in kinds)


def test_cards_are_dealt_from_the_front_four_to_seat_0_four_to_seat_1_and_so_on() -> None:
    deck = Stream(SEED, "0:deck").shuffle(range(1, 73))
    state = start(3)
    assert state.hands == (deck[0:4], deck[4:8], deck[8:12])
    assert state.deck == deck[12:]


def test_solo_deck_has_8_cards_of_1_point_4_of_2_3_of_3_and_1_of_5() -> None:
    cards = all_cards(start(1))
    assert Counter(POINTS[card] for card in cards) == {1: 8, 2: 4, 3: 3, 5: 1}
    assert len(set(cards)) == 16


def test_solo_cards_are_the_first_of_a_shuffle_of_each_value() -> None:
    chosen: list[int] = []
    for points, count in ((1, 8), (2, 4), (3, 3), (5, 1)):
        ids = [card for card in range(1, 73) if POINTS[card] == points]
        chosen += Stream(SEED, f"0:solo{points}").shuffle(ids)[:count]
    deck = Stream(SEED, "0:deck").shuffle(sorted(chosen))
    state = start(1)
    assert state.hands == (deck[:4],)
    assert state.deck == deck[4:]


def test_set_up_of_the_seed_in_the_architecture() -> None:
    """The values were computed by a separate script from the text of the specification."""
    state = start(2)
    assert state.grid == ("tree", "horse", "tree", "fish", "moon", "horse", "horse", "tree", "fish")
    assert state.hands == ((27, 52, 26, 47), (5, 3, 19, 17))
    assert state.deck[:4] == (42, 18, 15, 24)


def test_set_up_is_told_to_all_and_hands_only_to_their_seats() -> None:
    step = GAME.start(3, {}, FairChance(SEED, 0))
    assert step.reveals
    assert step.events[0] == Dealt(None, 4)
    assert step.events[1:] == tuple(
        CardsReceived(frozenset({Seat(seat)}), seat, hand) for seat, hand in enumerate(step.state.hands)
    )
