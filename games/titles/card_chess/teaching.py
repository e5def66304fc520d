"""What lessons of 3D cardChess need: positions that fit (`games.titles.registry`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from games.titles.card_chess.rules.capture import settle
from games.titles.card_chess.rules.deck import stock
from games.titles.card_chess.rules.state import Pile, State


def arrange(before: State, after: State) -> State:
    """Return a position in which every card lies in one place.

    A lesson gives the table, hands, sealed plays and piles; of the draw pile at most the first cards. The rest of the
    draw pile follows in the order it had, then what lay elsewhere.

    Raises:
        ValueError: a card is used more often than it exists, or a pile is not settled as the rules settle it.
    """
    for pile in after.piles:
        _check_settled(pile, after)
    cards = stock(after.seats, after.removed)
    free = Counter(cards)
    free.subtract(_placed(after))
    if often := [card for card, left in free.items() if left < 0]:
        raise ValueError(f"used too often: {', '.join(often)}")
    return replace(after, deck=tuple(_taken(chain(after.deck, before.deck, cards), free)))


def _check_settled(pile: Pile, state: State) -> None:
    settled = settle(pile.target, pile.cards, state.rulings)
    if (pile.captor, pile.result) != settled:
        raise ValueError(f"the pile of {pile.target} and {', '.join(pile.cards)} is settled as {tuple(settled)}")


def _placed(state: State) -> Iterator[str]:
    """Yield every card that lies outside the draw pile."""
    yield from state.table
    yield from chain(*state.hands, *state.sealed, *(pile.whole for pile in state.piles))


def _taken(cards: Iterable[str], free: Counter[str]) -> Iterator[str]:
    """Yield cards as long as one of them is free, each as often as that."""
    for card in cards:
        if free[card] > 0:
            free[card] -= 1
            yield card
