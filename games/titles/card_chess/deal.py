"""How cards are dealt, from the front of the draw pile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

PLACES = 3
"""The number of cards laid on the table, if there are enough."""


@dataclass(frozen=True, slots=True)
class Deal:
    """What was dealt: the cards laid face up, those each seat received, and the rest of the draw pile."""

    table: tuple[str, ...]
    received: tuple[tuple[str, ...], ...]
    deck: tuple[str, ...]


def in_blocks(deck: Sequence[str], seats: int, each: int) -> Deal:
    """Deal this many cards to seat 0, then to seat 1 and so on, then three face up."""
    dealt = each * seats
    received = tuple(tuple(deck[each * seat : each * (seat + 1)]) for seat in range(seats))
    return Deal(tuple(deck[dealt : dealt + PLACES]), received, tuple(deck[dealt + PLACES :]))


def in_rounds(deck: Sequence[str], seats: int) -> Deal:
    """Deal one card face up and one to each seat, again until three lie on the table or the pile is empty; if exactly
    one card is left then, it goes face up too.

    >>> in_rounds("abcdefgh", 2)
    Deal(table=('a', 'd', 'g'), received=(('b', 'e', 'h'), ('c', 'f')), deck=())
    """
    turn = seats + 1
    in_turns = PLACES * turn
    table = tuple(deck[:in_turns:turn])
    received = tuple(tuple(deck[seat + 1 : in_turns : turn]) for seat in range(seats))
    rest = tuple(deck[in_turns:])
    return Deal(table + rest, received, ()) if len(rest) == 1 else Deal(table, received, rest)
