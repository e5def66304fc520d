"""How well a bot plays: a level is a budget and a tendency to err."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.engine.bots.search import Budget, Search
from games.engine.insight import Effort

_MOST_SLIPS = 0.95


@dataclass(frozen=True, slots=True)
class Level:
    """A strength to play against.

    Args:
        name: in commands and records.
        effort: how many futures the bot imagines, relative to Master.
        slips: how often it is content with any of the plans that are not its best, 0 to 1 (see `Effort.slips`).
        horizon: how far it plays on beyond its tree, relative to Master.
    """

    name: str
    effort: float
    slips: float
    horizon: float

    def futures(self, most: Effort) -> int:
        """Return how many futures it imagines in a game: one is not a search, only the best of what is known."""
        return max(1, round(most.iterations * self.effort))

    def errs(self, most: Effort) -> float:
        """Return how often it slips in a game, 0 to 1."""
        return min(_MOST_SLIPS, self.slips * most.slips)


NOVICE = Level("novice", effort=0.02, slips=0.6, horizon=0)
COMPANION = Level("companion", effort=0.15, slips=0.3, horizon=1)
MASTER = Level("master", effort=1.0, slips=0.0, horizon=1)
LEVELS = {level.name: level for level in (NOVICE, COMPANION, MASTER)}


def choose(level: Level, search: Search, seconds: float) -> Any:
    """Return what a bot of this level does: the same for the same search, unless its seconds run out."""
    most = search.insight.EFFORT
    budget = Budget(level.futures(most), seconds, round(most.horizon * level.horizon))
    best, *others = search.run(budget)
    if others and search.dice.fraction() < level.errs(most):
        return others[search.dice.below("slip", len(others))].plan[0]
    return best.plan[0]
