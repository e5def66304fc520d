"""A challenge with two players: both phases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.engine.fair import FairChance, Stream
from games.engine.protocol import Seat
from games.titles.card_chess import GAME
from games.titles.card_chess.rules.deck import DECK
from games.titles.card_chess.rules.state import ChallengeOver, DiscardsRecycled, State
from tests.unit.titles.card_chess.choosers import Plays, any_play, play_match
from tests.unit.titles.card_chess.positions import SEED, act, all_cards, kinds, pile, position, rest_of
from tests.unit.titles.recording import seed_of

HANDS = (("bQ9w", "bB7l", "bB7d", "bK5w"), ("bP1l", "bP1d", "bP2l", "bP2d"))
TABLE = ("gP1l", "gP2l", "gP3d")
CAPTURING = ("bQ9w bB7l bB7d", "bP1l bP1d bP2l")
"""Seat 0 takes all three piles of TABLE."""


def end_of_first_phase(discarded: int) -> State:
    """Return the last turn of a first phase in which this many of the nine earlier piles were discarded."""
    state = position(HANDS, TABLE, turn=4)
    rest = rest_of(state)
    cards = [" ".join(rest[start : start + 3]) for start in range(0, 27, 3)]
    piles = tuple(pile(None if number < discarded else 1, text) for number, text in enumerate(cards))
    return replace(state, piles=piles)


def play_on(state: State) -> list[State]:
    """Return the states at the beginning of every further turn of the challenge, played without choice."""
    states, number = [], 20
    while state.challenge == 1 and state.ended is None:
        states.append(state)
        for seat in (Seat(0), Seat(1)):
            action = next(iter(GAME.legal_actions(state, seat)))
            state = GAME.apply(state, seat, action, FairChance(SEED, number)).state
            number += 1
    return states


@pytest.fixture(scope="module")
def plays() -> Plays:
    return play_match("two", [any_play] * 2)


def test_the_first_phase_deals_11_and_three_times_9_cards() -> None:
    turns = play_match("phases", [any_play] * 2, {"length": "one_challenge"})
    decks = {play.state.turn: len(play.state.deck) for play in turns if play.state.phase == 1}
    assert decks == {1: 27, 2: 18, 3: 9, 4: 0}


def test_later_deals_give_3_cards_to_each_player_and_3_to_the_table() -> None:
    deck = tuple(DECK[:18])
    step = act(position(HANDS, TABLE, deck=deck), *CAPTURING)
    assert step.state.hands == (("bK5w", *deck[0:3]), ("bP2d", *deck[3:6]))
    assert (step.state.table, step.state.deck) == (deck[6:9], deck[9:])


def test_when_the_draw_pile_is_empty_the_discards_are_shuffled_into_a_new_one() -> None:
    state = end_of_first_phase(4)
    discards = state.discards
    step = act(state, *CAPTURING, number=7)
    new = Stream(SEED, "8:recycle").shuffle(discards)
    assert len(discards) == 12
    assert DiscardsRecycled(None, 12) in step.events
    assert (step.state.phase, step.state.turn, step.state.discards) == (2, 5, ())
    assert step.state.deck == new[9:]


def test_the_discards_are_shuffled_oldest_first_those_of_the_last_turn_included() -> None:
    state = end_of_first_phase(1)
    step = act(state, "bK5w bQ9w bB7l", "bP1l bP1d bP2l", number=7)
    discards = (*state.discards, "gP3d", "bB7l", "bP2l")
    new = Stream(SEED, "8:recycle").shuffle(discards)
    assert step.state.table == (new[0], new[3])


def test_the_second_phase_deals_one_face_up_and_one_to_each_player_three_times() -> None:
    state = end_of_first_phase(9)
    new = Stream(SEED, "2:recycle").shuffle(state.discards)
    after = act(state, *CAPTURING).state
    assert after.table == new[0:9:3]
    assert after.hands == (("bK5w", *new[1:9:3]), ("bP2d", *new[2:9:3]))
    later = play_on(after)[1]
    assert later.table == new[9:18:3]


def test_the_card_kept_in_hand_stays_in_the_second_phase() -> None:
    after = act(end_of_first_phase(5), *CAPTURING).state
    assert [hand[0] for hand in after.hands] == ["bK5w", "bP2d"]
    assert after.kept == ("bK5w", "bP2d")


@pytest.mark.parametrize(
    ("discarded", "places"),
    [
        (1, [1]),
        (2, [2]),
        (3, [3]),
        (4, [3, 1]),
        (5, [3, 2]),
        (6, [3, 3]),
        (7, [3, 3, 1]),
        (8, [3, 3, 2]),
        (9, [3, 3, 3]),
    ],
)  # fmt: skip
def test_if_the_pile_runs_out_before_3_lie_on_the_table_the_last_turn_is_played_with_what_there_is(
    discarded: int, places: list[int]
) -> None:
    turns = play_on(act(end_of_first_phase(discarded), *CAPTURING).state)
    assert [len(state.table) for state in turns] == places
    assert all(len(hand) == len(state.table) + 1 for state in turns for hand in state.hands)
    assert {state.phase for state in turns} == {2}


def test_there_is_no_second_phase_without_discards() -> None:
    step = act(end_of_first_phase(0), *CAPTURING)
    assert kinds(step.events)[4:6] == ["challenge-over", "challenge-begun"]
    assert (step.state.challenge, step.state.phase, step.state.turn) == (2, 1, 1)
    assert step.state.challenges[0].winner == 1


def test_the_discards_are_dealt_again_once_only() -> None:
    state = position((("bP1l", "bP2l"), ("bP3l", "bP4l")), ("bP1d",), phase=2, turn=5, kept=("bP1l", "bP3l"))
    step = act(state, "bP1l", "bP3l")
    assert "recycled" not in kinds(step.events)
    assert "challenge-over" in kinds(step.events)


def test_the_discards_of_the_second_phase_are_out() -> None:
    turns = play_on(act(end_of_first_phase(6), *CAPTURING).state)
    last = turns[-1]
    thrown = [pile for pile in last.piles if pile.captor is None]
    assert {pile.phase for pile in thrown} == {2}
    assert last.discards == tuple(card for pile in thrown for card in pile.whole)


def test_piles_won_in_the_first_phase_stay_won() -> None:
    after = act(end_of_first_phase(6), *CAPTURING).state
    assert len(after.won(0)) == len(after.won(1)) == 9


def test_the_card_left_in_hand_goes_to_the_discards_and_counts_for_nobody() -> None:
    hands = (("bP1l", "gK5w"), ("bP3l", "bK5w"))
    state = position(hands, ("bP1d",), phase=2, turn=5, piles=(pile(1, "gP1l bP2l bP4l"),), kept=("bP1l", "bP3l"))
    state = replace(state, rulings=replace(state.rulings, length="one_challenge"))
    after = act(state, "bP1l", "bP3l").state
    assert after.revealed.left == (("gK5w",), ("bK5w",))
    assert after.discards == ("bP1d", "bP1l", "bP3l", "gK5w", "bK5w")
    assert after.challenges[0].points == (0, 3)
    assert (after.hands, after.table, after.deck) == (((), ()), (), ())


def test_what_was_left_in_hand_is_told_also_when_the_match_goes_on() -> None:
    hands = (("bP1l", "gK5w"), ("bP3l", "bK5w"))
    state = position(hands, ("bP1d",), phase=2, turn=5, piles=(pile(1, "gP1l bP2l bP4l"),), kept=("bP1l", "bP3l"))
    step = act(state, "bP1l", "bP3l")
    (over,) = [event for event in step.events if isinstance(event, ChallengeOver)]
    assert over.left == step.state.revealed.left == (("gK5w",), ("bK5w",))
    assert (over.number, over.gold, over.challenge.winner) == (1, (0, 1), 1)
    assert "gK5w" not in step.state.discards


def test_for_a_new_challenge_all_cards_come_back(plays: Plays) -> None:
    begun = [play for play in plays if any(event.kind == "challenge-begun" for event in play.events)]
    assert len(begun) > 2
    for play in begun:
        deck = Stream(seed_of("two", 2), f"{play.number}:deck").shuffle(DECK)
        state = play.state
        assert (*state.hands[0], *state.hands[1], *state.table, *state.deck) == deck
        assert (state.piles, state.discards, state.kept, state.phase, state.turn) == ((), (), (), 1, 1)


def test_all_38_cards_are_there_at_every_moment(plays: Plays) -> None:
    assert all(sorted(all_cards(play.state)) == sorted(DECK) for play in plays)
