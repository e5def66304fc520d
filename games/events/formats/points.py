"""Points, and who stands before whom.

For a heat everybody gets the share of their opponents who are placed behind them, half of those who share their place,
in 120ths, which is a whole number with up to seven seats. A bye is worth the whole. Of equals whoever has won more
heats stands before the others; then whoever has met opponents with more points; then what came of the heats in which
these people met each other; then the earlier entry. Nothing is decided by lot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, groupby
from types import MappingProxyType
from typing import Final

from games.events.formats.event import WHOLE, Heat, Player, Row

_NONE: Final[Mapping[int, int]] = MappingProxyType({})


def shares(places: Sequence[int]) -> tuple[int, ...]:
    """Return what each seat gets for its place, in 120ths.

    >>> shares((1, 2)), shares((1, 1)), shares((3, 1, 2)), shares((1, 2, 2, 4, 5)), shares((1,))
    ((120, 0), (60, 60), (0, 120, 60), (120, 75, 75, 30, 0), (120,))
    """
    others = len(places) - 1
    if not others:
        return (WHOLE,)
    return tuple(
        WHOLE * (2 * sum(mine < place for place in places) + places.count(mine) - 1) // (2 * others) for mine in places
    )


def standings(players: Collection[Player], heats: Iterable[Heat], extra: Mapping[int, int] = _NONE) -> list[Row]:
    """Return the rows of these players, best first.

    Args:
        players: who is listed; heats of others count for those they met.
        heats: of any state; only those that have places count.
        extra: what some get besides, in 120ths.
    """
    counted = [heat for heat in heats if heat.places is not None]
    points, won, strength, played, byes = Counter(extra), Counter[int](), Counter[int](), Counter[int](), Counter[int]()
    for heat in counted:
        places = heat.places or ()
        for person, share in zip(heat.people, shares(places), strict=True):
            points[person] += share
            (byes if heat.is_bye else played)[person] += 1
        if not heat.is_bye and places.count(1) == 1:
            won[heat.people[places.index(1)]] += 1
    for heat in counted:
        whole = sum(points[person] for person in heat.people)
        for person in heat.people if not heat.is_bye else ():
            strength[person] += (whole - points[person]) // (len(heat.people) - 1)

    def known(player: Player) -> tuple[int, int, int]:
        who = player.person
        return -points[who], -won[who], -strength[who]

    order = list[int]()
    for _, equals in groupby(sorted(players, key=known), key=known):
        order += _by_meetings(list(equals), counted)
    return [
        Row(place, who, points[who], won[who], strength[who], played[who], byes[who])
        for place, who in enumerate(order, start=1)
    ]


def _by_meetings(equals: Sequence[Player], heats: Iterable[Heat]) -> list[int]:
    """Return these people in the order of what came of the heats in which they met each other, then of entry."""
    entered = {player.person: player.entered for player in equals}
    balance = Counter[int]()
    for heat in heats if len(equals) > 1 else ():
        there = [(who, place) for who, place in zip(heat.people, heat.places or (), strict=True) if who in entered]
        for (one, mine), (other, theirs) in combinations(there, 2):
            balance[one] += (mine < theirs) - (mine > theirs)
            balance[other] += (mine > theirs) - (mine < theirs)
    return sorted(entered, key=lambda who: (-balance[who], entered[who]))


def numbered(rows: Iterable[Row]) -> list[Row]:
    """Return these rows with places in their order, from 1."""
    return [replace(row, place=place) for place, row in enumerate(rows, start=1)]
