"""The strongest player of 3D cardChess: it knows nothing hidden, mixes its plays, and knows what is worth keeping."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from games.engine.dice import Dice
from games.engine.protocol import Options, Seat
from games.titles.card_chess import GAME
from games.titles.card_chess.insight.grandmaster import ponder, solve
from games.titles.card_chess.insight.worth import kept, parts, prospects, prospects_of_winner, realms_expected
from games.titles.card_chess.rules.deck import without
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.state import State
from tests.unit.titles.card_chess.positions import BLUE_HAND, BLUE_TABLE, pile, position, rest_of

FUTURES = 16
PLAYED = {
    2: {"blocking": False, "shared": False},
    3: {"blocking": True, "next_strongest": True},
    4: {"blocking": False, "next_strongest": False},
}
"""Options of matches that are played, by the number of seats."""


@cache
def played(seats: int) -> tuple[State, ...]:
    """Return the positions of a match of one challenge that it plays on every seat, the last one at its end."""
    dice = Dice(seats)
    options: Options = {"length": "one_challenge", "symmetric_rooks": False, **PLAYED[seats]}
    states = [GAME.start(seats, options, dice).state]
    while to_move := GAME.to_move(states[-1]):
        seat = min(to_move)
        best = ponder(GAME.view_for(states[-1], seat), seat, Dice(len(states)), FUTURES)[0]
        states.append(GAME.apply(states[-1], seat, best.plan[0], dice).state)
    return tuple(states)


@pytest.mark.parametrize("seats", GAME.seats)
def test_it_weighs_every_play_in_whole_matches_and_looks_at_nothing_hidden(seats: int) -> None:
    *running, over = played(seats)
    assert over.ended in {"challenge", "drawn"}
    for number, state in enumerate(running[::2]):
        seat = min(GAME.to_move(state))
        view = GAME.view_for(state, seat)
        weighed = ponder(view, seat, Dice(number), FUTURES)
        assert {each.plan[0] for each in weighed} == set(GAME.legal_actions(state, seat))
        assert all(0 <= each.value <= 1 for each in weighed)
        other = GAME.imagine(view, Dice(number + 1000))
        assert ponder(GAME.view_for(other, seat), seat, Dice(number), FUTURES) == weighed


def test_a_strong_card_that_can_capture_nothing_is_kept() -> None:
    hand = ("bQ9w", "bP1l", "bP2l", "bP3l")
    state = position((hand, BLUE_HAND), BLUE_TABLE)
    view = GAME.view_for(replace(state, deck=rest_of(state)), Seat(0))
    for number in range(5):
        best = ponder(view, Seat(0), Dice(number), FUTURES)[0].plan[0]
        assert without(hand, best.cards) == ("bQ9w",)


def test_the_card_that_completes_a_realm_is_played_where_it_captures() -> None:
    state = position(
        (("bP4l", "bC#w"), ("bP2l", "gP1d")),
        ("gP1l",),
        phase=2,
        piles=(pile(0, "gN5l bK5w bQ9w"), pile(1, "gK5w bB7l bB7d"), pile(1, "gB7l bR6l bR6d")),
        rulings=Rulings(length="one_challenge"),
        kept=("bP4l", "bP2l"),
    )
    best = ponder(GAME.view_for(state, Seat(0)), Seat(0), Dice(1), FUTURES)[0]
    assert best.plan[0].cards == ("bC#w",)
    assert best.value == 1.0


@pytest.mark.parametrize(
    ("payoffs", "rows", "columns"),
    [
        ([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], [0.25, 0.5, 0.25], [0.25, 0.5, 0.25]),
        ([[1, -1], [-1, 1], [-3, -3]], [0.5, 0.5, 0], [0.5, 0.5]),
        ([[2, 3], [1, 0]], [1, 0], [1, 0]),
    ],
    ids=["rock, paper and scissors that count twice", "pennies and a bad choice", "a best choice for both"],
)
def test_regret_matching_finds_how_to_mix(payoffs: list[list[float]], rows: list[float], columns: list[float]) -> None:
    found = solve(payoffs, 2000)
    assert found[0].average == pytest.approx(rows, abs=0.02)
    assert found[1].average == pytest.approx(columns, abs=0.02)


def test_a_realm_is_worth_less_the_more_of_it_is_missing_and_nothing_when_another_has_a_part() -> None:
    king, pair = parts(["bK5w"]), parts(["bK5w", "bQ9w"])
    complete = parts(["bK5w", "bQ9w", "bC#w"])
    green = realms_expected(0, pair, 2, 0.9)
    assert realms_expected(complete, complete, 2, 0.9) == 10 + green
    assert 10 + green > realms_expected(pair, pair, 2, 0.9) > realms_expected(king, king, 2, 0.9) > green
    assert realms_expected(king, pair, 2, 0.9) == green
    assert realms_expected(pair, pair, 2, 0.0) == 0


def test_a_card_is_worth_keeping_for_what_it_can_still_capture() -> None:
    rulings = Rulings()
    assert kept("bQ9w", ("gK5w", "gN5l"), rulings) > kept("bP4l", ("gP1l", "gN5l"), rulings)
    assert kept("bQ9w", ("bK5w", "bN5l"), rulings) == kept("bQ9w", (), rulings) == 0


@pytest.mark.parametrize(
    ("gold", "options", "expected"),
    [
        ((0, 0), {}, (0.5, 0.5)),
        ((3, 1), {}, (1.0, 0.0)),
        ((2, 1), {}, (0.75, 0.25)),
        ((2, 2), {}, (0.5, 0.5)),
        ((2, 2), {"shared": True}, (0.5, 0.5)),
        ((2, 1), {"shared": True}, (0.75, 0.25)),
        ((2, 0), {"length": "two_gold"}, (1.0, 0.0)),
        ((3, 1, 1), {}, (1.0, 0.25, 0.25)),
        ((0, 0, 0, 0), {}, (0.5, 0.5, 0.5, 0.5)),
    ],
)
def test_gold_is_worth_the_share_of_opponents_one_leaves_behind(
    gold: tuple[int, ...], options: dict[str, bool], expected: tuple[float, ...]
) -> None:
    assert prospects(gold, Rulings(**options)) == pytest.approx(expected)  # type: ignore[arg-type]  # a length is a text


def test_who_wins_a_deciding_challenge_is_first() -> None:
    assert prospects_of_winner(1, (2, 2), Rulings()) == (0.0, 1.0)
