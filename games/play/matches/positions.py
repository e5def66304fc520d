"""Positions of a match: the current one from the cache, every other by replaying its actions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from games.engine import fair, runner
from games.engine.codec import decode, decode_events
from games.engine.protocol import Event, Viewer
from games.engine.protocol import Seat as SeatNumber
from games.play.models import Action, Match, Seat
from games.titles import games

AnyPlay: TypeAlias = runner.Play[Any]


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


TAIL = 5
"""Actions whose log lines travel with every push; the rest of the log is one link away."""


KEPT = 24
"""How many of its newest actions a match is kept with: enough to tell what all others did since one's own turn."""


def tail(match: Match) -> tuple[Action, ...]:
    """Return the newest actions, at most `KEPT`, the latest first."""
    return tuple(standing_actions(match).order_by("-number")[:KEPT])


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


def standing_actions(match: Match) -> Any:
    """Return the actions that count, in order: those not taken back."""
    return Action.objects.filter(match=match, withdrawn=False).order_by("number")


def current(match: Match) -> Reached:
    """Return the current position of a match."""
    last = standing_actions(match).filter(number=match.length).first()
    events = events_of(match, last.events) if last else ()
    return Reached(match.length, decode_state(match), events)


def at(match: Match, seats: Sequence[Seat], number: int) -> Reached:
    """Return the position after this many actions.

    Raises:
        ValueError: the match has no such position.
    """
    if not 0 <= number <= match.length:
        raise ValueError(f"{match} has no position {number}")
    if number == match.length:
        return current(match)
    play = replay(match, seats, number)
    return Reached(number, play.position.state, play.events)


def replay(match: Match, seats: Sequence[Seat], number: int) -> AnyPlay:
    """Play a match again from its actions up to one of them."""
    return deque(plays(match, seats, number), maxlen=1).pop()


def plays(match: Match, seats: Sequence[Seat], last: int | None = None) -> Iterator[AnyPlay]:
    """Yield every position of a match from the start, up to the action `last` (None: all), by playing it again."""
    actions = standing_actions(match).values_list("seat", "text")
    if last is not None:
        actions = actions.filter(number__lte=last)
    pairs = ((SeatNumber(seat), text) for seat, text in actions)
    return runner.replay(match.rules, match.seat_count, match.options, seed_of(match, seats), pairs)


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


def may_be_read(match: Match, action: Action, viewer: Viewer) -> bool:
    """Say whether a viewer may know what the action was: sealed actions are secret until the game opens them."""
    return not action.seal or match.has_ended or action.number <= match.opened or action.seat == viewer
