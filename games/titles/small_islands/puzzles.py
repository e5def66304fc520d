"""Puzzles of Small Islands: the place for one tile after which the objective would bring most.

The solver tries each of the tiles that could be taken or held, on every cell where it fits and however it is turned. No
token is laid and no ship lands. From which slot a tile is taken does not matter when another one is placed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext, ngettext

from games.engine.bots.dice import Dice
from games.engine.insight import Plan
from games.engine.protocol import RuleViolation, Seat, Step
from games.engine.puzzles import Solved
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.components import is_discovery, objective_of
from games.titles.small_islands.rules.events import TilePlaced
from games.titles.small_islands.rules.islands import Placed, Site
from games.titles.small_islands.rules.notation import Explore
from games.titles.small_islands.rules.reward import Prospect, prospects
from games.titles.small_islands.rules.state import State, Table
from games.titles.small_islands.rules.view import View

_MOST_TILES = 30
"""On a larger map the question becomes one of patience."""


def suits(view: View) -> bool:
    """Say whether the viewer explores for an objective that pays in points, and has not too much to compare."""
    table = view.table
    if table.phase != "explore" or table.turn != view.viewer or table.solo or not table.tiles_up:
        return False
    return not is_discovery(objective_of(view.kept).reward) and len(table.board) <= _MOST_TILES


def solve(view: View) -> Solved:
    """Compare every way to place a tile."""
    ranked = sorted(
        ((_worth(view, answer), number, answer) for number, answer in enumerate(_answers(view))), key=_first
    )
    second = ranked[1][0] if len(ranked) > 1 else 0
    return Solved((ranked[0][2],), ranked[0][0], second, len(ranked))


def _first(ranked: tuple[int, int, Explore]) -> tuple[int, int]:
    return -ranked[0], ranked[1]


def _answers(view: View) -> Iterator[Explore]:
    """Yield every way to place a tile; turned so that it looks the same, it is the same answer."""
    row = {tile: slot for slot, tile in enumerate(view.table.row, start=1) if tile is not None}
    for tile, spots in view.spots.items():
        slot = row.get(tile, min(row.values()))
        yield from (Explore(slot, tile, cell, turn) for cell, turn in spots)


def _after(table: Table, answer: Explore) -> Table:
    placed = Placed(str(answer.tile), answer.cell, answer.turn, table.turn)
    return replace(table, board=(*table.board, placed))


def _worth(view: View, answer: Explore) -> int:
    """Return what the objective would bring with a House on each of the best islands."""
    return _paid(_after(view.table, answer), view)


def _paid(table: Table, view: View) -> int:
    found = sorted((each.points for each in _prospects(table, view)), reverse=True)
    return sum(found[: table.houses_in_hand(table.turn)])


def _prospects(table: Table, view: View) -> tuple[Prospect, ...]:
    return prospects(table, table.turn, objective_of(view.kept))


def greedy(view: View) -> Plan:
    """Return the answer of somebody who enlarges the island that pays most now, else the largest."""
    target = max(_prospects(view.table, view), key=lambda each: (each.points, each.island.size)).island.sites[0]
    return (max(_answers(view), key=lambda answer: _of_island(view, answer, target)),)


def _of_island(view: View, answer: Explore, target: Site) -> tuple[int, int]:
    """Return what an island would bring after an answer, and its size."""
    table = _after(view.table, answer)
    number = table.islands.number[target]
    return _prospects(table, view)[number].points, table.islands.all[number].size


def worth(view: View, line: Plan) -> int | None:
    """Return what the objective would bring after a tile has been placed, None before.

    Raises:
        RuleViolation: "puzzle", for anything but placing a tile without a token.
    """
    for answer in line[:1]:
        if not isinstance(answer, Explore) or answer.token is not None:
            raise RuleViolation("puzzle", gettext("In this puzzle you place one tile, and no token or ship."))
        return _worth(view, answer)
    return None


def shown(state: State, seat: Seat, line: Plan) -> Sequence[Step[State]]:
    """Return the map with the tile; what is turned up in its stead does not matter."""
    steps = (GAME.apply(state, seat, answer, Dice(0)) for answer in line[:1])
    return [
        replace(step, events=tuple(event for event in step.events if isinstance(event, TilePlaced))) for step in steps
    ]


def task(view: View) -> str:
    """Ask for the best place."""
    return gettext(
        "Place one tile, without a token, so that your objective would score as many points as possible if the Reward "
        "phase came at once."
    )


def gain(worth: int) -> str:
    """Say how many points the objective would bring."""
    return ngettext("%(count)s point", "%(count)s points", worth) % {"count": worth}
