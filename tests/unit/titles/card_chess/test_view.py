"""What everybody may know, and nothing more."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace

import pytest

from games.engine.codec import decode, decode_events, encode, encode_events
from games.engine.protocol import Seat
from games.titles.card_chess import GAME
from games.titles.card_chess.rules.deck import in_order, stock
from games.titles.card_chess.rules.state import CardsReceived, Public, State
from games.titles.card_chess.rules.view import View
from tests.unit.titles.card_chess.choosers import Plays, any_play, play_match
from tests.unit.titles.card_chess.positions import FIRST_HANDS, FIRST_TABLE, act, all_cards, first_turn, viewers


@pytest.fixture(scope="module", params=[2, 3, 4])
def plays(request: pytest.FixtureRequest) -> Plays:
    return play_match("view", [any_play] * request.param)[::3]


def test_a_seat_sees_its_own_hand_and_sealed_play() -> None:
    view = GAME.view_for(first_turn(), Seat(1))
    assert (view.hand, view.play) == (("bP2l",), ("bK5w", "gP4l", "gP4d"))
    assert not view.may_confirm
    other = GAME.view_for(first_turn(), Seat(0))
    assert (other.hand, other.play) == (FIRST_HANDS[0], ())
    assert other.may_confirm


def test_spectators_see_no_hand_and_no_sealed_play() -> None:
    view = GAME.view_for(first_turn(), None)
    assert (view.hand, view.play, view.may_confirm) == ((), (), False)


def test_everybody_sees_table_cards_numbers_of_cards_and_who_has_confirmed() -> None:
    for viewer in viewers(first_turn()):
        view = GAME.view_for(first_turn(), viewer)
        assert view.table == FIRST_TABLE
        assert (view.deck, view.hand_sizes, view.confirmed) == (27, (4, 1), (False, True))


def test_everybody_sees_won_piles_discards_and_the_last_turn() -> None:
    state = act(first_turn(), "bQ9w bN5l gC#w", seats=[0]).state
    for viewer in viewers(state):
        view = GAME.view_for(state, viewer)
        assert [pile.captor for pile in view.piles] == [0, None, 0]
        assert view.won(0) == ("gP1l", "bQ9w", "bK5w", "bP3d", "gC#w", "gP4d")
        assert view.discards == ("gN5d", "bN5l", "gP4l")
        assert (view.points, view.realms) == ((1 + 2 + 5 + 1 + 1 + 1, 0), (0, 0))
        assert (view.revealed.challenge, view.revealed.piles) == (1, view.piles)


def test_everybody_sees_gold_challenges_and_how_the_match_stands(plays: Plays) -> None:
    for play in plays:
        state = play.state
        for viewer in viewers(state):
            view = GAME.view_for(state, viewer)
            assert view.challenges == state.challenges
            assert (view.gold, view.totals) == (GAME.standing(state), state.totals)
            assert (view.challenge, view.is_decider, view.phase, view.turn) == (
                state.challenge, state.is_decider, state.phase, state.turn,
            )  # fmt: skip
            assert view.outcome == GAME.outcome(state)


def test_everybody_sees_the_removed_pawn() -> None:
    state = play_match("view", [any_play] * 4)[5].state
    assert {GAME.view_for(state, viewer).removed_card for viewer in viewers(state)} == {state.removed_card}
    assert state.removed_card in {"bP1l", "bP1d", "gP1l", "gP1d"}


def test_unseen_are_draw_pile_other_hands_and_other_plays(plays: Plays) -> None:
    for play in plays:
        state = play.state
        for viewer in viewers(state):
            others = [seat for seat in range(state.seats) if seat != viewer]
            hidden = [*state.deck, *(card for seat in others for card in (*state.hands[seat], *state.sealed[seat]))]
            assert GAME.view_for(state, viewer).unseen == in_order(hidden)


def test_the_removed_pawn_is_not_among_the_unseen() -> None:
    state = play_match("view", [any_play] * 4)[0].state
    seen = (*state.table, *GAME.view_for(state, None).unseen)
    assert Counter(seen) == Counter(stock(4, state.removed))


def test_nothing_is_unseen_when_the_match_is_over(plays: Plays) -> None:
    seats = plays[0].state.seats
    over = play_match("view", [any_play] * seats)[-1].state
    assert GAME.view_for(over, None).unseen == ()


def test_view_is_an_allow_list() -> None:
    public = {field.name for field in fields(Public)}
    assert {field.name for field in fields(State)} - public == {"hands", "sealed", "deck", "kept"}
    assert {field.name for field in fields(View)} - public == {
        "viewer", "hand", "play", "confirmed", "hand_sizes", "deck", "kept",
    }  # fmt: skip
    assert isinstance(GAME.view_for(first_turn(), None).deck, int)


def test_no_view_depends_on_what_is_hidden_from_it() -> None:
    state = first_turn()
    other = replace(
        state,
        hands=(FIRST_HANDS[0], (state.deck[0],)),
        sealed=((), state.deck[1:4]),
        deck=("bP2l", *state.sealed[1], *reversed(state.deck[4:])),
    )
    assert sorted(all_cards(other)) == sorted(all_cards(state))
    assert encode(GAME.view_for(state, Seat(0))) == encode(GAME.view_for(other, Seat(0)))
    assert encode(GAME.view_for(state, None)) == encode(GAME.view_for(other, None))


# --- events ---------------------------------------------------------------------------------------------------------


def test_dealt_cards_are_seen_by_their_seat_alone(plays: Plays) -> None:
    for play in plays:
        for event in play.events:
            mine = isinstance(event, CardsReceived)
            assert [viewer for viewer in viewers(play.state) if event.is_seen_by(viewer)] == (
                [getattr(event, "seat", None)] if mine else viewers(play.state)
            )


def test_received_cards_are_those_that_came_into_the_hand(plays: Plays) -> None:
    for play in plays:
        for event in play.events:
            if isinstance(event, CardsReceived):
                assert play.state.hands[event.seat][-len(event.cards) :] == event.cards


def test_state_view_and_events_survive_the_codec(plays: Plays) -> None:
    for play in plays:
        assert decode(encode(play.state), State) == play.state
        assert decode_events(encode_events(play.events), GAME.event_types) == play.events
        for viewer in viewers(play.state):
            view = GAME.view_for(play.state, viewer)
            assert decode(encode(view), View) == view


def test_states_stay_small(plays: Plays) -> None:
    assert max(len(encode(play.state)) for play in plays) < 8_000
