"""Simple players for tests: each chooses a play from what its own seat sees, the same every time.

`eager` captures what it can, `peaceful` captures as little as it can, `any_play` plays anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, TypeAlias

from games.engine import runner
from games.engine.codec import encode
from games.engine.fair import final_seed
from games.engine.protocol import Options, Seat
from games.titles.card_chess import GAME
from games.titles.card_chess.insight import plays, strengths, strongest
from games.titles.card_chess.rules.deck import Play
from games.titles.card_chess.rules.state import State
from games.titles.card_chess.rules.view import View

Chooser: TypeAlias = Callable[[View], Play]
Plays: TypeAlias = list[runner.Play[State]]

NONCES = (b"ann", b"", b"cleo", b"dan")
"""What the browser of each seat adds to the chance of a match; one adds nothing."""


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


def server_seed(name: str) -> bytes:
    """Return the seed of a match that a test calls by this name."""
    return sha256(name.encode()).digest()


def seed_of(name: str, seats: int) -> bytes:
    """Return the final seed of a match that a test calls by this name."""
    return final_seed(server_seed(name), NONCES[:seats])


def play_match(name: str, choosers: Sequence[Chooser], options: Options | None = None) -> Plays:
    """Play a whole match and return its positions, the start first.

    Args:
        name: decides all chance, see `server_seed`; the players add NONCES.
        choosers: one per seat. Seats confirm in ascending order.
        options: those that differ from the default.
    """
    seats = len(choosers)
    seed = seed_of(name, seats)
    played: Plays = [runner.begin(GAME, seats, options or {}, seed)]
    while played[-1].outcome is None:
        played.append(next_play(played[-1], choosers, seed))
    return played


def next_play(before: runner.Play[State], choosers: Sequence[Chooser], seed: bytes) -> runner.Play[State]:
    """Let the first seat that has not confirmed do so."""
    seat = min(before.to_move)
    action: Any = choosers[seat](GAME.view_for(before.state, Seat(seat)))
    return runner.act(GAME, before.position, seat, action, seed)
