"""What won piles are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from games.titles.card_chess.deck import CARDS, COLOURS

REALM = ("king", "queen", "castle")
"""The pieces of one colour that make a realm together."""
REALM_POINTS = 10


def realm_parts(cards: Iterable[str]) -> tuple[tuple[int, int, int], ...]:
    """Return for blue, then for green how many kings, queens and castles are among the cards.

    >>> realm_parts(["bK5w", "bC#w", "bC#w", "gR5d"])
    ((1, 0, 2), (0, 0, 0))
    """
    count = Counter((CARDS[card].colour, CARDS[card].piece) for card in cards)
    king, queen, castle = REALM
    return tuple((count[colour, king], count[colour, queen], count[colour, castle]) for colour in COLOURS)


def realms(cards: Iterable[str]) -> int:
    """Return how many complete realms are among one player's won cards: per colour the least of the three counts."""
    return sum(min(parts) for parts in realm_parts(cards))


def realm_makers(cards: Iterable[str], before: Iterable[str]) -> tuple[str, ...]:
    """Return those of the newly won cards that complete a realm with what was won before; () when none does.

    >>> realm_makers(["gK5w", "bP1l"], ["gQ9w", "gC#w"])
    ('gK5w',)
    """
    new, old = tuple(cards), tuple(before)
    makers: list[str] = []
    for colour, had, have in zip(COLOURS, realm_parts(old), realm_parts(old + new), strict=True):
        lacking = {piece for piece, count in zip(REALM, had, strict=True) if count < min(have)}
        makers += [card for card in new if CARDS[card].colour == colour and CARDS[card].piece in lacking]
    return tuple(makers)


def points(cards: Iterable[str]) -> int:
    """Return what one player's won cards are worth: their points and 10 more for each realm."""
    won = tuple(cards)
    return sum(CARDS[card].points for card in won) + REALM_POINTS * realms(won)
