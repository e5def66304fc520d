"""What a viewer can imagine: full states that agree with all they may have noticed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from games.engine.codec import encode
from games.engine.contract.playouts import Chooser, random_match
from games.engine.contract.testing import check_hidden
from games.engine.fair import FairChance
from games.engine.protocol import Seat, Viewer
from games.titles.card_chess import GAME
from games.titles.card_chess.rules.deck import DECK, stock
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.state import State
from tests.unit.titles.card_chess.choosers import Plays, any_play, play_match
from tests.unit.titles.card_chess.positions import (
    FIRST_HANDS,
    SEED,
    act,
    all_cards,
    first_turn,
    pile,
    position,
    rest_of,
    viewers,
)


@pytest.fixture(scope="module", params=[2, 3, 4])
def plays(request: pytest.FixtureRequest) -> Plays:
    return play_match("view", [any_play] * request.param)[::3]


def test_imagined_states_look_the_same_to_the_viewer(plays: Plays) -> None:
    for play in plays:
        for viewer in viewers(play.state):
            view = GAME.view_for(play.state, viewer)
            imagined = GAME.imagine(view, FairChance(SEED, play.number))
            assert encode(GAME.view_for(imagined, viewer)) == encode(view)


def test_imagined_states_hold_every_card_of_the_match(plays: Plays) -> None:
    for play in plays:
        expected = Counter(stock(play.state.seats, play.state.removed))
        for viewer in viewers(play.state):
            view = GAME.view_for(play.state, viewer)
            assert Counter(all_cards(GAME.imagine(view, FairChance(SEED, play.number)))) == expected


def test_nothing_is_left_to_imagine_when_the_match_is_over() -> None:
    """Both still hold the card they kept from the first phase, which goes to the discards."""
    hands = (("bP1l", "gK5w"), ("bP3l", "bK5w"))
    state = position(hands, ("bP1d",), phase=2, kept=("gK5w", "bK5w"), rulings=Rulings(length="one_challenge"))
    state = replace(state, piles=(pile(0, " ".join(rest_of(state))),))
    over = act(state, "bP1l", "bP3l").state
    for viewer in viewers(over):
        assert GAME.imagine(GAME.view_for(over, viewer), FairChance(SEED, 1)) == over


def test_imagining_shuffles_hands_plays_and_draw_pile() -> None:
    view = GAME.view_for(first_turn(), Seat(0))
    imagined = [GAME.imagine(view, FairChance(SEED, number)) for number in range(30)]
    assert {state.hands[0] for state in imagined} == {FIRST_HANDS[0]}
    assert len({state.hands[1] for state in imagined}) > 10
    assert len({state.sealed[1] for state in imagined}) == 30
    assert len({state.deck for state in imagined}) == 30


def test_imagining_the_same_with_the_same_chance() -> None:
    view = GAME.view_for(first_turn(), None)
    assert GAME.imagine(view, FairChance(SEED, 4)) == GAME.imagine(view, FairChance(SEED, 4))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_hands_plays_and_the_draw_pile_are_not_known(seats: int) -> None:
    match = random_match(GAME, seats, {}, SEED, Chooser(SEED))
    check_hidden(GAME, match, lambda state, viewer: _others(state.hands, viewer))
    check_hidden(GAME, match, lambda state, viewer: _others(state.sealed, viewer))
    check_hidden(GAME, match, lambda state, viewer: state.deck or None)


def _others(rows: tuple[tuple[str, ...], ...], viewer: Viewer) -> object:
    hidden = tuple(row for seat, row in enumerate(rows) if seat != viewer)
    return hidden if any(hidden) else None


# --- what is known of hands in the second phase ---------------------------------------------------------------------


def second_phase(kept: tuple[str, str], drawn: tuple[str, ...]) -> State:
    """Return the first turn of a second phase: each seat has the card it kept and three of those drawn, then three lie
    on the table, and all other cards are in the draw pile.
    """
    hands = ((kept[0], *drawn[:3]), (kept[1], *drawn[3:6]))
    state = position(hands, drawn[6:9], phase=2, turn=5, kept=kept)
    return replace(state, deck=rest_of(state))


DRAWN = ("bP1l", "bP1d", "bP2l", "bP2d", "bP3l", "bP3d", "bP4l", "bP4d", "bR6l")


def imagined(state: State, viewer: Viewer, count: int = 40) -> list[State]:
    view = GAME.view_for(state, viewer)
    return [GAME.imagine(view, FairChance(SEED, number)) for number in range(count)]


def test_in_the_second_phase_an_opponent_still_has_the_card_kept_from_the_first() -> None:
    state = second_phase(("gQ9w", "gK5w"), DRAWN)
    hands = [world.hands[1] for world in imagined(state, Seat(0))]
    assert all("gK5w" in hand for hand in hands)
    assert len({frozenset(hand) for hand in hands}) > 10


def test_the_kept_card_may_be_among_those_sealed() -> None:
    state = act(second_phase(("gQ9w", "gK5w"), DRAWN), "bP2d bP3l bP3d", seats=[1]).state
    worlds = imagined(state, Seat(0))
    assert all("gK5w" in world.hands[1] + world.sealed[1] for world in worlds)
    assert {"gK5w" in world.sealed[1] for world in worlds} == {True, False}


def test_the_kept_card_is_not_expected_any_more_once_it_was_played() -> None:
    state = act(second_phase(("gQ9w", "gK5w"), DRAWN), "bP1l bP1d bP2l", "gK5w bP2d bP3l").state
    hands = [world.hands[1] for world in imagined(state, Seat(0))]
    assert not any("gK5w" in hand for hand in hands)
    assert len({frozenset(hand) for hand in hands}) > 10


def test_a_spectator_knows_both_kept_cards_but_not_who_has_which() -> None:
    state = second_phase(("gQ9w", "gK5w"), DRAWN)
    swapped = replace(state, hands=tuple(reversed(state.hands)), kept=("gK5w", "gQ9w"))
    assert encode(GAME.view_for(state, None)) == encode(GAME.view_for(swapped, None))
    assert GAME.view_for(state, None).kept == ("gK5w", "gQ9w")
    owners = {("gQ9w" in world.hands[0], "gK5w" in world.hands[1]) for world in imagined(state, None)}
    assert owners == {(True, True), (False, False)}


def test_a_spectator_learns_who_kept_which_when_one_of_them_is_played() -> None:
    state = act(second_phase(("gQ9w", "gK5w"), DRAWN), "gQ9w bP1d bP2l", "bP2d bP3l bP3d").state
    assert all(world.kept == ("gQ9w", "gK5w") and "gK5w" in world.hands[1] for world in imagined(state, None))


def test_a_card_equal_to_a_kept_one_tells_a_spectator_nothing() -> None:
    """Both blue castles: one was kept by seat 0, the other may have been drawn by seat 1, or the other way round."""
    state = second_phase(("bC#w", "gK5w"), ("bP1l", "bP1d", "bP2l", "bC#w", *DRAWN[4:]))
    state = act(state, "bP1l bP1d bP2l", "bC#w bP3l bP3d").state
    worlds = imagined(state, None)
    assert {world.kept for world in worlds} == {("bC#w", "gK5w"), ("gK5w", "bC#w")}
    assert all(world.kept[0] in world.hands[0] for world in worlds)


def test_a_seat_that_played_both_of_two_equal_cards_had_kept_one_unless_the_other_seat_did() -> None:
    """Both blue castles were played by seat 1, so seat 0 kept the king."""
    state = second_phase(("gK5w", "bC#w"), ("bP1l", "bP1d", "bP2l", "bC#w", *DRAWN[4:]))
    state = act(state, "bP1l bP1d bP2l", "bC#w bC#w bP3d").state
    assert all(world.kept == ("gK5w", "bC#w") and "gK5w" in world.hands[0] for world in imagined(state, None))


def test_in_the_first_phase_and_with_more_players_nothing_is_kept(plays: Plays) -> None:
    assert all(play.state.kept == () for play in plays if play.state.phase == 1)


def test_who_plays_knows_what_the_other_kept_as_every_other_card_was_seen() -> None:
    """Follow the whole first phase and cross out what seat 0 has seen: the one card left is the other's."""
    played = play_match("kept", [any_play] * 2)
    second = next(play for play in played if play.state.phase == 2)
    first = [play.state for play in played[: second.number]]
    seen = Counter(card for pile in second.state.revealed.of_turn for card in pile.whole)
    seen += Counter(card for pile in first[-1].piles for card in pile.whole)
    seen += Counter([second.state.kept[0]])
    assert list((Counter(DECK) - seen).elements()) == [second.state.kept[1]]
    assert GAME.view_for(second.state, Seat(0)).kept == second.state.kept
