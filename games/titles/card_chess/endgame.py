"""The last turn of a match of two players: nothing is hidden any more but what the other plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from typing import TypeAlias

from games.engine.dice import Dice
from games.engine.insight import Plan
from games.engine.protocol import Seat
from games.titles.card_chess import GAME
from games.titles.card_chess.rules import reveal, scoring
from games.titles.card_chess.rules.deck import Play
from games.titles.card_chess.rules.scoring import Challenge
from games.titles.card_chess.rules.state import State
from games.titles.card_chess.rules.view import View

Cards: TypeAlias = tuple[str, ...]
Result: TypeAlias = tuple[int, int] | None
"""How a match ends for a seat, the greater the better: its place below zero, then its gold. None: it goes on."""

_TWO = 2


def last_turn(view: View, seat: Seat) -> Plan | None:
    """Return the play that brings the best result whatever the other plays.

    None if the match cannot end now, if no play is best against every reply, or with more than two players, who do not
    know each other's hands.
    """
    if view.seats != _TWO or not view.is_last_turn or not _can_end(view):
        return None
    state, first = GAME.imagine(view, Dice(0)), (-1, view.gold[seat] + (not view.is_decider))
    replies = _plays(view.unseen, view)
    results = {play: [_result(state, seat, play, reply) for reply in replies] for play in _plays(view.hand, view)}
    columns = list(zip(*results.values(), strict=True))
    for play, row in results.items():
        if all(mine == first or _is_best(mine, column) for mine, column in zip(row, columns, strict=True)):
            return (Play(play),)
    return None


def _is_best(result: Result, others: Sequence[Result]) -> bool:
    """Return whether a match that ends like this could not end better, and with no play goes on."""
    return result is not None and all(other is not None and other <= result for other in others)


def _plays(cards: Cards, view: View) -> list[Cards]:
    return list(dict.fromkeys(permutations(cards, len(view.table))))


def _can_end(view: View) -> bool:
    return any(_ending(view, Challenge((0, 0), (0, 0), winner, view.is_decider)) is not None for winner in (None, 0, 1))


def _ending(source: View | State, challenge: Challenge) -> str | None:
    return scoring.ending((*source.challenges, challenge), source.seats, source.rulings)


def _result(state: State, seat: Seat, play: Cards, reply: Cards) -> Result:
    sealed = (reply, play) if seat else (play, reply)
    settled, _ = reveal(replace(state, sealed=sealed))
    points = settled.points
    challenge = Challenge(points, settled.realms, scoring.winner(points), state.is_decider)
    reason = _ending(state, challenge)
    if reason is None:
        return None
    outcome = scoring.outcome((*state.challenges, challenge), state.seats, reason)
    return -outcome.places[seat], outcome.scores[seat]
