"""The cards."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from games.titles.card_chess.rules import deck
from games.titles.card_chess.rules.deck import CARDS, DECK, decks, in_order, least_pawns, stock, without

SPECIFICATION = Path(__file__).resolve().parents[5] / "shared" / "rules" / "card_chess_deck.json"


def squares(piece: str, colour: str) -> list[str]:
    cards = (CARDS[text] for text in DECK)
    return sorted(card.square for card in cards if (card.piece, card.colour) == (piece, colour))


@pytest.mark.skipif(not SPECIFICATION.exists(), reason="the specification is not at hand")
def test_data_file_equals_the_specification() -> None:
    ours = Path(deck.__file__).with_name("deck.json")
    assert json.loads(ours.read_text()) == json.loads(SPECIFICATION.read_text())


def test_38_cards_half_of_them_blue() -> None:
    assert len(DECK) == 38
    assert Counter(CARDS[card].colour for card in DECK) == {"blue": 19, "green": 19}


@pytest.mark.parametrize("colour", ["blue", "green"])
def test_pawns_of_1_to_4_each_once_on_light_and_once_on_dark(colour: str) -> None:
    pawns = [card for card in map(CARDS.__getitem__, DECK) if (card.piece, card.colour) == ("pawn", colour)]
    assert sorted((card.value, card.square) for card in pawns) == [(v, s) for v in "1234" for s in ("dark", "light")]


@pytest.mark.parametrize("colour", ["blue", "green"])
@pytest.mark.parametrize("piece", ["knight", "rook", "bishop"])
def test_a_knight_rook_and_bishop_on_light_and_on_dark(piece: str, colour: str) -> None:
    assert squares(piece, colour) == ["dark", "light"]


@pytest.mark.parametrize("colour", ["blue", "green"])
@pytest.mark.parametrize(("piece", "count"), [("castle", 2), ("ghost_queen", 1), ("king", 1), ("queen", 1)])
def test_castles_ghost_queen_king_and_queen_on_white(piece: str, count: int, colour: str) -> None:
    assert squares(piece, colour) == ["white"] * count


@pytest.mark.parametrize(
    ("piece", "value", "points"),
    [
        ("castle", "#", 1), ("ghost_queen", "#", 1), ("king", "5", 5),
        ("knight", "5", 2), ("bishop", "7", 2), ("queen", "9", 2),
    ],
)  # fmt: skip
def test_value_and_points(piece: str, value: str, points: int) -> None:
    cards = [card for card in CARDS.values() if card.piece == piece]
    assert {(card.value, card.points) for card in cards} == {(value, points)}


def test_pawns_are_worth_1_point() -> None:
    assert {card.points for card in CARDS.values() if card.piece == "pawn"} == {1}


def test_blue_rooks_are_6_and_green_ones_5_as_printed() -> None:
    rooks = [card for card in CARDS.values() if card.piece == "rook"]
    assert {(card.colour, card.value, card.points) for card in rooks} == {("blue", "6", 2), ("green", "5", 2)}


def test_a_card_is_written_as_colour_piece_value_and_square() -> None:
    assert {"bP1l", "gR5d", "bC#w", "gG#w", "bQ9w", "gN5l", "bK5w", "gB7d"} <= set(CARDS)
    assert all(re.fullmatch(r"[bg][PCGKNRBQ][1-9#][ldw]", text) for text in CARDS)
    assert len(CARDS) == 36


@pytest.mark.parametrize(("seats", "cards"), [(2, 38), (3, 76), (4, 76)])
def test_two_players_have_one_deck_and_more_have_two(seats: int, cards: int) -> None:
    assert decks(seats) == DECK * (cards // 38)


def test_the_list_of_cards_follows_the_data_file_each_entry_as_often_as_it_is_there() -> None:
    assert DECK[:2] == ("bP1l", "bP1d")
    assert DECK[8:11] == ("bC#w", "bC#w", "bG#w")
    assert DECK[19] == "gP1l"
    assert DECK[-1] == "gQ9w"


def test_one_of_the_eight_pawns_of_value_1_can_be_removed() -> None:
    pawns, cards = least_pawns(4), decks(4)
    assert [cards[place] for place in pawns] == ["bP1l", "bP1d", "gP1l", "gP1d"] * 2
    assert [stock(4, number) for number in range(8)] == [cards[:place] + cards[place + 1 :] for place in pawns]


def test_taking_cards_away_leaves_equal_ones() -> None:
    assert without(["bC#w", "gK5w", "bC#w", "bP1l"], ["bC#w", "bP1l", "gQ9w"]) == ("gK5w", "bC#w")


def test_cards_can_be_put_into_the_order_of_the_data_file() -> None:
    assert in_order(["gQ9w", "bC#w", "bP1d", "bC#w"]) == ("bP1d", "bC#w", "bC#w", "gQ9w")
