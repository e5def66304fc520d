"""Points and realms."""

from __future__ import annotations

import pytest

from games.titles.card_chess.rules.deck import DECK
from games.titles.card_chess.rules.scoring import points, realm_makers, realm_parts, realms
from tests.unit.titles.card_chess.positions import act, position

REALM = ("bK5w", "bQ9w", "bC#w")


def test_cards_count_their_points() -> None:
    assert points(["bP4l", "bC#w", "gG#w", "gK5w", "bN5l", "gR5d", "bB7d"]) == 1 + 1 + 1 + 5 + 2 + 2 + 2
    assert points([]) == 0


def test_a_realm_is_king_queen_and_castle_of_one_colour_and_worth_10() -> None:
    assert realms(REALM) == 1
    assert points(REALM) == 5 + 2 + 1 + 10


@pytest.mark.parametrize(
    "cards", [("bK5w", "bQ9w", "gC#w"), ("bK5w", "bQ9w", "bR6l"), ("bK5w", "bG#w", "bC#w"), ("bQ9w", "bC#w", "bC#w")]
)
def test_other_colours_rooks_and_ghost_queens_make_no_realm(cards: tuple[str, ...]) -> None:
    assert realms(cards) == 0


def test_per_colour_the_least_of_the_three_counts() -> None:
    assert realms(REALM * 2) == 2
    assert realms((*REALM, "bC#w", "bC#w", "bK5w")) == 1
    assert realms(DECK) == 2
    assert realms(DECK * 2) == 4


def test_parts_of_realms_are_counted_per_colour() -> None:
    assert realm_parts(["bK5w", "bC#w", "gQ9w", "bC#w", "gG#w", "gR5l"]) == ((1, 0, 2), (0, 1, 0))


def test_all_cards_of_a_deck_are_worth_60_points_and_two_realms() -> None:
    assert points(DECK) == 2 * (8 + 3 + 5 + 3 * 2 * 2 + 2) + 20


def test_ones_own_played_cards_count_and_make_a_realm() -> None:
    """Seat 0 captures three pawns with king, queen and castle of blue."""
    hands = (("bK5w", "bQ9w", "bC#w", "bP1l"), ("gP1l", "gP2l", "gP3l", "gP4l"))
    state = position(hands, ("gP1d", "gP2d", "gP3d"), deck=("bN5l",) * 9)
    state = act(state, "bK5w bQ9w bC#w", "gP1l gP2l gP3l").state
    assert state.won(0) == ("gP1d", "bK5w", "gP1l", "gP2d", "bQ9w", "gP2l", "gP3d", "bC#w", "gP3l")
    assert state.realms == (1, 0)
    assert state.points == (5 + 2 + 1 + 6 + 10, 0)


def test_a_realm_may_mix_own_table_and_opponents_cards() -> None:
    """The green king lies on the table, the green queen is played by the other, the green castle by seat 0 itself."""
    hands = (("bQ9w", "bP4l", "gC#w", "bP1l"), ("gP1l", "gQ9w", "bP2l", "gP4l"))
    state = position(hands, ("gK5w", "gP2l", "bP3l"), deck=("bN5l",) * 9)
    state = act(state, "bQ9w bP4l gC#w", "gP1l gQ9w bP2l").state
    assert state.realms == (1, 0)
    assert [pile.captor for pile in state.piles] == [0, 0, 0]


@pytest.mark.parametrize(
    ("won", "before", "makers"),
    [
        ("gK5w bP1l", "gQ9w gC#w", "gK5w"),
        ("gK5w bK5w", "gQ9w gC#w bQ9w", "gK5w"),  # blue has no castle yet
        ("gK5w gQ9w", "gQ9w gC#w", "gK5w"),  # a queen was there
        ("gK5w gR5d", "gQ9w gC#w", "gK5w"),  # a rook is no part of it
        ("gK5w gQ9w gC#w bP1l", "", "gK5w gQ9w gC#w"),
        ("gK5w bK5w", "gQ9w gC#w bQ9w bC#w", "bK5w gK5w"),
        ("gK5w", "gK5w gQ9w gC#w", ""),
        ("gK5w", "gQ9w", ""),
        ("bP1l", "gK5w gQ9w gC#w", ""),
    ],
)
def test_what_completes_a_realm_are_the_parts_of_its_colour_that_were_lacking(
    won: str, before: str, makers: str
) -> None:
    assert realm_makers(won.split(), before.split()) == tuple(makers.split())
