"""How likely each seat is to end first in 3D cardChess: who wins the challenge, and what that makes of the match.

The weights say who wins a challenge. They were fitted to matches between Masters, 120 of two, 40 of three, 80 of four:

    manage.py calibrate card-chess --seats 2 --matches 120 --fit

What a challenge is worth follows from the rules: the seats are as likely to win each of those to come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import sqrt
from typing import Final

from games.engine import chances as model
from games.engine.chances import Features, Weights, shares
from games.engine.protocol import ranks
from games.titles.card_chess.rules import scoring
from games.titles.card_chess.rules.capture import refusal, strength
from games.titles.card_chess.rules.deck import CARDS, DECK
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.scoring import Challenge, realm_parts
from games.titles.card_chess.rules.state import State

_RECYCLED: Final = 0.6
"""How many of the piles of the first phase nobody takes, whose cards two players deal again."""
_TWO: Final = 2


def chances(state: State) -> list[float]:
    """Return for each seat its chance to end first."""
    challenge = model.chances(features(state), WEIGHTS[state.seats])
    gold, decider, rulings = scoring.gold(state.challenges, state.seats), state.is_decider, state.rulings
    return _mixed(challenge, [_won(gold, decider, winner, rulings) for winner in range(state.seats)])


def result(state: State, end: State) -> Sequence[float]:
    """Return what the weights are fitted to: who won the challenge of a position, given the end of its match."""
    return shares(ranks(-points for points in end.challenges[len(state.challenges)].points))


# --- the match: gold cards ------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _won(gold: tuple[int, ...], decider: bool, winner: int, rulings: Rulings) -> Sequence[float]:
    """Return each seat's chance in the match when a challenge has been won.

    Args:
        gold: what each seat had won before.
        decider: whether it was a deciding challenge.
        winner: of the challenge.
        rulings: the options of the match.
    """
    seats = len(gold)
    winners = [(seat, False) for seat, count in enumerate(gold) for _ in range(count)]
    challenges = [_challenge(seat, seats, decider=each) for seat, each in (*winners, (winner, decider))]
    reason = scoring.ending(challenges, seats, rulings)
    if reason is not None:
        return shares(scoring.outcome(challenges, seats, reason).places)
    gold, decider = scoring.gold(challenges, seats), scoring.is_decider(challenges, seats)
    return _mixed([1 / seats] * seats, [_won(gold, decider, seat, rulings) for seat in range(seats)])


def _challenge(winner: int, seats: int, *, decider: bool) -> Challenge:
    return Challenge((0,) * seats, (0,) * seats, winner, decider)


def _mixed(challenge: Sequence[float], matches: Sequence[Sequence[float]]) -> list[float]:
    """Return each seat's chance in the match, given who wins the challenge how likely, and the chances after that."""
    return [sum(p * each for p, each in zip(challenge, column, strict=True)) for column in zip(*matches, strict=True)]


# --- the challenge: points, realms and hands ------------------------------------------------------------------------


def features(state: State) -> Features:
    """Return what counts for each seat in the present challenge; the fewer piles are left, the more it counts."""
    hands = [(*hand, *sealed) for hand, sealed in zip(state.hands, state.sealed, strict=True)]
    spread = sqrt(_piles_left(state))
    points, ahead = state.points, _strongest(hands, state.table, state.rulings)
    found = []
    for seat, hand in enumerate(hands):
        counts = {
            "points": points[seat],
            "two parts": _nearly(state.won(seat)),
            "strongest": ahead[seat],
            "hand": sum(_captures(card, state.rulings) for card in hand) / len(DECK),
            "at stake": sum(CARDS[card].points for card in hand),
        }
        found.append({name: count / spread for name, count in counts.items()})
    return found


def _nearly(won: Sequence[str]) -> int:
    """Return of how many colours a player has all of a further realm but one piece."""
    return sum(sum(count > min(parts) for count in parts) == len(parts) - 1 for parts in realm_parts(won))


def _piles_left(state: State) -> float:
    """Return how many piles are still to be settled in this challenge, about."""
    now = len(state.table) + len(state.deck) / (state.seats + 1)
    if state.seats > _TWO or state.phase > 1:
        return now
    return now + _RECYCLED * now + len(state.discards) / (_TWO + 1)


def _strongest(hands: Sequence[Sequence[str]], table: Sequence[str], rulings: Rulings) -> list[float]:
    """Return for each seat the points of the table cards that nobody else can take with a card as strong."""
    found = [0.0] * len(hands)
    for target in table:
        able = [[strength(card, rulings) for card in hand if refusal(card, target, rulings) is None] for hand in hands]
        best = [max(each, default=0.0) for each in able]
        if max(best) and best.count(max(best)) == 1:
            found[best.index(max(best))] += CARDS[target].points
    return found


@lru_cache(maxsize=256)
def _captures(card: str, rulings: Rulings) -> int:
    """Return how many cards of a deck a card can capture."""
    return sum(refusal(card, target, rulings) is None for target in DECK)


WEIGHTS: Mapping[int, Weights] = {
    2: {"points": 0.56, "two parts": 0.53, "strongest": 1.10, "hand": 0.96, "at stake": 0.37},
    3: {"points": 0.35, "two parts": 0.38, "strongest": 0.86, "hand": 0.69, "at stake": 0.29},
    4: {"points": 0.41, "two parts": 0.64, "strongest": 0.98, "hand": 2.16, "at stake": 0.11},
}
