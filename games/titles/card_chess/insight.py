"""How a program plays 3D cardChess: it captures where it can, with the strongest cards it has."""

from __future__ import annotations

from itertools import permutations

from games.engine.protocol import Chance, Seat
from games.titles.card_chess import GAME
from games.titles.card_chess.capture import refusal, strength
from games.titles.card_chess.notation import Play
from games.titles.card_chess.state import State
from games.titles.card_chess.view import View


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
