"""Puzzles of Small Islands: the place for one tile after which all one's Houses, or the best one, would score most.

The solver tries each of the tiles that could be taken or held, on every cell where it fits and however it is turned. No
token is laid and no ship lands. From which slot a tile is taken does not matter when another one is placed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from games.engine.dice import Dice
from games.engine.insight import Plan
from games.engine.protocol import RuleViolation, Seat, Step
from games.engine.puzzles import PuzzleMaker, Solved
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


@dataclass(frozen=True)
class _Placing:
    """A kind of puzzle.

    Args:
        least: what a puzzle must bring.
    """

    least: int = 3

    def suits(self, view: View) -> bool:
        """Return whether the viewer explores for an objective that pays in points, and has not too much to compare."""
        table = view.table
        if table.phase != "explore" or table.turn != view.viewer or table.solo or not table.tiles_up:
            return False
        return not is_discovery(objective_of(view.kept).reward) and len(table.board) <= _MOST_TILES

    def solve(self, view: View) -> Solved:
        """Compare every way to place a tile; turned so that it looks the same, it is the same answer."""
        houses = self.houses(view)
        answers = [(sum(points[:houses]), answer) for answer, points in _all(view)]
        (best, answer), *others = sorted(answers, key=lambda ranked: -ranked[0])
        return Solved((answer,), best, others[0][0] if others else 0, len(answers))

    def houses(self, view: View) -> int:
        """Return how many Houses are counted: all there are."""
        return view.table.houses_in_hand(view.table.turn)

    def _worth(self, view: View, answer: Explore) -> int:
        """Return what the objective would bring with a House on each of the best islands."""
        return sum(_brought(view, answer)[: self.houses(view)])

    def greedy(self, view: View) -> Plan:
        """Return the answer of somebody who enlarges the island that pays most now, else the largest."""
        target = max(_prospects(view.table, view), key=lambda each: (each.points, each.island.size)).island.sites[0]

        def grown(answer: Explore) -> tuple[int, int]:
            table = with_tile(view.table, answer, view.table.turn)
            number = table.islands.number[target]
            return _prospects(table, view)[number].points, table.islands.all[number].size

        return (max(placements(view), key=grown),)

    def worth(self, view: View, line: Plan) -> int | None:
        """Return what the objective would bring after a tile has been placed, None before.

        Raises:
            RuleViolation: "puzzle", for anything but placing a tile without a token.
        """
        for answer in line[:1]:
            if not isinstance(answer, Explore) or answer.token is not None:
                raise RuleViolation("puzzle", "In this puzzle you place one tile, and no token or ship.")
            return self._worth(view, answer)
        return None

    def essence(self, view: View, line: Plan) -> str:
        """Return which tile lies where, and how."""
        answer = line[0]
        return f"{answer.tile} {answer.cell.x},{answer.cell.y} {answer.turn}"

    def shown(self, state: State, seat: Seat, line: Plan) -> Sequence[Step[State]]:
        """Return the map with the tile; the tile that is turned up next does not matter."""
        steps = (GAME.apply(state, seat, answer, Dice(0)) for answer in line[:1])
        return [
            replace(step, events=tuple(event for event in step.events if isinstance(event, TilePlaced)))
            for step in steps
        ]


class _House(_Placing):
    """Make the best place for a single House."""

    def suits(self, view: View) -> bool:
        """Return the same as for all Houses, if there are several: otherwise it is the same question."""
        return super().suits(view) and super().houses(view) > 1

    def houses(self, view: View) -> int:
        return 1


@lru_cache(maxsize=2)
def _all(view: View) -> Sequence[tuple[Explore, Sequence[int]]]:
    """Return every way to place a tile, with what it brings; kinds of puzzles ask for the same one after the other."""
    return [(answer, _brought(view, answer)) for answer in placements(view)]


def _brought(view: View, answer: Explore) -> Sequence[int]:
    """Return what a House would bring on each island after a tile has been placed, the most first."""
    table = with_tile(view.table, answer, view.table.turn)
    return sorted((each.points for each in _prospects(table, view)), reverse=True)


def _prospects(table: Table, view: View) -> tuple[Prospect, ...]:
    return prospects(table, table.turn, objective_of(view.kept))


KINDS: Mapping[str, PuzzleMaker] = {"points": _Placing(), "house": _House()}
