"""What a play promises before anybody knows the others': points likely won and lost at each place, and what is kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from games.titles.card_chess.capture import refusal, strength
from games.titles.card_chess.deck import CARDS, DECK
from games.titles.card_chess.notation import Play
from games.titles.card_chess.options import Rulings

_CHOICE = 2.5
"""A player has about so many cards to choose from for a place, the others being needed elsewhere."""
_OTHERS_CARD = 1.4
"""What a card that another player lays is worth on average."""
_REALM_PART = {"king": 2.0, "queen": 1.5, "castle": 0.7}
"""What a card is worth besides its points, as part of a realm."""
_KEPT = 1.6
"""What it is worth to keep a card that could capture everything."""


class Promise(NamedTuple):
    """A play, and the points it promises: those its player is likely to win less those the others are."""

    play: Play
    worth: float


@lru_cache(maxsize=65_536)
def promising(hand: tuple[str, ...], table: tuple[str, ...], rulings: Rulings, seats: int) -> tuple[Promise, ...]:
    """Return every different play of a hand, the one that promises most first."""
    kept = held(hand, rulings)
    found = [
        Promise(Play(cards), _at_places(cards, table, rulings, seats) + kept - held(cards, rulings))
        for cards in dict.fromkeys(permutations(hand, len(table)))
    ]
    found.sort(key=lambda each: (-each.worth, each.play.cards))
    return tuple(found)


def _at_places(cards: Sequence[str], table: Sequence[str], rulings: Rulings, seats: int) -> float:
    return sum(at_place(card, target, rulings, seats) for card, target in zip(cards, table, strict=True))


@lru_cache(maxsize=4096)
def at_place(card: str, target: str, rulings: Rulings, seats: int) -> float:
    """Return the points a card promises at a place: positive if its player is likely to take the pile."""
    stake = value(card) + value(target)
    rivals = seats - 1
    if refusal(card, target, rulings) is not None:
        return -stake * (1 - _nobody(target, 0, rulings, rivals)) / rivals
    least = strength(card, rulings)
    taken = _nobody(target, least, rulings, rivals)
    lost = 1 - _nobody(target, least + 0.1, rulings, rivals)
    return (stake + rivals * _OTHERS_CARD) * taken - stake * lost / rivals


@lru_cache(maxsize=8192)
def _nobody(target: str, least: float, rulings: Rulings, rivals: int) -> float:
    """Return how likely it is that no rival captures the target with a card of at least this strength."""
    able = sum(refusal(card, target, rulings) is None and strength(card, rulings) >= least for card in DECK)
    return float((1 - able / len(DECK)) ** (_CHOICE * rivals))


def value(card: str) -> float:
    """Return what a card is worth in a won pile, its part in a realm counted."""
    return CARDS[card].points + _REALM_PART.get(CARDS[card].piece, 0.0)


def held(cards: Sequence[str], rulings: Rulings) -> float:
    """Return what it is worth to have cards in hand."""
    return sum(_kept(card, rulings) for card in cards)


@lru_cache(maxsize=256)
def _kept(card: str, rulings: Rulings) -> float:
    """Return what it is worth to keep a card for the next turn: it captures many cards, and is not given away."""
    return _KEPT * sum(refusal(card, target, rulings) is None for target in DECK) / len(DECK)
