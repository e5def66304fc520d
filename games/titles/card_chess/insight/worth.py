"""What cards, points and gold are worth to a strong player, beyond what is printed on them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from math import exp, sqrt

from games.engine.bots import utilities
from games.engine.protocol import ranks
from games.titles.card_chess.rules.capture import refusal
from games.titles.card_chess.rules.deck import CARDS, DECK
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.scoring import GOLD, REALM, REALM_POINTS, TARGET, plays_for_all

# --- realms -----------------------------------------------------------------------------------------------------------

_KINDS = tuple((colour, piece) for colour in ("blue", "green") for piece in REALM)
_BITS, _MASK = 4, 15
PART = {
    card.text: 1 << _BITS * _KINDS.index((card.colour, card.piece)) if card.piece in REALM else 0
    for card in CARDS.values()
}
"""For each card what it adds to the parts of realms that somebody has: four bits of a number count each kind."""

_IN_A_DECK = (1, 1, 2)
_CHANCES = (0.6, 0.45, 0.3)
"""How likely one of two players still wins a given king, queen or castle, early in a challenge."""
_TWO = 2


def parts(cards: Iterable[str]) -> int:
    """Return the parts of realms among these cards, as one number (`PART`)."""
    return sum(PART[card] for card in cards)


@lru_cache(maxsize=65_536)
def realms_expected(won: int, gone: int, seats: int, freshness: float) -> float:
    """Return the points that a seat can expect of its realms, complete ones included.

    Args:
        won: the parts it has.
        gone: the parts that nobody can win any more, those of all seats included.
        seats: how many play.
        freshness: of the challenge, after `freshness`.
    """
    points = 0.0
    for first in range(0, len(_KINDS), len(REALM)):
        have = [won >> _BITS * (first + kind) & _MASK for kind in range(len(REALM))]
        complete, chance = min(have), 1.0
        for kind, count in enumerate(have):
            if count == complete:
                all_of_it = _IN_A_DECK[kind] * (1 if seats == _TWO else 2)
                left = all_of_it - (gone >> _BITS * (first + kind) & _MASK)
                chance *= 1 - (1 - _CHANCES[kind] * freshness * _TWO / seats) ** max(0, left)
        points += REALM_POINTS * (complete + chance)
    return points


# --- how much can still happen in a challenge; measured where the strongest player played itself ---------------------

_FRESH = 10
_SWING = 1.9


def freshness(to_come: int) -> float:
    """Return from 0, at its end, to 1 how far from over a challenge is when so many cards are still to be dealt."""
    return 1 - exp(-to_come / _FRESH)


def swing(to_come: int) -> float:
    """Return the lead in points that wins e times as often as it loses when so many cards are still to be dealt."""
    return _SWING * sqrt(to_come)


# --- what it is worth to keep a card ----------------------------------------------------------------------------------

_KEPT = {"P1": 0.0, "P2": 0.1, "P3": 0.2, "P4": 0.3, "C#": 1.1, "G#": 1.1}
_KEPT |= {"N5": 2.4, "R5": 2.7, "R6": 3.6, "B7": 5.1, "K5": 5.6, "Q9": 9.3}
"""By piece and value, the points that a card brings more than the least pawn, held early in a challenge: the mean
of what it brought in random hands, in turns that were solved."""
_MOST_OFTEN = 1.3


def kept(card: str, dealt: Iterable[str], rulings: Rulings) -> float:
    """Return the points that it is worth to keep a card early in a challenge, more if it captures more than usual.

    Args:
        card: that is kept.
        dealt: what can lie on the table in the turns to come.
        rulings: of the match.
    """
    able = [captures(card, target, rulings) for target in dealt]
    often = sum(able) / len(able) / _usually_captures(card) if able else 0.0
    return _KEPT[card[1:3]] * min(_MOST_OFTEN, often)


def lasting(to_come: int) -> float:
    """Return the share of `kept` that is left when so many cards are still to be dealt."""
    return freshness(to_come) ** 2


@lru_cache(maxsize=16_384)
def captures(card: str, target: str, rulings: Rulings) -> bool:
    """Return whether a card can capture another."""
    return refusal(card, target, rulings) is None


@cache
def _usually_captures(card: str) -> float:
    return sum(captures(card, target, Rulings()) for target in DECK) / len(DECK)


# --- what gold is worth -----------------------------------------------------------------------------------------------


@cache
def prospects(gold: tuple[int, ...], rulings: Rulings) -> tuple[float, ...]:
    """Return the share of its opponents that each seat leaves behind if all win further challenges equally often.

    Args:
        gold: the gold cards of each seat.
        rulings: which say when the match is over; a tie in gold counts half.
    """
    seats, shared_out = len(gold), sum(gold) == GOLD[len(gold)]
    if plays_for_all(seats, rulings):
        over = shared_out and len(set(gold)) > 1
    else:
        over = max(gold) == TARGET.get(rulings.length, 1)
    if over or (shared_out and rulings.shared):
        return tuple(utilities(ranks(-each for each in gold)))
    following = [prospects_of_winner(seat, gold, rulings) for seat in range(seats)]
    return tuple(sum(each) / seats for each in zip(*following, strict=True))


@cache
def prospects_of_winner(winner: int, gold: tuple[int, ...], rulings: Rulings) -> tuple[float, ...]:
    """Return the `prospects` when a seat wins the challenge that is played with these gold cards."""
    if sum(gold) == GOLD[len(gold)]:
        return tuple(utilities(ranks((seat != winner, -each) for seat, each in enumerate(gold))))
    return prospects(tuple(each + (seat == winner) for seat, each in enumerate(gold)), rulings)
