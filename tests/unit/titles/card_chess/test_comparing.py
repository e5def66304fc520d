"""One sentence says what a better play does otherwise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.engine.dice import Dice
from games.engine.protocol import Seat
from games.titles.card_chess import GAME
from games.titles.card_chess.advice import compare
from games.titles.card_chess.insight import candidates
from games.titles.card_chess.rules.capture import refusal
from games.titles.card_chess.rules.state import State
from tests.unit.titles.card_chess.positions import BLUE_HAND, BLUE_TABLE, position, rest_of

TABLE = ("gK5w", "bN5l", "bN5d")


def early(hand: str, table: tuple[str, ...] = TABLE) -> State:
    """Return a position in the first turn in which seat 0 has this hand."""
    state = position((hand.split(), BLUE_HAND), table)
    return replace(state, deck=rest_of(state))


def told(state: State, played: str, better: str, viewer: Seat | None = Seat(0)) -> str:  # noqa: B008  # a number
    plans = [(GAME.parse(f"play {cards}"),) for cards in (played, better)]
    return compare(GAME.view_for(state, viewer), *plans)


def test_a_card_that_can_capture_where_the_other_cannot_is_named() -> None:
    assert told(early("bQ9w bP1d bP2d bP3d"), "bP1d bQ9w bP2d", "bQ9w bP1d bP2d") == (
        "Your blue queen 9 (white) can take the green king 5 (white), where your blue pawn 1 (dark) captures nothing."
    )


def test_unseen_cards_that_could_prevent_either_capture_are_counted() -> None:
    assert told(early("bQ9w bN5l bP1d bP2d"), "bN5l bP1d bP2d", "bQ9w bP1d bP2d") == (
        "Your blue queen 9 (white) takes the green king 5 (white) more surely than your blue knight 5 (light):"
        " of 32 unseen cards, 0 instead of 5 could prevent it."
    )


def test_what_is_given_away_is_compared_when_nothing_can_be_kept() -> None:
    last = position((("bK5w", "bP3d"), ("bP2l", "bP4l")), ("bN5l",), phase=2, kept=("bK5w", "bP2l"))
    assert told(last, "bK5w", "bP3d") == (
        "At the blue knight 5 (light) your blue pawn 3 (dark) gives away 1 point at most,"
        " your blue king 5 (white) 5 points."
    )


def test_a_card_that_is_kept_is_named_with_what_it_can_capture() -> None:
    state = early("bP1d bP2d bQ9w bN5l", BLUE_TABLE)
    unseen = GAME.view_for(state, Seat(0)).unseen
    many, few = (sum(refusal(card, each, state.rulings) is None for each in unseen) for card in ("bQ9w", "bN5l"))
    assert told(state, "bP1d bP2d bQ9w", "bP1d bP2d bN5l") == (
        "You keep your blue queen 9 (white), not your blue knight 5 (light):"
        f" of the cards you have not seen, it can capture {many} instead of {few}."
    )


@pytest.mark.parametrize("viewer", [Seat(0), None])
def test_nothing_is_said_of_the_same_play_or_to_a_spectator(viewer: Seat | None) -> None:
    better = "bP1d bQ9w bP2d" if viewer is not None else "bQ9w bP1d bP2d"
    assert told(early("bQ9w bP1d bP2d bP3d"), "bP1d bQ9w bP2d", better, viewer) == ""


def test_no_play_lays_a_king_in_vain_before_all_that_do_not() -> None:
    state = early("bK5w bQ9w bB7l bB7d", ("gP1l", "bN5l", "bN5d"))
    in_vain = ["bK5w" in plan[0].cards[1:] for plan in candidates(state, Seat(0), Dice(1))]
    assert in_vain == sorted(in_vain)
    assert any(in_vain)
