"""3D cardChess in numbers, for programs that learn: a play is told card by card, in the order of the places."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from games.titles.card_chess.rules.deck import CARDS, MOST_PLACES, Play
from games.titles.card_chess.rules.options import OPTIONS
from games.titles.card_chess.rules.view import View
from games.titles.tensors import counts, from_own, one_hot, share

_CARDS: Final = tuple(CARDS)
_PLACES: Final = range(1, MOST_PLACES + 1)
_LENGTHS: Final = tuple(value for value, _ in OPTIONS[0].choices)
_TWICE, _HAND, _GOLD, _POINTS, _WON = 2, 5, 5, 100, 40
_DECK, _TURNS, _CHALLENGES = 80, 20, 12

WORDS: Final = tuple(f"{place} {card}" for place in _PLACES for card in _CARDS)
"""A card at each place of the table, from 1."""


def words(action: Play) -> Sequence[str]:
    """Return the cards of a play with their places."""
    return [f"{place} {card}" for place, card in enumerate(action.cards, start=1)]


def observed(view: View) -> Sequence[float]:
    """Return the table and one's own play by place, hand and unseen cards, and what each seat has."""
    found = [*_by_place(view.table), *_by_place(view.play)]
    found += [*counts(view.hand, _CARDS, _TWICE), *counts(view.unseen, _CARDS, _TWICE)]
    for seat in from_own(range(view.seats), view.viewer):
        found += counts(view.won(seat), _CARDS, _TWICE)
        found += [
            float(view.confirmed[seat]),
            share(view.hand_sizes[seat], _HAND),
            share(view.gold[seat], _GOLD),
            share(view.points[seat], _POINTS),
            share(view.captures[seat], _WON),
        ]
    rulings = view.rulings
    return [
        *found,
        *one_hot(rulings.length, _LENGTHS),
        *map(float, (rulings.shared, rulings.blocking, rulings.next_strongest, rulings.symmetric_rooks)),
        share(view.deck, _DECK),
        share(view.turn, _TURNS),
        share(view.challenge, _CHALLENGES),
        float(view.phase > 1),
        float(view.is_decider),
        float(view.ended is not None),
    ]


def _by_place(cards: Sequence[str]) -> list[float]:
    found = list[float]()
    for _, card in zip_longest(_PLACES, cards):
        found += one_hot(card, _CARDS)
    return found
