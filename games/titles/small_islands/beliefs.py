"""What the others probably play for, from what everybody sees."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate, product
from math import exp
from typing import TypeAlias

from games.engine.dice import Dice
from games.titles.small_islands.charts import Chart, chart_of, extend
from games.titles.small_islands.gains import gains
from games.titles.small_islands.rules.components import SHIP_FACES, START_TILES, Objective, decks, objective_of
from games.titles.small_islands.rules.state import Table
from games.titles.small_islands.rules.view import View
from games.titles.small_islands.scales import gained

Chances: TypeAlias = Mapping[Objective, float]
"""How likely each objective is; together 1."""

_CHOICE = 2.0
"""An objective is kept for being better than two others: its share of lesser ones to this power."""
_STRAY = 0.02
"""What is added for seats that keep another one."""
_INTENT, _MOST = 0.5, 4.0
"""How much a point tells that a tile added to what an objective promises, and how many points tell more."""


def beliefs(view: View) -> dict[int, Chances]:
    """Return for each other seat how likely each objective is.

    It is likelier the more it promised when it was chosen, and the more the seat's tiles have done for it since.
    """
    table, objectives = view.table, _possible(view)
    began = _beginning(table)
    chart = chart_of(table, began)
    likely = {
        seat: _when_chosen(_promises(chart, table, seat, objectives))
        for seat in range(table.seats)
        if seat != view.viewer
    }
    for number in range(began, len(table.board)):
        seat = table.board[number].seat
        if seat is None or seat not in likely:
            extend(chart, table, number)
            continue
        before = _promises(chart, table, seat, objectives)
        extend(chart, table, number)
        after = _promises(chart, table, seat, objectives)
        likely[seat] = [
            chance * exp(_INTENT * max(-_MOST, min(_MOST, then - now)))
            for chance, now, then in zip(likely[seat], before, after, strict=True)
        ]
    return {seat: dict(zip(objectives, _shares(chances), strict=True)) for seat, chances in likely.items()}


def _possible(view: View) -> list[Objective]:
    """Return what the others may play for: with cards that the viewer has not, and that nobody has revealed."""
    unseen = []
    for index, deck in enumerate(decks(view.table.advanced).values()):
        seen = {*view.dealt[index]}
        if view.table.phase == "reward":
            seen |= {cards[index] for cards in view.table.revealed if cards}
        unseen.append([card for card in deck if card not in seen])
    return [objective_of(cards) for cards in product(*unseen)]


def _beginning(table: Table) -> int:
    """Return how many tiles lay there when the round began: every round before it ended with a ship."""
    ships = [number for number, placed in enumerate(table.board, start=1) if placed.face in SHIP_FACES]
    return ships[table.round - 2] if table.round > 1 else len(START_TILES)


def _promises(chart: Chart, table: Table, seat: int, objectives: Sequence[Objective]) -> list[float]:
    """Return what each objective promises a seat."""
    drawable, houses = table.discovery_tokens_left > 0, table.houses_in_hand(seat)
    return [gained(chart, seat, gains(each, drawable, now=False), houses) for each in objectives]


def _when_chosen(promises: Sequence[float]) -> list[float]:
    """Return how likely it is that each objective was kept, up to a factor."""
    ranked, count = sorted(promises), len(promises)
    middles = [(bisect_left(ranked, promise) + bisect_right(ranked, promise)) / 2 / count for promise in promises]
    return [middle**_CHOICE + _STRAY for middle in middles]


def _shares(weights: Sequence[float]) -> list[float]:
    total = sum(weights)
    return [weight / total for weight in weights]


def drawn(chances: Chances, dice: Dice) -> Objective:
    """Return one of the objectives, likelier ones more often."""
    objectives, up_to = tuple(chances), tuple(accumulate(chances.values()))
    return objectives[min(bisect_right(up_to, dice.fraction()), len(objectives) - 1)]
