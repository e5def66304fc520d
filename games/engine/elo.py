"""Rating arithmetic: Elo for any number of players, in whole thousandths; the changes of a match add up to zero.

Every pair of players counts as one game between the two::

    E_ij = 1 / (1 + 10^((R_j - R_i)/400))        S_ij = 1, 1/2, 0 by final place
    K(g) = 40 if g < 10, 32 if g < 30, else 24   K_ij = (K_i + K_j)/2
    t_ij = round(1000 K_ij/(n-1) (S_ij - E_ij))  once per pair; R_i += t_ij, R_j -= t_ij

`round` goes to the nearest thousandth. Exactly half a thousandth can come about only between equal ratings, and only
with 33 players or more, so it does not matter which way halves are rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

START = 1_500_000
"""The rating of a player without rated matches, in thousandths."""

PROVISIONAL_GAMES = 10
"""Below this many rated matches a rating is uncertain: it moves fastest and is shown with a question mark."""

_SETTLED_GAMES = 30
_K_PROVISIONAL, _K_SETTLING, _K_SETTLED = 40, 32, 24


@dataclass(frozen=True, slots=True)
class Rated:
    """A player entering a match: rating in thousandths and rated matches so far, both of that pool."""

    rating: int
    games: int


def expectation(rating: int, other: int) -> float:
    """Return the share of a win that a rating may expect against another, both in thousandths.

    >>> expectation(1_500_000, 1_500_000)
    0.5
    """
    return float(1 / (1 + 10 ** ((other - rating) / 400_000)))


def weight(games: int) -> int:
    """Return K for a player with this many rated matches in the pool.

    >>> weight(9), weight(10), weight(29), weight(30)
    (40, 32, 32, 24)
    """
    if games < PROVISIONAL_GAMES:
        return _K_PROVISIONAL
    return _K_SETTLING if games < _SETTLED_GAMES else _K_SETTLED


def changes(players: Sequence[Rated], places: Sequence[int]) -> tuple[int, ...]:
    """Return how much each rating changes, in thousandths; the changes add up to 0.

    Args:
        players: everybody in the match, with their ratings before it.
        places: the final place of each, 1 is best, equal places share.

    Raises:
        ValueError: not one place for each player.

    >>> changes([Rated(1_600_000, 12), Rated(1_400_000, 12)], [1, 2])
    (7688, -7688)
    """
    if len(places) != len(players):
        raise ValueError(f"There are {len(players)} players and {len(places)} places.")
    total = [0] * len(players)
    for (i, player), (j, other) in combinations(enumerate(players), 2):
        score = 0.5 if places[i] == places[j] else float(places[i] < places[j])
        k = (weight(player.games) + weight(other.games)) / 2
        change = round(1000 * k / (len(players) - 1) * (score - expectation(player.rating, other.rating)))
        total[i] += change
        total[j] -= change
    return tuple(total)
