"""How a program plays 3D cardChess: it plays what promises the most points, counting what others may hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from games.engine.insight import Effort, Plan, odds
from games.engine.protocol import Chance, Seat
from games.titles.card_chess import GAME, hints
from games.titles.card_chess.capture import refusal, strength
from games.titles.card_chess.deck import without
from games.titles.card_chess.notation import Play
from games.titles.card_chess.promise import held, promising
from games.titles.card_chess.state import State
from games.titles.card_chess.view import View

explain = hints.explain
EFFORT = Effort(iterations=80, horizon=0, plans=4, first=1)
_SURE_POINTS = 7.0
"""A lead of so many points at the beginning of a challenge wins it three times in four; less of one does at its end."""
_DECK = 40
"""So many cards in the draw pile are a challenge that has hardly begun."""
_PER_GOLD = 1.1
"""How much surer a match is with one gold card more than the others, and with a challenge that is as good as won."""


def candidates(state: State, seat: Seat, chance: Chance) -> Sequence[Plan]:
    """Return every play, what promises most first."""
    return [(each.play,) for each in promising(state.hands[seat], state.table, state.rulings, state.seats)]


def suppose(view: View, chance: Chance) -> State:
    """Return a state in which the others have confirmed what promises them most."""
    state = GAME.imagine(view, chance)
    hands, sealed = list(state.hands), list(state.sealed)
    for seat, cards in enumerate(state.sealed):
        if cards and seat != view.viewer:
            all_cards = (*cards, *state.hands[seat])
            play = promising(all_cards, state.table, state.rulings, state.seats)[0].play
            hands[seat], sealed[seat] = without(all_cards, play.cards), play.cards
    return replace(state, hands=tuple(hands), sealed=tuple(sealed))


def redrawn(state: State, chance: Chance) -> State:
    """Return the state with its draw pile in another order."""
    return replace(state, deck=chance.shuffle("redrawn", state.deck))


def evaluate(state: State, seat: Seat) -> float:
    """Return how well a seat stands by its gold cards, and by its points and hand in the present challenge."""
    sharpness = 1 + 2 * (1 - min(1.0, len(state.deck) / _DECK))
    points = [won + held(hand, state.rulings) for won, hand in zip(state.points, state.hands, strict=True)]
    challenge = _lead(points, seat) * sharpness / _SURE_POINTS
    gold = _lead(state.gold, seat) + 2 * odds(challenge) - 1
    return odds(gold * _PER_GOLD)


def _lead(values: Sequence[float], seat: int) -> float:
    return values[seat] - max(value for other, value in enumerate(values) if other != seat)


def policy(state: State, seat: Seat, chance: Chance) -> Play:
    """Return what promises most; of what promises the same, any."""
    ranked = promising(state.hands[seat], state.table, state.rulings, state.seats)
    equal = sum(each.worth == ranked[0].worth for each in ranked)
    return ranked[chance.below("play", equal)].play


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
