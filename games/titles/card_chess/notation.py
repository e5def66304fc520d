"""The actions a player can take, and how they are written: `play gR5d bP1l bQ9w`, the cards by place, single spaces."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.protocol import NotationError
from games.titles.card_chess.deck import CARDS

MOST_PLACES = 4
"""The most cards that can lie on the table: the last turn with three players."""


@dataclass(frozen=True, slots=True)
class Play:
    """Play these cards, the first at the first place of the table and so on. Equal cards are interchangeable."""

    cards: tuple[str, ...]


def parse(text: str) -> Play:
    """Read an action.

    >>> parse("play gR5d bP1l bQ9w")
    Play(cards=('gR5d', 'bP1l', 'bQ9w'))

    Raises:
        NotationError: the text is not an action.
    """
    verb, *cards = text.split(" ")
    if verb != "play" or not 1 <= len(cards) <= MOST_PLACES:
        raise NotationError("Write “play” and a card for each place, as in “play gR5d bP1l bQ9w”.")
    if not CARDS.keys() >= set(cards):
        raise NotationError("A card is written as colour, piece, value and square, as in “gR5d”.")
    return Play(tuple(cards))


def notate(action: Play) -> str:
    """Write an action.

    >>> notate(Play(("gR5d", "bC#w")))
    'play gR5d bC#w'
    """
    return " ".join(("play", *action.cards))
