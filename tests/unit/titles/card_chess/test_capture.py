"""Which card captures which, and who takes a pile: by the wording of the rules, not the code's own ranks."""

from __future__ import annotations

from itertools import permutations

import pytest

from games.titles.card_chess.rules.capture import Verdict, blockers, equals, refusal, settle, strength
from games.titles.card_chess.rules.deck import CARDS, DECK
from games.titles.card_chess.rules.options import Rulings

OFFICIAL = Rulings()
SYMMETRIC = Rulings(symmetric_rooks=True)


def captures_by_the_wording(card: str, target: str, rooks: int = 5) -> bool:
    """Read the rule of capturing off the texts of the cards, sentence by sentence."""
    if card[0] == target[0]:
        return False  # colours are opposite
    allowed = {"w": "ldw", "l": "lw", "d": "dw"}[card[3]]  # C on white captures on any square, C on light on light ..
    return target[3] in allowed and at_least_as_strong(card, target, rooks)


def at_least_as_strong(card: str, target: str, rooks: int) -> bool:
    if card[2] == "#":
        return target[1] == "P" or target[2] == "#"  # `#` captures only pawns and `#`
    if target[2] == "#":
        return card[1] != "P"  # and is captured by everything but pawns
    return value(card, rooks) >= value(target, rooks)


def value(card: str, rooks: int) -> int:
    return rooks if card[:2] == "gR" else int(card[2])


def capturers(target: str, rulings: Rulings = OFFICIAL) -> int:
    """Return how many cards of one deck can capture a given card of it."""
    return sum(refusal(card, target, rulings) is None for card in DECK)


@pytest.mark.parametrize(("rulings", "rooks"), [(OFFICIAL, 5), (SYMMETRIC, 6)])
def test_all_38_x_38_pairs_capture_as_the_rules_are_worded(rulings: Rulings, rooks: int) -> None:
    for card in DECK:
        for target in DECK:
            captures = refusal(card, target, rulings) is None
            assert captures == captures_by_the_wording(card, target, rooks), (card, target)


def test_294_of_the_pairs_of_different_cards_can_capture() -> None:
    assert sum(refusal(card, target, OFFICIAL) is None for card, target in permutations(DECK, 2)) == 294


@pytest.mark.parametrize(
    ("written", "count"),
    [
        ("P1", 12), ("P2", 11), ("P3", 10), ("P4", 9), ("C#", 11), ("G#", 11), ("K5", 8), ("N5", 5), ("B7", 2),
        ("Q9", 1), ("R6", 2), ("R5", 5),
    ],
)  # fmt: skip
def test_number_of_cards_that_can_capture_a_given_card(written: str, count: int) -> None:
    targets = [card for card in CARDS if card[1:3] == written]
    assert targets
    assert {capturers(target) for target in targets} == {count}


@pytest.mark.parametrize(("rook", "count"), [("gR5l", 3), ("gR5d", 3), ("bR6l", 3), ("bR6d", 3)])
def test_number_of_cards_that_can_capture_a_rook_with_symmetric_rooks(rook: str, count: int) -> None:
    assert capturers(rook, SYMMETRIC) == count


@pytest.mark.parametrize(
    ("card", "target", "reason"),
    [
        ("bQ9w", "bP1l", "colour"),
        ("bN5l", "gP1d", "square"),
        ("bN5d", "gP1l", "square"),
        ("bN5l", "gQ9w", "strength"),
        ("bC#w", "gN5l", "strength"),
        ("bP4l", "gC#w", "strength"),
        ("bP1l", "bQ9w", "colour"),
        ("bP1l", "bP4d", "colour"),
        ("bP1l", "gP4d", "square"),
        ("bN5l", "gK5w", None),
        ("bQ9w", "gP1d", None),
    ],
)
def test_why_a_card_cannot_capture_first_colour_then_square_then_strength(
    card: str, target: str, reason: str | None
) -> None:
    assert refusal(card, target, OFFICIAL) == reason


def test_green_rook_is_5_as_printed_and_6_with_symmetric_rooks() -> None:
    assert (strength("gR5l", OFFICIAL), strength("gR5l", SYMMETRIC)) == (5, 6)
    assert refusal("gR5l", "bR6l", OFFICIAL) == "strength"
    assert refusal("gR5l", "bR6l", SYMMETRIC) is None
    assert refusal("bN5l", "gR5l", OFFICIAL) is None
    assert refusal("bN5l", "gR5l", SYMMETRIC) == "strength"


@pytest.mark.parametrize("card", [card for card in CARDS if card[:2] != "gR"])
def test_symmetric_rooks_change_no_other_card(card: str) -> None:
    assert strength(card, OFFICIAL) == strength(card, SYMMETRIC)


def test_the_strongest_card_that_can_capture_takes_the_pile() -> None:
    assert settle("gP2l", ["bP3l", "bN5l", "bP4l"], OFFICIAL) == Verdict(1, "captured")


def test_if_no_card_can_capture_nobody_takes_the_pile() -> None:
    assert settle("gP2l", ["bP1l", "gQ9w", "bN5d"], OFFICIAL) == Verdict(None, "none")


@pytest.mark.parametrize(
    "cards", [["bK5w", "bN5l"], ["bN5l", "bK5w", "bP4l"], ["bK5w", "bN5l", "bK5w"], ["bN5l", "bN5l", "bK5w", "bK5w"]]
)
def test_if_the_strongest_are_equal_nobody_takes_the_pile(cards: list[str]) -> None:
    assert settle("gP2l", cards, OFFICIAL) == Verdict(None, "equal")


def test_king_knight_and_green_rook_are_equally_strong() -> None:
    assert settle("bP1l", ["gK5w", "gR5l", "gN5l"], OFFICIAL) == Verdict(None, "equal")
    assert settle("bP1l", ["gK5w", "gR5l", "gN5l"], SYMMETRIC) == Verdict(1, "captured")


@pytest.mark.parametrize("stronger", ["gQ9w", "bB7d"])
def test_a_stronger_card_that_may_not_capture_does_not_compete_and_does_not_block(stronger: str) -> None:
    assert settle("gP2l", [stronger, "bP3l"], OFFICIAL) == Verdict(1, "captured")


@pytest.mark.parametrize("equal", ["gN5l", "bN5d", "gK5w"])
def test_an_equal_card_that_may_not_capture_does_not_compete(equal: str) -> None:
    assert settle("gP2l", [equal, "bN5l"], OFFICIAL) == Verdict(1, "captured")


@pytest.mark.parametrize(
    ("cards", "seats"),
    [
        ("bN5l bK5w bP3l", (0, 1)),
        ("bP3l bN5l bK5w", (1, 2)),
        ("gQ9w gQ9w bN5l bK5w", (2, 3)),  # the queens may not capture
        ("gQ9w gQ9w bN5l bP3l", ()),
        ("gQ9w gQ9w bP1l", ()),
    ],
)
def test_equal_are_the_strongest_of_those_that_may_capture(cards: str, seats: tuple[int, ...]) -> None:
    assert equals("gP2l", cards.split(), Rulings()) == seats


@pytest.mark.parametrize(
    ("cards", "seats"),
    [
        ("gQ9w bP3l", (0,)),
        ("bP3l gQ9w bN5l gQ9w", (1, 3)),
        ("bN5l gK5w bP3l", (1,)),  # the knight is as strong, but may capture
        ("bN5l bK5w bP3l gP4l", (3,)),  # the stronger two stepped aside
    ],
)
def test_blocking_are_the_strongest_of_those_that_may_not_capture(cards: str, seats: tuple[int, ...]) -> None:
    played, rulings = cards.split(), Rulings(blocking=True, next_strongest=True)
    assert settle("gP2l", played, rulings).result == "blocked"
    assert blockers("gP2l", played, rulings) == seats
