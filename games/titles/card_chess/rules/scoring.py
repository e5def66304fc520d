"""Points and realms, gold cards and deciding challenges, and when and how a match ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.engine.protocol import Outcome, ranks
from games.titles.card_chess.rules.deck import CARDS, COLOURS
from games.titles.card_chess.rules.options import Rulings

REALM = ("king", "queen", "castle")
"""The pieces of one colour that make a realm together."""
REALM_POINTS = 10

_REALMS = tuple(
    tuple(card.text for piece in REALM for card in CARDS.values() if (card.colour, card.piece) == (colour, piece))
    for colour in COLOURS
)
"""The cards of a realm of each colour: there is one kind of each."""


def realm_parts(cards: Iterable[str]) -> tuple[tuple[int, int, int], ...]:
    """Return for blue, then for green how many kings, queens and castles are among the cards.

    >>> realm_parts(["bK5w", "bC#w", "bC#w", "gR5d"])
    ((1, 0, 2), (0, 0, 0))
    """
    won = tuple(cards)
    return tuple((won.count(king), won.count(queen), won.count(castle)) for king, queen, castle in _REALMS)


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
        missing = {piece for piece, count in zip(REALM, had, strict=True) if count < min(have)}
        makers += [card for card in new if CARDS[card].colour == colour and CARDS[card].piece in missing]
    return tuple(makers)


def points(cards: Iterable[str]) -> int:
    """Return what one player's won cards are worth: their points and 10 more for each realm."""
    won = tuple(cards)
    return sum(CARDS[card].points for card in won) + REALM_POINTS * realms(won)


GOLD = {2: 4, 3: 8, 4: 8}
"""Seats to the number of gold cards."""
TARGET = {"official": 3, "decided": 3, "two_gold": 2}
"""Length of the match to the gold cards that win it; two players who play the official length win all four instead."""
MOST_CHALLENGES = 20
MOST_DRAWN_DECIDERS = 3

_TWO = 2


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge that is over.

    Args:
        points: of each seat, realms included.
        realms: of each seat.
        winner: the seat with the most points, None when the highest points are equal.
        decider: whether it was played for the match, not for a gold card.
        captures: the piles each seat took.
    """

    points: tuple[int, ...]
    realms: tuple[int, ...]
    winner: int | None
    decider: bool
    captures: tuple[int, ...] = ()


def winner(points: Sequence[int]) -> int | None:
    """Return the seat with the most points, None when several have them."""
    best = max(points)
    return points.index(best) if points.count(best) == 1 else None


def gold(challenges: Sequence[Challenge], seats: int) -> tuple[int, ...]:
    """Return the gold cards each seat has won; a drawn or deciding challenge gives none."""
    winners = [challenge.winner for challenge in challenges if not challenge.decider]
    return tuple(winners.count(seat) for seat in range(seats))


def totals(challenges: Sequence[Challenge], seats: int) -> tuple[int, ...]:
    """Return each seat's points of all challenges."""
    return tuple(sum(challenge.points[seat] for challenge in challenges) for seat in range(seats))


def is_decider(challenges: Sequence[Challenge], seats: int) -> bool:
    """Return whether the challenge after these is a deciding one: no gold card is left to play for."""
    return sum(gold(challenges, seats)) == GOLD[seats]


def ending(challenges: Sequence[Challenge], seats: int, rulings: Rulings) -> str | None:
    """Return why the match is over after these challenges, None if it goes on.

    The reasons, the first that applies: `challenge` and `drawn` (the only challenge was won, or not), `decider` (a
    deciding challenge was won), `gold` (somebody has won by gold cards), `shared` (2:2, by option), `valve` (too many
    challenges, or drawn deciders).
    """
    last = challenges[-1]
    if rulings.length == "one_challenge":
        return "drawn" if last.winner is None else "challenge"
    if last.decider and last.winner is not None:
        return "decider"
    held = gold(challenges, seats)
    if plays_for_all(seats, rulings):
        won_by_gold = sum(held) == GOLD[_TWO] and held[0] != held[1]
    else:
        won_by_gold = max(held) == TARGET[rulings.length]
    if won_by_gold:
        return "gold"
    if rulings.shared and is_decider(challenges, seats):
        return "shared"
    drawn_deciders = sum(each.decider for each in challenges)  # one that was won has ended the match
    return "valve" if len(challenges) == MOST_CHALLENGES or drawn_deciders == MOST_DRAWN_DECIDERS else None


def plays_for_all(seats: int, rulings: Rulings) -> bool:
    """Return whether the match goes on until all gold cards are won: two players, official length."""
    return seats == _TWO and rulings.length == "official"


def outcome(challenges: Sequence[Challenge], seats: int, reason: str) -> Outcome:
    """Return how a match that ended for this reason came out.

    The winner is first; the others follow by gold, then by the points of all challenges, then share a place. With the
    reason `shared` all are first.
    """
    scores, sums = gold(challenges, seats), totals(challenges, seats)
    first = challenges[-1].winner if reason in ("challenge", "decider") else None
    places = ranks((seat != first, -scores[seat], -sums[seat]) for seat in range(seats))
    return Outcome((1,) * seats if reason == "shared" else places, scores, reason)
