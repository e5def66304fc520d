"""Challenges of three and four players: dealing, the last turn, no second phase."""

from __future__ import annotations

import pytest

from games.engine.fair import Stream
from games.titles.card_chess.rules.deck import DECK, stock
from games.titles.card_chess.rules.state import State
from tests.unit.titles.card_chess.choosers import Plays, any_play, play_match
from tests.unit.titles.card_chess.positions import BLUE_TABLE, act, kinds, pile, position
from tests.unit.titles.recording import seed_of

HAND = ("bP1l", "bP2l", "bP3l", "bP4l")


@pytest.fixture(scope="module", params=[3, 4])
def plays(request: pytest.FixtureRequest) -> Plays:
    return play_match("many", [any_play] * request.param)


def turns_of(plays: Plays, challenge: int = 1) -> list[State]:
    """Return the states at the beginning of each turn of a challenge."""
    states = [play.state for play in plays if not any(play.state.sealed)]
    return [state for state in states if state.challenge == challenge and state.ended is None]


def test_three_players_have_6_turns_and_19_piles() -> None:
    turns = turns_of(play_match("many", [any_play] * 3))
    assert [len(state.table) for state in turns] == [3, 3, 3, 3, 3, 4]
    assert [len(state.deck) for state in turns] == [61, 49, 37, 25, 13, 0]
    assert [[len(hand) for hand in state.hands] for state in turns] == [[4] * 3] * 6


def test_four_players_have_5_turns_and_15_piles() -> None:
    turns = turns_of(play_match("many", [any_play] * 4))
    assert [len(state.table) for state in turns] == [3, 3, 3, 3, 3]
    assert [len(state.deck) for state in turns] == [56, 41, 26, 11, 0]
    assert [[len(hand) for hand in state.hands] for state in turns] == [[4] * 4] * 4 + [[3] * 4]


def test_in_the_last_turn_everybody_plays_the_whole_hand(plays: Plays) -> None:
    last = turns_of(plays)[-1]
    assert {len(hand) for hand in last.hands} == {len(last.table)}


@pytest.mark.parametrize("seats", [3, 4])
def test_one_face_up_and_one_to_each_until_3_lie_on_the_table(seats: int) -> None:
    first, second = turns_of(play_match("many", [any_play] * seats))[:2]
    deck, n = Stream(seed_of("many", seats), "0:deck").shuffle(stock(seats, first.removed))[4 * seats + 3 :], seats + 1
    assert second.table == (deck[0], deck[n], deck[2 * n])
    assert [hand[1:] for hand in second.hands] == [
        (deck[1 + seat], deck[n + 1 + seat], deck[2 * n + 1 + seat]) for seat in range(seats)
    ]


def test_if_exactly_one_card_is_left_in_the_deck_it_also_goes_face_up() -> None:
    deck = tuple(DECK[:13])
    state = act(position([HAND] * 3, BLUE_TABLE, deck=deck), *["bP1l bP2l bP3l"] * 3).state
    assert state.table == (deck[0], deck[4], deck[8], deck[12])
    assert state.hands[2] == ("bP4l", deck[3], deck[7], deck[11])
    assert state.deck == ()


def test_dealing_stops_when_the_deck_is_empty() -> None:
    deck = tuple(DECK[:11])
    state = act(position([HAND] * 4, BLUE_TABLE, deck=deck), *["bP1l bP2l bP3l"] * 4).state
    assert state.table == (deck[0], deck[5], deck[10])
    assert state.hands[3] == ("bP4l", deck[4], deck[9])


@pytest.mark.parametrize("seats", [3, 4])
def test_discards_are_not_dealt_again_the_challenge_ends_with_the_deck(seats: int) -> None:
    step = act(
        position([HAND[:3]] * seats, BLUE_TABLE, piles=(pile(0, "gP1l bP1l bP1l bP1l"),)), *["bP1l bP2l bP3l"] * seats
    )
    assert "recycled" not in kinds(step.events)
    assert step.state.challenge == 2
    assert step.state.revealed.left == ((),) * seats


def test_there_is_never_a_second_phase(plays: Plays) -> None:
    assert {play.state.phase for play in plays} == {1}
    assert not any(event.kind == "recycled" for play in plays for event in play.events)


def test_the_captor_takes_all_cards_of_the_pile(plays: Plays) -> None:
    seats = plays[0].state.seats
    last = turns_of(plays)[-1]
    assert {len(pile.whole) for pile in last.piles} == {seats + 1}
    assert sum(map(len, map(last.won, range(seats)))) + len(last.discards) == (seats + 1) * len(last.piles)


def test_the_pawn_stays_out_for_the_whole_match() -> None:
    played = play_match("pawn", [any_play] * 4)
    assert len({play.state.removed for play in played}) == 1
    later = turns_of(played, challenge=2)[0]
    number = next(play.number for play in played if play.state.challenge == 2)
    deck = Stream(seed_of("pawn", 4), f"{number}:deck").shuffle(stock(4, played[0].state.removed))
    assert later.hands[0] == deck[:4]
    assert later.deck == deck[19:]


@pytest.mark.parametrize("seats", [3, 4])
def test_highest_points_shared_by_three_or_four_make_a_draw(seats: int) -> None:
    piles = tuple(pile(seat, "gP1l bP1l bP1l bP1l bP1l"[: 5 * (seats + 1) - 1]) for seat in range(seats))
    state = act(position([HAND[:3]] * seats, BLUE_TABLE, piles=piles), *["bP1l bP2l bP3l"] * seats).state
    assert state.challenges[0].points == (seats + 1,) * seats
    assert state.challenges[0].winner is None
    assert (state.gold, state.gold_left) == ((0,) * seats, 8)


@pytest.mark.parametrize("tied", [2, 3])
def test_highest_points_shared_by_some_make_a_draw(tied: int) -> None:
    piles = tuple(pile(seat, "gP1l bP1l bP1l bP1l bP1l") for seat in range(tied))
    state = act(position([HAND[:3]] * 4, BLUE_TABLE, piles=piles), *["bP1l bP2l bP3l"] * 4).state
    assert state.challenges[0].points == (5,) * tied + (0,) * (4 - tied)
    assert state.challenges[0].winner is None
