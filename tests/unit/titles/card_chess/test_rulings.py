"""The options that decide who takes a pile: every line of the table of rulings on this."""

from __future__ import annotations

from itertools import product

import pytest

from games.titles.card_chess.rules.capture import Verdict, refusal, settle, strength
from games.titles.card_chess.rules.deck import CARDS
from games.titles.card_chess.rules.options import Rulings

BLOCKING = Rulings(blocking=True)
NEXT = Rulings(next_strongest=True)
BOTH = Rulings(blocking=True, next_strongest=True)

TARGET = "gP2l"
"""Blue cards on light and white capture it from 2 on; blue ones on dark and green ones do not."""


@pytest.mark.parametrize("stronger", ["gQ9w", "bB7d", "gN5l"])
def test_blocking_if_the_strongest_card_played_may_not_capture_nobody_takes(stronger: str) -> None:
    assert settle(TARGET, [stronger, "bP3l"], BLOCKING) == Verdict(None, "blocked")


@pytest.mark.parametrize("equal", ["gN5l", "bN5d", "gK5w", "gR5l"])
def test_blocking_if_any_of_the_strongest_cards_played_may_not_capture_nobody_takes(equal: str) -> None:
    assert settle(TARGET, ["bN5l", equal, "bP3l"], BLOCKING) == Verdict(None, "blocked")


def test_blocking_a_weaker_card_that_may_not_capture_does_not_block() -> None:
    assert settle(TARGET, ["gP1l", "bP3l", "bP2d"], BLOCKING) == Verdict(1, "captured")


def test_blocking_equal_strongest_capturing_cards_still_leave_the_pile() -> None:
    assert settle(TARGET, ["bN5l", "bK5w", "bP3l"], BLOCKING) == Verdict(None, "equal")


def test_blocking_without_a_card_that_can_capture_is_not_called_blocked() -> None:
    assert settle(TARGET, ["gQ9w", "bP1l"], BLOCKING) == Verdict(None, "none")


def test_blocking_a_green_rook_blocks_by_its_strength() -> None:
    assert settle(TARGET, ["bR6l", "gR5l"], BLOCKING) == Verdict(0, "captured")
    assert settle(TARGET, ["bR6l", "gR5l"], Rulings(blocking=True, symmetric_rooks=True)) == Verdict(None, "blocked")


def test_next_strongest_the_strongest_capturing_card_that_no_other_capturing_card_equals_takes() -> None:
    assert settle(TARGET, ["bN5l", "bK5w", "bP3l"], NEXT) == Verdict(2, "captured")


def test_next_strongest_sets_several_pairs_aside() -> None:
    assert settle(TARGET, ["bN5l", "bK5w", "bP3l", "bP3l"], NEXT) == Verdict(None, "equal")
    assert settle(TARGET, ["bN5l", "bN5l", "bK5w", "bP2l"], NEXT) == Verdict(3, "captured")


def test_next_strongest_takes_no_card_that_cannot_capture() -> None:
    assert settle(TARGET, ["bN5l", "bK5w", "bP3d", "gP4l"], NEXT) == Verdict(None, "equal")


def test_next_strongest_equals_among_cards_that_cannot_capture_do_not_matter() -> None:
    assert settle(TARGET, ["bN5l", "bN5d", "gK5w"], NEXT) == Verdict(0, "captured")


def test_next_strongest_without_equals_changes_nothing() -> None:
    assert settle(TARGET, ["bP3l", "bQ9w"], NEXT) == Verdict(1, "captured")
    assert settle(TARGET, ["bP1l", "gQ9w"], NEXT) == Verdict(None, "none")


def test_both_equals_are_set_aside_and_the_strongest_remaining_card_decides() -> None:
    assert settle(TARGET, ["bN5l", "bK5w", "bP3l"], BOTH) == Verdict(2, "captured")
    assert settle(TARGET, ["bN5l", "bK5w", "bP3l", "bP2d"], BOTH) == Verdict(2, "captured")


def test_both_the_strongest_remaining_card_may_block() -> None:
    assert settle(TARGET, ["bN5l", "bK5w", "bP3l", "gP4l"], BOTH) == Verdict(None, "blocked")
    assert settle(TARGET, ["bN5l", "bK5w", "bP3l", "bP3d"], BOTH) == Verdict(None, "blocked")


def test_both_a_strongest_card_that_may_not_capture_is_not_set_aside() -> None:
    assert settle(TARGET, ["bN5l", "bK5w", "gK5w", "bP3l"], BOTH) == Verdict(None, "blocked")


def test_both_only_equals_and_cards_that_cannot_capture_leave_the_pile_as_equal() -> None:
    assert settle(TARGET, ["bN5l", "bK5w", "bP1l"], BOTH) == Verdict(None, "equal")


def captor_by_the_wording(target: str, cards: tuple[str, ...], rulings: Rulings) -> int | None:
    """Settle a pile by going down the cards from the strongest, as the table of rulings says."""
    capturing = [refusal(card, target, rulings) is None for card in cards]
    for level in sorted({strength(card, rulings) for card in cards}, reverse=True):
        seats = [seat for seat, card in enumerate(cards) if strength(card, rulings) == level]
        able = [seat for seat in seats if capturing[seat]]
        if rulings.blocking and len(able) < len(seats):
            return None
        if len(able) == 1:
            return able[0]
        if able and not rulings.next_strongest:
            return None
    return None


@pytest.mark.parametrize("target", ["gP2l", "bC#w", "bN5d"])
@pytest.mark.parametrize("rulings", [Rulings(), BLOCKING, NEXT, BOTH, Rulings(symmetric_rooks=True)], ids=str)
def test_every_three_cards_are_settled_as_the_rulings_are_worded(target: str, rulings: Rulings) -> None:
    cards = [card for number, card in enumerate(CARDS) if number % 2]
    for played in product(cards, repeat=3):
        assert settle(target, played, rulings).captor == captor_by_the_wording(target, played, rulings), played
