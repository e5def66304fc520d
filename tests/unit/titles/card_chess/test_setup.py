"""How a match begins."""

from __future__ import annotations

from collections import Counter

import pytest

from games.engine.fair import FairChance, Stream, final_seed
from games.engine.protocol import Game, OptionError, Options, Seat, Step, complete_options
from games.titles.card_chess import GAME
from games.titles.card_chess.rules.deck import DECK, Play, least_pawns
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.state import CardsReceived, ChallengeBegun, PawnRemoved, State, TableLaid
from games.titles.card_chess.rules.view import View
from tests.unit.titles.card_chess.positions import all_cards

SEED = final_seed(bytes(range(32)), [b"alice", b"bob"])


def start(seats: int, options: Options | None = None) -> Step[State]:
    return GAME.start(seats, complete_options(GAME, seats, options or {}), FairChance(SEED, 0))


def test_game_keeps_the_interface() -> None:
    game: Game[State, Play, View] = GAME
    assert (game.slug, game.name, game.version, game.seats) == ("card-chess", "3D cardChess", 2, range(2, 5))
    assert len({event_type.kind for event_type in game.event_types}) == len(game.event_types)


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_two_to_four_players(seats: int) -> None:
    with pytest.raises(OptionError):
        complete_options(GAME, seats, {})


@pytest.mark.parametrize("seats", [3, 4])
def test_sharing_at_2_2_is_for_two_players_only(seats: int) -> None:
    assert "shared" in complete_options(GAME, 2, {})
    with pytest.raises(OptionError):
        complete_options(GAME, seats, {"shared": True})


def test_equal_cards_step_aside_with_three_or_four_players_only() -> None:
    """With two players it would change nothing."""
    for seats in (3, 4):
        assert complete_options(GAME, seats, {"next_strongest": True})["next_strongest"] is True
    with pytest.raises(OptionError):
        complete_options(GAME, 2, {"next_strongest": True})


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("length", ["official", "decided", "one_challenge", "two_gold"])
def test_every_length_is_offered(seats: int, length: str) -> None:
    assert start(seats, {"length": length}).state.rulings.length == length


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_missing_option_is_at_its_default(seats: int) -> None:
    assert start(seats).state.rulings == Rulings(
        "official", shared=False, blocking=False, next_strongest=False, symmetric_rooks=False
    )


def test_options_are_kept() -> None:
    assert start(2, {"length": "two_gold"}).state.rulings == Rulings(length="two_gold")
    assert start(2, {"shared": True}).state.rulings == Rulings(shared=True)
    assert start(2, {"blocking": True}).state.rulings == Rulings(blocking=True)
    assert start(3, {"next_strongest": True}).state.rulings == Rulings(next_strongest=True)
    assert start(2, {"symmetric_rooks": True}).state.rulings == Rulings(symmetric_rooks=True)


@pytest.mark.parametrize(("seats", "gold"), [(2, 4), (3, 8), (4, 8)])
def test_four_gold_cards_for_two_players_and_eight_for_more(seats: int, gold: int) -> None:
    state = start(seats).state
    assert (state.gold_left, state.gold) == (gold, (0,) * seats)


@pytest.mark.parametrize(("seats", "cards", "deck"), [(2, 38, 27), (3, 76, 61), (4, 75, 56)])
def test_four_cards_are_dealt_to_each_and_three_face_up(seats: int, cards: int, deck: int) -> None:
    state = start(seats).state
    assert [len(hand) for hand in state.hands] == [4] * seats
    assert (len(state.table), len(state.deck), len(all_cards(state))) == (3, deck, cards)
    assert (state.challenge, state.is_decider, state.phase, state.turn) == (1, False, 1, 1)


@pytest.mark.parametrize("seats", GAME.seats)
def test_everybody_is_to_move_and_nothing_is_settled(seats: int) -> None:
    state = start(seats).state
    assert GAME.to_move(state) == set(range(seats))
    assert (state.piles, state.discards, state.revealed.piles) == ((), (), ())


@pytest.mark.parametrize("seats", [2, 3])
def test_cards_come_from_the_front_of_the_shuffled_list(seats: int) -> None:
    deck = Stream(SEED, "0:deck").shuffle(DECK * (seats - 1))
    state, dealt = start(seats).state, 4 * seats
    assert state.hands == tuple(deck[4 * seat : 4 * seat + 4] for seat in range(seats))
    assert state.table == deck[dealt : dealt + 3]
    assert state.deck == deck[dealt + 3 :]


def test_with_four_players_one_of_the_eight_pawns_of_value_1_is_taken_out_and_shown() -> None:
    number = Stream(SEED, "0:pawn").below(8)
    cards = list(DECK * 2)
    removed = cards.pop(least_pawns(4)[number])
    step = start(4)
    assert (step.state.removed, step.state.removed_card) == (number, removed)
    assert step.events[0] == PawnRemoved(None, removed)
    assert Counter(all_cards(step.state)) == Counter(cards)
    deck = Stream(SEED, "0:deck").shuffle(cards)
    assert step.state.hands[3] == deck[12:16]


def test_every_pawn_of_value_1_may_be_the_one() -> None:
    removed = {
        GAME.start(4, complete_options(GAME, 4, {}), FairChance(bytes([n]) * 32, 0)).state.removed for n in range(60)
    }
    assert removed == set(range(8))


@pytest.mark.parametrize("seats", [2, 3])
def test_with_fewer_players_no_pawn_is_taken_out(seats: int) -> None:
    step = start(seats)
    assert (step.state.removed, step.state.removed_card) == (None, None)
    assert not any(isinstance(event, PawnRemoved) for event in step.events)


@pytest.mark.parametrize(("seats", "labels"), [(2, ["0:deck"]), (3, ["0:deck"]), (4, ["0:deck", "0:pawn"])])
def test_labels_of_the_set_up(seats: int, labels: list[str]) -> None:
    chance = FairChance(SEED, 0)
    GAME.start(seats, complete_options(GAME, seats, {}), chance)
    assert sorted(chance.labels) == labels


def test_set_up_is_told_to_all_and_hands_only_to_their_seats() -> None:
    step = start(3)
    assert step.reveals
    assert not step.opens
    assert step.events[:2] == (ChallengeBegun(None, 1, False), TableLaid(None, step.state.table, 61))
    assert step.events[2:] == tuple(
        CardsReceived(frozenset({Seat(seat)}), seat, hand) for seat, hand in enumerate(step.state.hands)
    )
