"""Simple players for tests: each chooses an action from what its own seat sees, the same every time.

`idler` never does anything, `waster` throws cards away and skips, `scorer` looks one stone ahead, `cautious` never ends
the match. Those that play to win, `quick` and `patient`, belong to the game (`insight`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from games.engine import runner
from games.engine.protocol import Options
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.insight import quick
from games.titles.shifting_stones.rules.notation import END, SKIP, Action, Flip
from games.titles.shifting_stones.rules.patterns import CELLS
from games.titles.shifting_stones.rules.state import State
from games.titles.shifting_stones.rules.view import View
from tests.unit.titles.recording import Leaves, played

Chooser: TypeAlias = Callable[[View], Action]
Plays: TypeAlias = list[runner.Play[State]]


def idler(_: View) -> Action:
    """End every turn at once."""
    return END


def waster(view: View) -> Action:
    """Throw every card away, skip when allowed."""
    if view.may_skip:
        return SKIP
    return Flip(view.hand[0], len(view.discards) % len(CELLS)) if view.hand else END


def scorer(view: View) -> Action:
    """Play as `quick`, looking no more than one stone ahead."""
    return quick(view, depth=1)


def cautious(goal: int) -> Chooser:
    """Return a chooser that plays as `scorer` until one card before the goal and then never scores again."""

    def choose(view: View) -> Action:
        mine = len(view.scored[view.mover])
        return END if mine >= goal - 1 else scorer(view)

    return choose


def play_match(name: str, choosers: Sequence[Chooser], options: Options | None = None, leaves: Leaves = ()) -> Plays:
    """Play a whole match, see `recording.played`."""
    return played(
        GAME, name, len(choosers), lambda state, seat: choosers[seat](GAME.view_for(state, seat)), options, leaves
    )
