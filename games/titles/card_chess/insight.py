"""How a program plays 3D cardChess: it captures where it can, with the strongest cards it has."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from games.engine.insight import Effort, Plan, odds
from games.engine.protocol import Chance, Seat
from games.titles.card_chess import GAME
from games.titles.card_chess.capture import refusal, strength
from games.titles.card_chess.notation import Play
from games.titles.card_chess.state import State
from games.titles.card_chess.view import View

EFFORT = Effort(iterations=400, horizon=16)
_SURE_POINTS = 7.0
"""A lead of so many points at the beginning of a challenge wins it three times in four; less of one does at its end."""
_DECK = 40
"""So many cards in the draw pile are a challenge that has hardly begun."""
_PER_GOLD = 1.1
"""How much surer a match is with one gold card more than the others, and with a challenge that is as good as won."""


def candidates(state: State, seat: Seat, chance: Chance) -> Sequence[Plan]:
    """Return every play, those that could capture most first."""
    view = GAME.view_for(state, seat)
    power = {play: strengths(view, play) for play in plays(view)}
    return [(play,) for play in sorted(power, key=lambda play: power[play], reverse=True)]


def evaluate(state: State, seat: Seat) -> float:
    """Return how well a seat stands by its gold cards, and by its points in the present challenge."""
    sharpness = 1 + 2 * (1 - min(1.0, len(state.deck) / _DECK))
    challenge = _lead(state.points, seat) * sharpness / _SURE_POINTS
    held = _lead(state.gold, seat) + 2 * odds(challenge) - 1
    return odds(held * _PER_GOLD)


def _lead(values: Sequence[int], seat: int) -> int:
    return values[seat] - max(value for other, value in enumerate(values) if other != seat)


def policy(state: State, seat: Seat, chance: Chance) -> Play:
    """Return one of the plays that capture at the most places, with cards as strong as possible."""
    best = strongest(GAME.view_for(state, seat))
    return best[chance.below("play", len(best))]


def strongest(view: View) -> list[Play]:
    """Return the plays that could capture at the most places, and of these the strongest."""
    power = {play: strengths(view, play) for play in plays(view)}
    most = max(power.values())
    return [play for play, value in power.items() if value == most]


def plays(view: View) -> list[Play]:
    """Return every way to lay cards from the viewer's hand on the table."""
    return [Play(cards) for cards in permutations(view.hand, len(view.table))]


def strengths(view: View, play: Play) -> tuple[int, float]:
    """Return how many cards of a play could capture what lies below them, and how strong these are together."""
    able = [
        strength(card, view.rulings)
        for card, target in zip(play.cards, view.table, strict=True)
        if refusal(card, target, view.rulings) is None
    ]
    return len(able), sum(able)
