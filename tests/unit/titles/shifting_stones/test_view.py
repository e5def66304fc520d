"""What everybody may know, and nothing more."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import pairwise

import pytest

from games.engine.codec import decode, decode_events, encode, encode_events
from games.engine.fair import FairChance
from games.engine.protocol import Seat, Viewer
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.insight import patient
from games.titles.shifting_stones.rules.patterns import CARDS, POINTS
from games.titles.shifting_stones.rules.state import CardScored, CardsReceived, State
from games.titles.shifting_stones.rules.view import View
from tests.unit.titles.shifting_stones.choosers import Plays, play_match, scorer, waster
from tests.unit.titles.shifting_stones.positions import SEED, act, all_cards, position

HANDS = ((1, 2, 16, 21), (3, 4, 5, 6), (7, 9, 10, 11))


def viewers(state: State) -> list[Viewer]:
    return [None, *map(Seat, range(len(state.hands)))]


@pytest.fixture(scope="module", params=[1, 2, 3, 4, 5])
def plays(request: pytest.FixtureRequest) -> Plays:
    """A match with reshuffles, whatever the number of seats."""
    choosers = [patient] if request.param == 1 else [waster, waster, scorer, waster, waster][: request.param]
    played = play_match("view", choosers)
    assert played[-1].state.pile > 0
    return played[::3]


def test_a_seat_sees_its_own_hand() -> None:
    assert GAME.view_for(position(HANDS), Seat(1)).hand == (3, 4, 5, 6)


def test_spectators_see_no_hand() -> None:
    assert GAME.view_for(position(HANDS), None).hand == ()


def test_everybody_sees_what_lies_open() -> None:
    state = act(position(HANDS), "score 16", "flip 1 a1").state
    for viewer in viewers(state):
        view = GAME.view_for(state, viewer)
        assert (view.grid, view.scored, view.discards) == (state.grid, ((16,), (), ()), (1,))
        assert (view.deck, view.hand_sizes) == (60, (2, 4, 4))
        assert (view.mover, view.acted, view.has_scored, view.round) == (0, True, True, 1)
        assert (view.goal, view.points, view.scores, view.to_move) == (9, (1, 0, 0), (4, 0, 0), 0)


def test_no_view_depends_on_what_is_hidden_from_it() -> None:
    state = position(HANDS)
    other = replace(state, hands=(HANDS[0], HANDS[2], HANDS[1]), deck=tuple(reversed(state.deck)))
    assert GAME.view_for(state, Seat(0)) == GAME.view_for(other, Seat(0))
    assert GAME.view_for(state, None) == GAME.view_for(other, None)


def test_no_view_depends_on_the_order_of_anothers_hand() -> None:
    state = replace(position(HANDS), piles=tuple(card % 2 for card in CARDS))
    other = replace(state, hands=(HANDS[0], (6, 5, 4, 3), HANDS[2]))
    assert GAME.view_for(state, Seat(0)) == GAME.view_for(other, Seat(0))


def test_view_is_an_allow_list() -> None:
    assert {field.name for field in fields(State)} - {field.name for field in fields(View)} == {"hands"}
    assert {field.name for field in fields(View)} - {field.name for field in fields(State)} == {
        "viewer",
        "hand",
        "held",
    }
    assert isinstance(GAME.view_for(position(HANDS), None).deck, int)


def test_cards_put_into_a_new_pile_are_remembered_by_all() -> None:
    state = position(((16, 21), (3, 4)), deck=(), discards=(50, 51, 52), pile=1)
    state = act(state, "end").state
    view = GAME.view_for(state, None)
    assert view.pile == 2
    assert [card for card in CARDS if view.piles[card - 1] == 2] == [50, 51, 52]
    assert view.held == ((0, 0, 2, 2), (0, 0))


def test_skip_permitted_is_public() -> None:
    state = position(HANDS)
    assert GAME.view_for(state, Seat(2)).may_skip
    assert GAME.view_for(act(state, "flip 1 a1").state, None).skip_refused == "skip-after-acting"
    assert GAME.view_for(act(state, "skip", "skip", "skip").state, None).skip_refused == "skip-twice"
    full = position(((1, 2, 3, 4, 5), (6,)))
    assert GAME.view_for(full, Seat(1)).skip_refused == "skip-hand-too-full"
    assert not GAME.view_for(replace(state, ended="goal"), None).may_skip


def test_skip_permitted_agrees_with_the_rules(plays: Plays) -> None:
    for play in plays:
        state, view = play.state, GAME.view_for(play.state, None)
        actions = list(GAME.legal_actions(state, Seat(state.mover)))
        assert view.may_skip == (GAME.parse("skip") in actions)


def test_scorable_are_the_own_cards_that_lie_on_the_grid() -> None:
    assert GAME.view_for(position(HANDS), Seat(0)).scorable == (16, 21)
    assert GAME.view_for(position(HANDS), None).scorable == ()


def test_view_tells_the_last_round_and_the_end() -> None:
    view = GAME.view_for(position(HANDS, triggered_by=1, mover=2), None)
    assert (view.last_round, view.triggered_by, view.outcome) == (True, 1, None)
    over = GAME.view_for(position(HANDS, ended="idle"), None)
    assert over.outcome == GAME.outcome(position(HANDS, ended="idle"))
    assert over.to_move is None


def test_imagined_states_look_the_same_to_the_viewer(plays: Plays) -> None:
    for play in plays:
        for viewer in viewers(play.state):
            view = GAME.view_for(play.state, viewer)
            imagined = GAME.imagine(view, FairChance(SEED, play.number))
            assert GAME.view_for(imagined, viewer) == view
            assert encode(GAME.view_for(imagined, viewer)) == encode(view)


def test_imagined_states_hold_every_card_once(plays: Plays) -> None:
    seats = len(plays[0].state.hands)
    for play in plays:
        for viewer in viewers(play.state):
            cards = all_cards(GAME.imagine(GAME.view_for(play.state, viewer), FairChance(SEED, play.number)))
            if seats == 1:
                assert sorted(POINTS[card] for card in cards) == [1] * 8 + [2] * 4 + [3] * 3 + [5]
                assert len(set(cards)) == 16
            else:
                assert sorted(cards) == list(CARDS)


def test_imagined_states_keep_what_is_known_of_hidden_hands(plays: Plays) -> None:
    """The same for everybody else: each hidden card comes from the pile it is known to come from."""
    for play in plays:
        truth = GAME.view_for(play.state, None)
        for viewer in viewers(play.state):
            imagined = GAME.imagine(GAME.view_for(play.state, viewer), FairChance(SEED, play.number))
            assert GAME.view_for(imagined, None) == truth


def test_imagined_states_can_be_played_on(plays: Plays) -> None:
    for play in plays[:-1]:
        state, seat = play.state, Seat(play.state.mover)
        imagined = GAME.imagine(GAME.view_for(state, seat), FairChance(SEED, play.number))
        assert set(GAME.legal_actions(imagined, seat)) == set(GAME.legal_actions(state, seat))


def test_imagining_shuffles_what_is_hidden() -> None:
    view = GAME.view_for(position(HANDS), Seat(0))
    imagined = [GAME.imagine(view, FairChance(SEED, number)) for number in range(30)]
    assert len({state.hands[1] for state in imagined}) == 30
    assert len({state.deck[0] for state in imagined}) > 10
    assert {state.hands[0] for state in imagined} == {HANDS[0]}


def test_imagining_never_moves_a_card_between_piles() -> None:
    """The pile is made of 50 to 52 alone, so the other seat still holds the only two cards unseen before."""
    scored = (tuple(card for card in CARDS if card not in (1, 2, 3, 4, 16, 21, 50, 51, 52)), ())
    state = position(((16, 21), (3, 4)), deck=(), discards=(50, 51, 52, 1, 2), scored=scored)
    state = act(state, "end").state
    view = GAME.view_for(state, Seat(0))
    assert {tuple(sorted(GAME.imagine(view, FairChance(SEED, n)).hands[1])) for n in range(20)} == {(3, 4)}


def test_solo_cards_not_in_the_match_may_be_imagined() -> None:
    state = play_match("view", [patient])[0].state
    imagined = [GAME.imagine(GAME.view_for(state, Seat(0)), FairChance(SEED, number)) for number in range(20)]
    assert len({frozenset(other.deck) for other in imagined}) == 20


def test_solo_cards_put_into_a_new_pile_are_known_to_be_in_the_match() -> None:
    """All cards but the hand went through the discards, so the values in the hand are known, though not the cards."""
    state = play_match("view", [patient])[0].state
    state = replace(state, pile=1, piles=tuple(int(card in state.deck) for card in CARDS))
    values = sorted(POINTS[card] for card in state.hands[0])
    hands = [GAME.imagine(GAME.view_for(state, None), FairChance(SEED, number)).hands[0] for number in range(20)]
    assert [sorted(POINTS[card] for card in hand) for hand in hands] == [values] * 20
    assert len(set(hands)) > 10


def test_imagining_the_same_with_the_same_chance() -> None:
    view = GAME.view_for(position(HANDS), None)
    assert GAME.imagine(view, FairChance(SEED, 4)) == GAME.imagine(view, FairChance(SEED, 4))


def test_drawn_cards_are_seen_by_their_seat_alone(plays: Plays) -> None:
    for play in plays:
        for event in play.events:
            if isinstance(event, CardsReceived):
                assert event.seen_by == frozenset({Seat(event.seat)})
                assert [viewer for viewer in viewers(play.state) if event.is_seen_by(viewer)] == [event.seat]
            else:
                assert event.seen_by is None


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


def test_a_scored_card_names_the_cells_that_show_it() -> None:
    played = play_match("cells", [scorer] * 3)
    scored = [(before.state.grid, event) for before, play in pairwise(played) for event in play.events]
    shown = [
        ([grid[cell] for cell in event.cells], [face for row in CARDS[event.card].rows for face in row if face])
        for grid, event in scored
        if isinstance(event, CardScored)
    ]
    assert len(shown) == sum(map(len, played[-1].state.scored)) > 0
    assert all(faces == pattern for faces, pattern in shown)
