"""How 3D cardChess is taught: what its lessons need, and what a newcomer is told on the board."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.titles.board import CoachMark
from games.titles.card_chess.rules.capture import settle
from games.titles.card_chess.rules.deck import stock
from games.titles.card_chess.rules.state import State


def arrange(before: State, after: State) -> State:
    """Return a position in which every card lies in one place.

    A lesson gives the table, hands, sealed plays and piles; of the draw pile at most the first cards. The rest of the
    draw pile follows in the order it had, then what lay elsewhere.

    Raises:
        ValueError: a card is used more often than it exists, or a pile is not settled as the rules settle it.
    """
    for pile in after.piles:
        settled = settle(pile.target, pile.cards, after.rulings)
        if (pile.captor, pile.result) != settled:
            raise ValueError(f"the pile of {pile.target} and {', '.join(pile.cards)} is settled as {tuple(settled)}")
    cards = stock(after.seats, after.removed)
    free = Counter(cards)
    free.subtract(chain(after.table, *after.hands, *after.sealed, *(pile.whole for pile in after.piles)))
    if often := [card for card, left in free.items() if left < 0]:
        raise ValueError(f"used too often: {', '.join(often)}")
    deck: list[str] = []
    for card in chain(after.deck, before.deck, cards):
        if free[card] > 0:
            free[card] -= 1
            deck.append(card)
    return replace(after, deck=tuple(deck))


# --- what a newcomer is told on the board -----------------------------------------------------------------------------

COACH: Final = (
    CoachMark(
        "aim",
        "#columns",
        _(
            "Capture cards of the other color: your number as high or higher (# lies between 4 and 5), the same square "
            "(white goes with all)."
        ),
    ),
    CoachMark(
        "card",
        "#hand",
        _(
            "Everyone plays a card on each pile, in secret. The strongest that captures takes the whole pile. If none "
            "does, or two are equally strong, it is discarded."
        ),
    ),
    CoachMark(
        "win",
        "#players",
        _(
            "Each dot in your piles is a point; king, queen and castle of one color make a realm, worth 10 more. Score "
            "the most to win the gold card."
        ),
    ),
)
"""What captures what, who takes a pile, and how one wins."""
