"""The last turn of a match: a play that is best whatever the other plays is found exactly, by any strong bot."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from games.engine.dice import Dice
from games.engine.fair import FairChance
from games.engine.protocol import Options, Seat
from games.titles.bots import grandmaster, master
from games.titles.card_chess import GAME
from games.titles.card_chess.insight import last_turn, policy
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.state import State
from tests.unit.titles.card_chess.positions import SEED, pile, position, won_by

_MATCHES = 8


def last_turns(length: str, number: int) -> list[State]:
    """Return the positions of a match in which the challenge certainly ends with the turn that begins."""
    dice, found = Dice(number), list[State]()
    options: Options = {"length": length, "shared": False, "blocking": False, "symmetric_rooks": False}
    state = GAME.start(2, options, dice).state
    while to_move := GAME.to_move(state):
        if len(to_move) == 2 and GAME.view_for(state, Seat(0)).is_last_turn:
            found.append(state)
        state = GAME.apply(state, min(to_move), policy(state, min(to_move), dice), dice).state
    return found


@cache
def positions() -> list[tuple[State, Seat]]:
    lengths = ("one_challenge", "two_gold", "one_challenge", "official")
    states = [state for number in range(_MATCHES) for state in last_turns(lengths[number % 4], number)]
    return [(state, Seat(number % 2)) for number, state in enumerate(states)]


def results(state: State, seat: Seat) -> dict[Any, list[tuple[int, int] | None]]:
    """Return by play how a match ends for a seat, its place below zero and then its gold, for every reply."""
    found: dict[Any, list[tuple[int, int] | None]] = {}
    for play in GAME.legal_actions(state, seat):
        row = found.setdefault(play, [])
        mine = GAME.apply(state, seat, play, FairChance(SEED, 1)).state
        for reply in GAME.legal_actions(state, Seat(1 - seat)):
            outcome = GAME.outcome(GAME.apply(mine, Seat(1 - seat), reply, FairChance(SEED, 2)).state)
            row.append(None if outcome is None else (-outcome.places[seat], outcome.scores[seat]))
    return found


def is_best(play: Any, found: dict[Any, list[tuple[int, int] | None]], first: tuple[int, int]) -> bool:
    """Return whether no other play ends better against any reply; one that goes on may, unless this one is first."""
    for number, mine in enumerate(found[play]):
        others = [row[number] for row in found.values()]
        if mine != first and (mine is None or any(other is None or other > mine for other in others)):
            return False
    return True


def test_what_is_best_whatever_the_other_plays_is_found_as_by_trying_everything() -> None:
    answers = 0
    for state, seat in positions():
        found, first = results(state, seat), (-1, state.gold[seat] + (not state.is_decider))
        best = {play for play in found if is_best(play, found, first)}
        plan = last_turn(GAME.view_for(state, seat), seat)
        assert plan is None if not best else plan is not None and plan[0] in best
        answers += plan is not None
    assert 0 < answers < len(positions())


WON = position(
    (("bN5l", "bP1l"), ("bP4l", "bP2d")),
    ("gP4l",),
    phase=2,
    piles=(pile(0, "gP1l bP1d bP2l"), pile(1, "gN5l bQ9w gP2l")),
    rulings=Rulings(length="two_gold"),
    challenges=won_by(0, seats=2),
    kept=("bN5l", "bP4l"),
)
"""Seat 0 has won three points and the other five; with the knight it wins the last pile, and with it the match."""


@pytest.mark.parametrize("bot", [master, grandmaster])
def test_strong_bots_never_lose_a_last_turn_that_is_won(bot: Any) -> None:
    view = GAME.view_for(WON, Seat(0))
    for number in range(3):
        assert bot(GAME, view, Seat(0), FairChance(SEED, number), 1.0).cards == ("bN5l",)


def test_nothing_is_said_while_the_match_goes_on_or_with_hands_that_are_not_known() -> None:
    at_one_gold = position(WON.hands, WON.table, phase=2, piles=WON.piles, kept=WON.kept)
    three = position((("bN5l",), ("bP1l",), ("bP2l",)), ("gP4l",))
    for state in (at_one_gold, three):
        assert last_turn(GAME.view_for(state, Seat(0)), Seat(0)) is None
