"""Simple players for tests: each chooses an action from what its own seat sees, the same every time.

`idler` never does anything, `waster` throws cards away and skips, `cautious` never ends the match. Those that play to
win, `scorer`, `quick` and `patient`, belong to the game (`insight`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TypeAlias

from games.engine import runner
from games.engine.fair import final_seed
from games.engine.protocol import Seat
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.insight import scorer
from games.titles.shifting_stones.rules.notation import END, SKIP, Action, Flip
from games.titles.shifting_stones.rules.patterns import CELLS
from games.titles.shifting_stones.rules.state import State
from games.titles.shifting_stones.rules.view import View

Chooser: TypeAlias = Callable[[View], Action]
Plays: TypeAlias = list[runner.Play[State]]

NONCES = (b"ann", b"", b"cleo", b"dan", b"eve")
"""What the browser of each seat adds to the chance of a match; one adds nothing."""


def idler(_: View) -> Action:
    """End every turn at once."""
    return END


def waster(view: View) -> Action:
    """Throw every card away, skip when allowed."""
    if view.may_skip:
        return SKIP
    return Flip(view.hand[0], len(view.discards) % len(CELLS)) if view.hand else END


def cautious(goal: int) -> Chooser:
    """Return a chooser that plays as `scorer` until one card before the goal and then never scores again."""

    def choose(view: View) -> Action:
        mine = len(view.scored[view.mover])
        return END if mine >= goal - 1 else scorer(view)

    return choose


def server_seed(name: str) -> bytes:
    """Return the seed of a match that a test calls by this name."""
    return sha256(name.encode()).digest()


def play_match(seats: int, name: str, choosers: Sequence[Chooser]) -> Plays:
    """Play a whole match and return its positions, the start first.

    Args:
        seats: how many play.
        name: decides all chance, see `server_seed`; the players add NONCES.
        choosers: one per seat, or one for all.
    """
    seed = final_seed(server_seed(name), NONCES[:seats])
    plays: Plays = [runner.begin(GAME, seats, {}, seed)]
    while plays[-1].outcome is None:
        plays.append(_next(plays[-1], choosers, seed))
    return plays


def _next(before: runner.Play[State], choosers: Sequence[Chooser], seed: bytes) -> runner.Play[State]:
    seat = Seat(before.state.mover)
    choose = choosers[seat % len(choosers)]
    action = choose(GAME.view_for(before.state, seat))
    return runner.act(GAME, before.position, seat, action, seed)
