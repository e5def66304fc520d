"""How likely each seat is to end first in Small Islands, by the table and by all objectives.

The weights were fitted to matches between Masters, 300 of two, 100 of three, 200 of four, and 150 of one:

    manage.py calibrate small-islands --seats 2 --matches 300 --fit
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import sqrt
from operator import itemgetter
from typing import Final

from games.engine import chances as model
from games.engine.chances import Features, Weights
from games.titles.small_islands.rules.components import SHIPS, Objective, is_discovery, objective_of, points
from games.titles.small_islands.rules.islands import Site
from games.titles.small_islands.rules.reward import Prospect, prospects
from games.titles.small_islands.rules.scoring import CARDS, tallies
from games.titles.small_islands.rules.state import ALEXIS, HOUSES, NAVIGATION, House, State, Table

_TOKEN: Final = 5.5
"""What the best of a few discovery tokens is worth on average."""
_HOPED: Final = 0.4
"""What share of its points an island is worth that does not fulfil the mission yet."""
_SETTLED, _CHOSEN, _OPEN = 0.15, 1.4, 3.0
"""How uncertain a result is when only Houses are left to place, and when the last objectives are known; else its
square is that of the last number and 1 more for each choice of objectives to come.
"""


def chances(state: State) -> list[float]:
    """Return for each seat its chance to end first; alone, the chance to win."""
    return model.chances(features(state), WEIGHTS[state.table.seats])


def features(state: State) -> Features:
    """Return what counts for each seat, in points and Houses: the more, the fewer rounds are left."""
    table, due = _settled(state)
    totals = [tally.total for tally in tallies(state.table, state.values)]
    left = _rounds_to_come(state) + (table.phase != "reward")
    spread, found = _spread(table, left), []
    for seat in range(table.seats):
        counts = {
            "points": totals[seat] + due[seat],
            "ship": table.own_ship_left(seat),
            "choice": _choice(state, seat),
            "objective": _objective(state, seat),
            "houses": (HOUSES - table.houses_placed(seat)) * left,
        }
        if table.solo:
            rounds = {card: left * (card == table.alexis) for card in CARDS}  # he explores and lands in his own way
            counts = {**counts, "points": counts["points"] - totals[ALEXIS], **rounds}
        soon = 1 - (seat - table.turn) % table.players / (table.players - 1) if table.phase == "explore" else 0.0
        found.append({"soon": soon} | {name: count / spread for name, count in counts.items()})
    return found


def _rounds_to_come(state: State) -> int:
    """Return how many rounds there are at most after this one: each needs a ship, and tiles of the Reserve."""
    return 0 if state.table.end else min(SHIPS - state.table.round, state.reserve // NAVIGATION)


def _spread(table: Table, left: int) -> float:
    """Return how uncertain a result is with so many rounds left to explore."""
    choices = left - (table.phase == "explore")
    if choices:
        return sqrt(_OPEN + choices)
    return _CHOSEN if left else _SETTLED


def _choice(state: State, seat: int) -> float:
    """Return what the best objective promises that a seat can choose now."""
    if state.table.phase != "choose":
        return 0.0
    return max(sum(_pays(state.table, seat, objective_of(cards))) for cards in product(*state.dealt[seat]))


def _objective(state: State, seat: int) -> float:
    """Return what the objective of the round promises a seat in the exploration."""
    exploring = state.table.phase == "explore"
    return sum(_pays(state.table, seat, objective_of(state.kept[seat]))) if exploring else 0.0


def _settled(state: State) -> tuple[Table, list[float]]:
    """Return the table after the Reward phase, if it is one, and what each seat then brings itself with its Houses.

    All take what pays most, in turn.
    """
    table, due = state.table, [0.0] * state.table.seats
    for seat in (*range(table.turn, table.seats), *range(table.turn)) if table.phase == "reward" else ():
        if seat < table.seats and not table.revealed[seat]:
            objective = objective_of(state.kept[seat])
            best = sorted(_payable(table, seat, objective), key=itemgetter(0), reverse=True)[
                : table.houses_in_hand(seat)
            ]
            due[seat] = sum(gain for gain, _ in best)
            houses = [House(seat, table.round, site, *objective, 0) for gain, site in best if gain]
            table = replace(table, houses=(*table.houses, *houses))
    return table, due


def _payable(table: Table, seat: int, objective: Objective) -> list[tuple[float, Site]]:
    found = (each for each in prospects(table, seat, objective) if each.refusal is None)
    return [(_points(objective, each), each.sites[0]) for each in found]


@lru_cache(maxsize=4096)
def _pays(table: Table, seat: int, objective: Objective) -> tuple[float, float]:
    """Return the points an objective brings as the islands lie, and what Houses left then may hope for."""
    found = prospects(table, seat, objective)
    now = [_points(objective, each) for each in found if each.refusal is None]
    later = [_points(objective, each) for each in found if each.refusal == "mission-not-fulfilled" and each.sites]
    houses = table.houses_in_hand(seat)
    hopes = sorted(later, reverse=True)[: max(0, houses - len(now))]
    return sum(sorted(now, reverse=True)[:houses]), _HOPED * sum(hopes)


def _points(objective: Objective, prospect: Prospect) -> float:
    """Return what a House brings on an island that fulfils the mission."""
    size, symbols = prospect.island.size, prospect.island.symbols
    return points(objective.reward, size, symbols) + _TOKEN * (is_discovery(objective.reward) and symbols.temple > 0)


WEIGHTS: Mapping[int, Weights] = {
    1: {
        "soon": 0.36,
        "points": 0.69,
        "ship": 1.05,
        "choice": 0.58,
        "objective": 0.23,
        "houses": 0.45,
        "morning": 1.98,
        "afternoon": 1.17,
        "night": 0.20,
    },
    2: {"soon": 0.15, "points": 0.42, "ship": 0.95, "choice": 0.33, "objective": 0.27, "houses": 0.62},
    3: {"soon": 0.17, "points": 0.48, "ship": 1.82, "choice": 0.52, "objective": 0.30, "houses": 0.52},
    4: {"soon": 0.17, "points": 0.40, "ship": 1.28, "choice": 0.09, "objective": 0.22, "houses": 0.52},
}
