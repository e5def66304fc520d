"""Which card captures which, and who takes a pile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from games.titles.card_chess.rules.deck import CARDS
from games.titles.card_chess.rules.options import Rulings

Reason: TypeAlias = Literal["colour", "square", "strength"]
"""Why a card cannot capture another: same colour, wrong square, too weak."""

Result: TypeAlias = Literal["captured", "equal", "blocked", "none"]
"""How a pile was settled: somebody took it, or nobody did because the strongest capturing cards were equal, because a
strong card that cannot capture blocked it, or because no card played could capture.
"""


class Verdict(NamedTuple):
    """Who takes a pile (None when nobody does), and why."""

    captor: int | None
    result: Result


def strength(card: str, rulings: Rulings) -> float:
    """Return how strong a card is under these rulings; `#` is 4.5, between pawns and all others."""
    return CARDS[card].symmetric_strength if rulings.symmetric_rooks else CARDS[card].strength


def refusal(card: str, target: str, rulings: Rulings) -> Reason | None:
    """Return the first reason, in the order of `Reason`, why a card cannot capture the target; None if it can.

    >>> refusal("gN5l", "bP1d", Rulings()), refusal("gN5l", "bP1l", Rulings())
    ('square', None)
    """
    mine, other = CARDS[card], CARDS[target]
    if mine.colour == other.colour:
        return "colour"
    if mine.square != "white" and other.square not in (mine.square, "white"):
        return "square"
    if strength(card, rulings) < strength(target, rulings):
        return "strength"
    return None


def settle(target: str, cards: Sequence[str], rulings: Rulings) -> Verdict:
    """Return who takes the pile of a table card.

    Args:
        target: the table card.
        cards: the card each seat played at it.
        rulings: what was chosen; `blocking` and `next_strongest` matter here.

    >>> settle("bP1l", ["gN5l", "gQ9w"], Rulings())
    Verdict(captor=1, result='captured')
    """
    may = {seat for seat, card in enumerate(cards) if refusal(card, target, rulings) is None}
    if not may:
        return Verdict(None, "none")
    competing = set(range(len(cards))) if rulings.blocking else set(may)
    while competing & may:
        strongest = _strongest(competing, cards, rulings)
        if not strongest <= may:
            return Verdict(None, "blocked")
        if len(strongest) == 1:
            return Verdict(strongest.pop(), "captured")
        if not rulings.next_strongest:
            break
        competing -= strongest
    return Verdict(None, "equal")


def blockers(target: str, cards: Sequence[str], rulings: Rulings) -> tuple[int, ...]:
    """Return the seats whose cards block a pile that `settle` found to be blocked: the strongest that cannot capture.

    With `next_strongest` equal capturing cards that stepped aside before are left out.
    """
    may = {seat for seat, card in enumerate(cards) if refusal(card, target, rulings) is None}
    competing = set(range(len(cards)))
    while (strongest := _strongest(competing, cards, rulings)) <= may:
        competing -= strongest
    return tuple(sorted(strongest - may))


def equals(target: str, cards: Sequence[str], rulings: Rulings) -> tuple[int, ...]:
    """Return the seats with the strongest capturing cards if there are several; their equality kept them from the pile.

    >>> equals("gP2l", ["bN5l", "bK5w", "bP3l"], Rulings())
    (0, 1)
    """
    may = {seat for seat, card in enumerate(cards) if refusal(card, target, rulings) is None}
    strongest = _strongest(may, cards, rulings) if may else set()
    return tuple(sorted(strongest)) if len(strongest) > 1 else ()


def _strongest(seats: set[int], cards: Sequence[str], rulings: Rulings) -> set[int]:
    most = max(strength(cards[seat], rulings) for seat in seats)
    return {seat for seat in seats if strength(cards[seat], rulings) == most}
