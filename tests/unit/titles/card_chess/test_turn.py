"""Sealed plays, what is refused, and the reveal."""

from __future__ import annotations

from itertools import permutations

import pytest

from games.engine.codec import encode
from games.engine.fair import FairChance
from games.engine.protocol import RuleViolation, Seat
from games.titles.card_chess import GAME
from games.titles.card_chess.rules.state import CardsReceived, Confirmed, Pile, PileSettled, State, TableLaid
from tests.unit.titles.card_chess.choosers import any_play, play_match
from tests.unit.titles.card_chess.positions import act, kinds, legal, position, refused, settled

HANDS = (("bQ9w", "bN5l", "bP1d", "gC#w"), ("bK5w", "gP4l", "gP4d", "bP2l"), ("bB7l", "bB7d", "gP3l", "gQ9w"))
TABLE = ("gP1l", "gN5d", "bP3d")
DECK = ("gP2l", "gP2d", "bP3l", "bP4l") * 6


def turn(seats: int = 3) -> State:
    return position(HANDS[:seats], TABLE, deck=DECK)


def test_exactly_one_card_is_played_at_each_table_card_and_one_is_kept() -> None:
    state = act(turn(), "bQ9w bN5l gC#w").state
    assert state.sealed == (("bQ9w", "bN5l", "gC#w"), (), ())
    assert state.hands[0] == ("bP1d",)


def test_a_useless_card_may_be_played() -> None:
    assert "play gC#w bP1d bN5l" in legal(turn(), 0)
    assert act(turn(), "gC#w bP1d bN5l").state.sealed[0] == ("gC#w", "bP1d", "bN5l")


def test_every_way_to_play_three_of_four_cards_is_listed_once() -> None:
    assert sorted(legal(turn(), 1)) == sorted(f"play {' '.join(cards)}" for cards in permutations(HANDS[1], 3))


def test_equal_cards_are_interchangeable() -> None:
    state = position((("bC#w", "bC#w", "bP1l", "bP2l"), HANDS[1]), TABLE, deck=DECK)
    plays = legal(state, 0)
    assert len(plays) == len(set(plays)) == 12
    assert act(state, "bC#w bC#w bP1l").state.hands[0] == ("bP2l",)


def test_all_who_have_not_confirmed_are_to_move() -> None:
    state = act(turn(), "bK5w gP4l gP4d", seats=[1]).state
    assert GAME.to_move(turn()) == {0, 1, 2}
    assert GAME.to_move(state) == {0, 2}
    assert legal(state, 1) == []


def test_every_running_turn_is_sealed() -> None:
    assert GAME.is_sealed(turn())
    assert GAME.is_sealed(act(turn(), "bQ9w bN5l gC#w").state)
    assert not GAME.is_sealed(play_match("sealed", [any_play] * 2)[-1].state)


@pytest.mark.parametrize("text", ["bQ9w bN5l", "bQ9w", "bQ9w bN5l bP1d gC#w"])
def test_wrong_number_of_cards(text: str) -> None:
    assert refused(turn(), 0, text) == "wrong-number"


@pytest.mark.parametrize("text", ["bQ9w bN5l bK5w", "bQ9w bQ9w bN5l", "gR5l gR5l gR5l"])
def test_card_not_in_hand(text: str) -> None:
    assert refused(turn(), 0, text) == "card-not-in-hand"


def test_not_your_turn_for_who_has_confirmed() -> None:
    state = act(turn(), "bQ9w bN5l gC#w").state
    assert refused(state, 0, "bP1d bN5l gC#w") == "not-your-turn"


def test_match_over() -> None:
    state = play_match("over", [any_play] * 2)[-1].state
    assert refused(state, 0, "bP1d bN5l gC#w") == "match-over"


def test_wrong_number_comes_before_a_card_not_in_hand() -> None:
    assert refused(turn(), 0, "gR5l") == "wrong-number"


def test_a_refusal_says_what_is_wrong() -> None:
    state = act(turn(), "bQ9w bN5l gC#w").state
    with pytest.raises(RuleViolation, match=r"You have confirmed already; wait for the others\."):
        GAME.apply(state, Seat(0), GAME.parse("play bP1d bN5l gC#w"), FairChance(bytes(32), 2))


def test_until_the_last_player_has_confirmed_only_that_somebody_confirmed_is_told() -> None:
    chance = FairChance(bytes(32), 1)
    step = GAME.apply(turn(), Seat(1), GAME.parse("play bK5w gP4l gP4d"), chance)
    assert step.events == (Confirmed(None, 1),)
    assert (step.reveals, step.opens, chance.used) == (False, False, False)
    assert (step.state.table, step.state.piles, step.state.deck) == (TABLE, (), DECK)


def test_what_others_sealed_is_in_nobody_elses_view() -> None:
    one = act(turn(), "bK5w gP4l gP4d", seats=[1]).state
    other = act(turn(), "gP4d bP2l bK5w", seats=[1]).state
    for viewer in (None, Seat(0), Seat(2)):
        assert encode(GAME.view_for(one, viewer)) == encode(GAME.view_for(other, viewer))
    assert GAME.view_for(one, Seat(1)) != GAME.view_for(other, Seat(1))


def test_the_last_to_confirm_opens_all_plays_and_the_next_turn_is_dealt() -> None:
    step = act(turn(), "bQ9w bN5l gC#w", "bK5w gP4l gP4d", "bB7l bB7d gP3l")
    assert (step.reveals, step.opens) == (True, True)
    assert kinds(step.events) == ["confirmed", *["settled"] * 3, "table-laid", *["received"] * 3]
    assert step.state.turn == 2
    assert step.state.sealed == ((), (), ())


def test_piles_are_settled_first_second_third() -> None:
    step = act(turn(), "bQ9w bN5l gC#w", "bK5w gP4l gP4d", "bB7l bB7d gP3l")
    piles = (
        Pile(1, 1, 0, "gP1l", ("bQ9w", "bK5w", "bB7l"), 0, "captured"),
        Pile(1, 1, 1, "gN5d", ("bN5l", "gP4l", "bB7d"), 2, "captured"),
        Pile(1, 1, 2, "bP3d", ("gC#w", "gP4d", "gP3l"), 0, "captured"),
    )
    assert [event.pile for event in step.events if isinstance(event, PileSettled)] == list(piles)
    assert step.state.piles == step.state.revealed.piles == piles


def test_whoever_captures_takes_the_whole_pile() -> None:
    state = act(turn(), "bQ9w bN5l gC#w", "bK5w gP4l gP4d", "bB7l bB7d gP3l").state
    assert state.won(0) == ("gP1l", "bQ9w", "bK5w", "bB7l", "bP3d", "gC#w", "gP4d", "gP3l")
    assert state.won(1) == ()
    assert state.won(2) == ("gN5d", "bN5l", "gP4l", "bB7d")


def test_if_nobody_captures_the_pile_goes_to_the_discards_table_card_first_then_in_seat_order() -> None:
    state = act(turn(), "bQ9w gC#w bP1d", "bK5w gP4l bP2l", "bB7l gP3l gQ9w").state
    assert settled(act(turn(), "bQ9w gC#w bP1d", "bK5w gP4l bP2l", "bB7l gP3l gQ9w"))[1] == (None, "none")
    assert state.discards == ("gN5d", "gC#w", "gP4l", "gP3l")


@pytest.mark.parametrize("count", [2, 3])
def test_equal_strongest_cards_of_two_or_three_leave_the_pile(count: int) -> None:
    hands = (("bK5w", "bP1l", "bP2l", "bP3l"), ("bK5w", "bP1l", "bP2l", "bP3l"), ("bN5l", "bP4d", "bP2l", "bP3l"))
    state = position(hands[:count], ("gP4l", "bP1l", "bP2d"), deck=DECK)
    step = act(state, *(f"{hand[0]} {hand[2]} {hand[3]}" for hand in hands[:count]))
    assert settled(step)[0] == (None, "equal")


def test_equal_strongest_cards_of_four_leave_the_pile() -> None:
    hands = tuple((card, "bP1l", "bP2l", "bP3l") for card in ("bK5w", "bN5l", "bK5w", "bN5l"))
    step = act(position(hands, ("gP4l", "bP1l", "bP2d"), deck=DECK), *(f"{hand[0]} bP1l bP2l" for hand in hands))
    assert settled(step)[0] == (None, "equal")


def test_the_card_kept_in_hand_stays_and_new_ones_join_it() -> None:
    step = act(turn(), "bQ9w bN5l gC#w", "bK5w gP4l gP4d", "bB7l bB7d gP3l")
    assert step.state.hands == (
        ("bP1d", "gP2d", "gP2d", "gP2d"), ("bP2l", "bP3l", "bP3l", "bP3l"), ("gQ9w", "bP4l", "bP4l", "bP4l"),
    )  # fmt: skip


def test_face_up_cards_are_told_to_all_and_dealt_ones_to_their_seat_alone() -> None:
    step = act(turn(), "bQ9w bN5l gC#w", "bK5w gP4l gP4d", "bB7l bB7d gP3l")
    assert step.events[-4:] == (
        TableLaid(None, ("gP2l",) * 3, 12),
        CardsReceived(frozenset({Seat(0)}), 0, ("gP2d",) * 3),
        CardsReceived(frozenset({Seat(1)}), 1, ("bP3l",) * 3),
        CardsReceived(frozenset({Seat(2)}), 2, ("bP4l",) * 3),
    )


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_the_position_does_not_depend_on_the_order_of_confirming(order: tuple[int, ...]) -> None:
    texts = ("bQ9w bN5l gC#w", "bK5w gP4l gP4d", "bB7l bB7d gP3l")
    in_order = act(turn(), *texts)
    other = act(turn(), *(texts[seat] for seat in order), seats=order)
    assert encode(other.state) == encode(in_order.state)
    assert other.events[1:] == in_order.events[1:]
