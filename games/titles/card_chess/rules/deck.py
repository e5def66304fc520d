"""The cards: how they are written, dealt and played.

A card is written as colour, piece, value and square, e.g. `bP1l`, `gR5d`, `bC#w`; equal cards have the same text.
States, views, events and actions hold these texts; `CARDS` says what they mean. An action is written
`play gR5d bP1l bQ9w`: the cards by place, single spaces.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from games.engine.protocol import NotationError

COLOURS = {"blue": "b", "green": "g"}
PIECES = {
    "pawn": "P",
    "castle": "C",
    "ghost_queen": "G",
    "king": "K",
    "knight": "N",
    "rook": "R",
    "bishop": "B",
    "queen": "Q",
}
SQUARES = {"light": "l", "dark": "d", "white": "w"}

_SEATS_OF_ONE_DECK = 2


@dataclass(frozen=True, slots=True)
class Card:
    """What is printed on a card.

    Args:
        text: how it is written.
        colour: one of `COLOURS`.
        piece: one of `PIECES`.
        value: `1` to `9`, or `#`.
        square: one of `SQUARES`.
        strength: what decides who captures; 4.5 for `#`.
        symmetric_strength: the same with the option `symmetric_rooks`.
        points: for the player who has it in a won pile.
    """

    text: str
    colour: str
    piece: str
    value: str
    square: str
    strength: float
    symmetric_strength: float
    points: int


def _card(entry: Mapping[str, Any]) -> Card:
    colour, piece, value, square = entry["colour"], entry["piece"], str(entry["value"]), entry["square"]
    return Card(
        text=COLOURS[colour] + PIECES[piece] + value + SQUARES[square],
        colour=colour,
        piece=piece,
        value=value,
        square=square,
        strength=entry["rank"],
        symmetric_strength=entry.get("value_if_symmetric", entry["rank"]),
        points=entry["points"],
    )


_ENTRIES = json.loads(resources.files(__package__).joinpath("deck.json").read_text(encoding="utf-8"))

CARDS: Mapping[str, Card] = {card.text: card for card in map(_card, _ENTRIES)}
"""Every different card by its text, in the order of the data file."""

DECK = tuple(card for card, entry in zip(CARDS, _ENTRIES, strict=True) for _ in range(entry["count"]))
"""The 38 cards of one deck, in the order of the data file."""

_ORDER = {card: place for place, card in enumerate(CARDS)}


def decks(seats: int) -> tuple[str, ...]:
    """Return the full list of cards for this many seats: one deck for two, two for more."""
    return DECK if seats == _SEATS_OF_ONE_DECK else DECK * 2


def least_pawns(seats: int) -> tuple[int, ...]:
    """Return the positions of the pawns of value 1 in the full list; with four seats one of them is removed."""
    return tuple(place for place, card in enumerate(decks(seats)) if CARDS[card].value == "1")


def stock(seats: int, removed: int | None) -> tuple[str, ...]:
    """Return the list of cards a match is played with.

    Args:
        seats: how many play.
        removed: which of the `least_pawns` is taken out, None when none is.
    """
    cards = list(decks(seats))
    if removed is not None:
        del cards[least_pawns(seats)[removed]]
    return tuple(cards)


def without(cards: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    """Return what is left of the cards when the others are taken away, each as often as it occurs there.

    >>> without(["bC#w", "gK5w", "bC#w"], ["bC#w"])
    ('gK5w', 'bC#w')
    """
    gone = Counter(others)
    left = []
    for card in cards:
        if gone[card]:
            gone[card] -= 1
        else:
            left.append(card)
    return tuple(left)


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Return the cards in the order of the data file, equal ones side by side."""
    return tuple(sorted(cards, key=_ORDER.__getitem__))


PLACES = 3
"""The number of cards laid on the table, if there are enough."""


@dataclass(frozen=True, slots=True)
class Deal:
    """What was dealt: the cards laid face up, those each seat received, and the rest of the draw pile."""

    table: tuple[str, ...]
    received: tuple[tuple[str, ...], ...]
    deck: tuple[str, ...]


def deal_in_blocks(deck: Sequence[str], seats: int, each: int) -> Deal:
    """Deal this many cards to seat 0, then to seat 1 and so on, then three face up."""
    dealt = each * seats
    received = tuple(tuple(deck[each * seat : each * (seat + 1)]) for seat in range(seats))
    return Deal(tuple(deck[dealt : dealt + PLACES]), received, tuple(deck[dealt + PLACES :]))


def deal_in_rounds(deck: Sequence[str], seats: int) -> Deal:
    """Deal one card face up and one to each seat, again until three lie on the table or the pile is empty; if exactly
    one card is left then, it goes face up too.

    >>> deal_in_rounds("abcdefgh", 2)
    Deal(table=('a', 'd', 'g'), received=(('b', 'e', 'h'), ('c', 'f')), deck=())
    """
    turn = seats + 1
    in_turns = PLACES * turn
    table = tuple(deck[:in_turns:turn])
    received = tuple(tuple(deck[seat + 1 : in_turns : turn]) for seat in range(seats))
    rest = tuple(deck[in_turns:])
    return Deal(table + rest, received, ()) if len(rest) == 1 else Deal(table, received, rest)


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
        raise NotationError("A card is written as color, piece, value and square, as in “gR5d”.")
    return Play(tuple(cards))


def notate(action: Play) -> str:
    """Write an action.

    >>> notate(Play(("gR5d", "bC#w")))
    'play gR5d bC#w'
    """
    return " ".join(("play", *action.cards))
