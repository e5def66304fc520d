"""Puzzles of Small Islands: the place for one tile after which the objective would bring most.

The solver tries each of the tiles that could be taken or held, on every cell where it fits and however it is turned. No
token is laid and no ship lands. From which slot a tile is taken does not matter when another one is placed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext, ngettext

from games.engine.bots import Dice
from games.engine.insight import Plan
from games.engine.protocol import RuleViolation, Seat, Step
from games.engine.puzzles import Solved
from games.titles.small_islands import GAME
from games.titles.small_islands.insight import placements, with_tile
from games.titles.small_islands.rules.components import is_discovery, objective_of
from games.titles.small_islands.rules.events import TilePlaced
from games.titles.small_islands.rules.notation import Explore
from games.titles.small_islands.rules.reward import Prospect, prospects
from games.titles.small_islands.rules.state import State, Table
from games.titles.small_islands.rules.view import View

_MOST_TILES = 30
"""On a larger map there are more places than anybody wants to try."""


def suits(view: View) -> bool:
    """Return whether the viewer explores for an objective that pays in points, and has not too much to compare."""
    table = view.table
    if table.phase != "explore" or table.turn != view.viewer or table.solo or not table.tiles_up:
        return False
    return not is_discovery(objective_of(view.kept).reward) and len(table.board) <= _MOST_TILES


def solve(view: View) -> Solved:
    """Compare every way to place a tile; turned so that it looks the same, it is the same answer."""
    answers = [(_worth(view, answer), answer) for answer in placements(view)]
    (best, answer), *others = sorted(answers, key=lambda ranked: -ranked[0])
    return Solved((answer,), best, others[0][0] if others else 0, len(answers))


def _worth(view: View, answer: Explore) -> int:
    """Return what the objective would bring with a House on each of the best islands."""
    table = with_tile(view.table, answer, view.table.turn)
    found = sorted((each.points for each in _prospects(table, view)), reverse=True)
    return sum(found[: table.houses_in_hand(table.turn)])


def _prospects(table: Table, view: View) -> tuple[Prospect, ...]:
    return prospects(table, table.turn, objective_of(view.kept))


def greedy(view: View) -> Plan:
    """Return the answer of somebody who enlarges the island that pays most now, else the largest."""
    target = max(_prospects(view.table, view), key=lambda each: (each.points, each.island.size)).island.sites[0]

    def grown(answer: Explore) -> tuple[int, int]:
        table = with_tile(view.table, answer, view.table.turn)
        number = table.islands.number[target]
        return _prospects(table, view)[number].points, table.islands.all[number].size

    return (max(placements(view), key=grown),)


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
    """Return the map with the tile; the tile that is turned up next does not matter."""
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
