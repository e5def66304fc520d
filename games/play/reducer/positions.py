"""The position of a match, read from its rows; who may take back what, and who may read what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from games.engine import fair, runner
from games.engine.codec import decode, decode_events
from games.engine.protocol import Event, Seat as SeatNumber, Viewer
from games.play.models import Action, Match, Seat
from games.titles import games

AnyPlay: TypeAlias = runner.Play[Any]

Past: TypeAlias = tuple[runner.Position[Any], ...]
"""Positions of a match, each before one of its newest actions, the latest first."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A state, and the events of the action that led to it (not yet filtered by viewer)."""

    number: int
    state: Any
    events: tuple[Event, ...]


def decode_state(match: Match) -> Any:
    """Return the current state of a match that has begun."""
    return _state(match.game, match.state)


@lru_cache(maxsize=1_000)
def _state(game: str, text: str) -> Any:
    """Return the state a text encodes: every push and the next action need it."""
    return decode(text, games()[game].state_type)


def position_of(match: Match, seats: Sequence[Seat]) -> runner.Position[Any]:
    """Return the current position as the runner needs it."""
    left = sorted((seat for seat in seats if seat.left is not None), key=lambda seat: seat.left or 0)
    leavers = tuple(SeatNumber(seat.number) for seat in left)
    return runner.Position(match.length, decode_state(match), leavers, match.turn or 0)


def seed_of(match: Match, seats: Sequence[Seat]) -> bytes:
    """Return the seed all chance of the match comes from."""
    return fair.final_seed(bytes(match.server_seed), nonces_of(seats))


def nonces_of(seats: Iterable[Seat]) -> list[bytes]:
    """Return what the players' browsers added, in the order that `fair.final_seed` needs.

    A seat that knows when its player sat down (`Seat.joined`) counts by that, any other by its number. Only matches
    whose seats were drawn know it: in all others, and in matches begun before seats were drawn, k is the seat.
    """
    ordered = sorted(seats, key=lambda seat: seat.number if seat.joined is None else seat.joined)
    return [bytes(seat.nonce) for seat in ordered]


TAIL = 24
"""How many of its newest actions are looked at for a board: enough to tell what all others did since one's own turn."""

NEWEST = TAIL + 8
"""How many a match is cached with: when some of them are taken back, none have to be loaded."""

LOGGED = 5
"""How many of them every push brings the log of; the rest of the log is one link away."""


def events_of(match: Match, text: str) -> tuple[Event, ...]:
    """Return the stored events of an action, for everybody."""
    return read_events(match.game, text) if text else ()


@lru_cache(maxsize=1_000)
def read_events(game: str, text: str) -> tuple[Event, ...]:
    """Return the events of a game a text encodes: the board and the log need them."""
    return decode_events(text, games()[game].event_types)


def legal_texts(match: Match, seat: int) -> list[str]:
    """Return every action this seat may take now, in the notation; none when it is not to move."""
    rules = match.rules
    return [rules.notate(action) for action in rules.legal_actions(decode_state(match), SeatNumber(seat))]


def undoable(match: Match, seat: int, actions: Iterable[Action]) -> Iterator[Action]:
    """Yield the latest actions this seat may take back, the latest first.

    Others' actions in a sealed turn that is still going on do not prevent this: nobody can have seen anything.

    Args:
        actions: those that count, the latest first.
    """
    for action in actions:
        if action.seat != seat and action.number > (match.turn or 0):
            continue
        if action.seat != seat or action.reveals or action.by_bot:
            return
        yield action


def is_settled(match: Match, action: Action) -> bool:
    """Return whether nobody can take back this action, the latest one, nor any before it."""
    return (action.reveals or action.by_bot) and action.number <= (match.turn or 0)


def may_be_read(match: Match, action: Action, viewer: Viewer) -> bool:
    """Return whether a viewer may know what the action was: sealed actions are secret until the game opens them."""
    return not action.seal or match.has_ended or action.number <= match.opened or action.seat == viewer
