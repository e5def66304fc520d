"""Simple players for tests: each chooses a play from what its own seat sees, the same every time.

`eager` captures what it can, `peaceful` captures as little as it can, `any_play` plays anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TypeAlias

from games.engine import runner
from games.engine.codec import encode
from games.engine.protocol import Options
from games.titles.card_chess import GAME
from games.titles.card_chess.insight import plays, strengths, strongest
from games.titles.card_chess.rules.deck import Play
from games.titles.card_chess.rules.state import State
from games.titles.card_chess.rules.view import View
from tests.unit.titles.recording import Leaves, played

Chooser: TypeAlias = Callable[[View], Play]
Plays: TypeAlias = list[runner.Play[State]]


def eager(view: View) -> Play:
    """Capture at as many places as possible, with cards as strong as possible."""
    return strongest(view)[0]


def peaceful(view: View) -> Play:
    """Play as few cards as possible that could capture, and those as weak as possible."""
    return min(plays(view), key=lambda play: strengths(view, play))


def any_play(view: View) -> Play:
    """Play anything, decided by all that this seat sees."""
    found = plays(view)
    return found[int(sha256(encode(view).encode()).hexdigest(), 16) % len(found)]


def peaceful_in_deciders(view: View) -> Play:
    """Play anything, but avoid capturing in deciding challenges."""
    return peaceful(view) if view.is_decider else any_play(view)


def play_match(name: str, choosers: Sequence[Chooser], options: Options | None = None, leaves: Leaves = ()) -> Plays:
    """Play a whole match, see `recording.played`; seats confirm in ascending order."""
    return played(
        GAME, name, len(choosers), lambda state, seat: choosers[seat](GAME.view_for(state, seat)), options, leaves
    )
