"""What is said under a pile: who took it or why nobody did, and what it earned."""

from __future__ import annotations

import pytest

from games.titles.card_chess.board import wording
from games.titles.card_chess.rules.capture import settle
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.state import Pile

NAMES = ("ann", "bob", "cleo", "dan")


def pile(target: str, cards: str, rulings: Rulings) -> Pile:
    played = tuple(cards.split())
    return Pile(1, 1, 0, target, played, *settle(target, played, rulings))


def told(target: str, cards: str, reader: int | None = None, **options: bool) -> str:
    rulings = Rulings(**options)  # type: ignore[arg-type]  # no length among them
    return wording.verdict(pile(target, cards, rulings), NAMES, reader, rulings)  # type: ignore[arg-type]  # a seat


def test_a_captor_is_named_and_the_reader_is_you() -> None:
    assert told("gP2l", "bP3l gQ9w") == "ann captures."
    assert told("gP2l", "bP3l gQ9w", 1) == "ann captures."
    assert told("gP2l", "bP3l gQ9w", 0) == "You capture."


def test_nobody_captures_where_no_card_can() -> None:
    assert told("gP2l", "gQ9w bP1l") == "Nobody captures."


def test_equal_cards_are_named() -> None:
    assert told("gP2l", "bN5l bK5w bP3l") == (
        "Nobody captures: blue knight 5 (light) and blue king 5 (white) are equally strong."
    )
    assert told("gP2l", "bN5l bN5l bP3l") == ("Nobody captures: the strongest cards are both a blue knight 5 (light).")


def test_the_card_that_blocks_is_named() -> None:
    assert told("gP2l", "gQ9w bP3l", blocking=True) == (
        "Blocked: green queen 9 (white), the strongest here, cannot capture."
    )
    assert told("gP2l", "bN5l gK5w", blocking=True) == (
        "Blocked: green king 5 (white), the strongest here, cannot capture."
    )


def test_a_card_that_blocks_after_equals_stepped_aside_is_named() -> None:
    assert told("gP2l", "bN5l bK5w bP3l gP4l", blocking=True, next_strongest=True) == (
        "Blocked: green pawn 4 (light), the strongest here, cannot capture."
    )


def fates(target: str, cards: str, **options: bool) -> list[str | None]:
    rulings = Rulings(**options)  # type: ignore[arg-type]  # no length among them
    played = pile(target, cards, rulings)
    return [wording.fate(played, seat, rulings) for seat in range(len(played.cards))]


def test_a_card_that_could_have_captured_is_told_from_the_one_that_did() -> None:
    assert fates("gP2l", "bP3l bN5l gQ9w bP1l") == ["beaten", None, "colour", "strength"]
    assert fates("gP2l", "bN5l bK5w bP3l") == ["equal", "equal", "beaten"]
    assert fates("gP2l", "bN5l bK5w bP3l", next_strongest=True) == ["equal", "equal", None]
    assert fates("gP2l", "bN5l bK5w bP3l bP3d", next_strongest=True) == ["equal", "equal", None, "square"]
    assert fates("gK5w", "bN5l bR6l bN5d bR6d", next_strongest=True) == ["equal"] * 4
    assert fates("gP2l", "gQ9w bP3l", blocking=True) == ["colour", "blocked"]


def test_it_is_said_when_stronger_cards_stepped_aside() -> None:
    assert told("gP2l", "bN5l bK5w bP3l", next_strongest=True) == (
        "cleo captures. The stronger cards were equal and stepped aside."
    )
    assert told("gP2l", "bN5l bP3l bP3l", next_strongest=True) == "ann captures."


@pytest.mark.parametrize(
    ("target", "cards", "matters"),
    [
        ("gR5l", "bN5l bP1l", True),  # the knight is too weak now
        ("bR6l", "gR5l bP1l", True),  # the green rook captures the blue one
        ("gP1l", "bN5l gR5l", False),
        ("gP1l", "bN5l bP2l", False),
    ],
)
def test_equal_rooks_are_explained_where_they_change_something(target: str, cards: str, matters: bool) -> None:
    rulings = Rulings(symmetric_rooks=True)
    note = wording.rook_note(pile(target, cards, rulings), rulings)
    assert note == ("Green rooks count as 6 here." if matters else "")
    assert wording.rook_note(pile(target, cards, Rulings()), Rulings()) == ""


def test_equal_rooks_are_explained_where_one_blocks() -> None:
    rulings = Rulings(symmetric_rooks=True, blocking=True)
    assert wording.rook_note(pile("gP2l", "bR6l gR5l", rulings), rulings) == "Green rooks count as 6 here."


@pytest.mark.parametrize(
    ("before", "cards", "earned"),
    [
        ("", "gK5w bQ9w bP1l", "+8"),
        ("gQ9w gC#w", "gK5w bQ9w bP1l", "+8, and +10 for a realm completed by the green king"),
        ("gQ9w", "gK5w bQ9w gC#w", "+8, and +10 for a realm completed by the green king and green castle"),
        ("gQ9w gQ9w gC#w gC#w", "gK5w bQ9w gK5w", "+12, and +20 for realms completed by the green king"),
        ("gQ9w gC#w bK5w bC#w", "gK5w bQ9w bP1l", "+8, and +20 for realms completed by the blue queen and green king"),
    ],
)
def test_a_pile_says_what_it_earned(before: str, cards: str, earned: str) -> None:
    target, *played = cards.split()
    won = Pile(1, 1, 0, target, tuple(played), 0, "captured")
    assert wording.earned(won, tuple(before.split())) == earned


def test_a_pile_that_nobody_took_earned_nothing() -> None:
    assert wording.earned(Pile(1, 1, 0, "gK5w", ("gQ9w", "bP1l"), None, "none"), ()) == ""
