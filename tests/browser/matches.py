"""Matches as people play them: greedy players, each choosing from what their own seat sees."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from accounts.models import User
from games.engine.protocol import Seat
from games.play.models import Match
from games.play.reducer import positions
from games.titles.shifting_stones import GAME
from tests.browser.planning import Seen, choose
from tests.people import as_stored, go_on, running_match

SEED = bytes(31) + b"\x01"

_seeds = count(2)


def next_action(match: Match) -> tuple[int, str]:
    """Return the seat to move and what it will do."""
    state = positions.decode_state(match)
    view = GAME.view_for(state, Seat(state.mover))
    return state.mover, choose(Seen(view.grid, view.hand, view.may_skip))


def play_on(match: Match, most: int = 500) -> Match:
    """Play this many more actions, or fewer if the match ends first."""
    seen = as_stored(match)
    for _ in range(most):
        if not seen.match.is_running:
            break
        seen = go_on(seen, *next_action(seen.match))
    match.refresh_from_db()
    return match


def play_until_turn_of(match: Match, seat: int) -> Match:
    """Play on until this seat is to move."""
    while not match.seats.get(number=seat).to_move:
        play_on(match, 1)
    return match


def begun(users: Sequence[User], actions: int = 0, seed: bytes = SEED, **fields: object) -> Match:
    """Return a running match in which this many actions have been played."""
    return play_on(running_match(users, seed=seed, **fields), actions)


def finished(users: Sequence[User], **fields: object) -> Match:
    """Return a match played to its end, a different one each time."""
    return begun(users, 500, next(_seeds).to_bytes(32, "big"), **fields)
