"""The stored actions of a match, and the positions they lead to: the current one is cached, others are replayed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from games.engine import runner
from games.engine.protocol import Seat as SeatNumber
from games.play.course.positions import KEPT, AnyPlay, Reached, decode_state, events_of, seed_of
from games.play.models import Action, Match, Seat


def tail(match: Match) -> tuple[Action, ...]:
    """Return the newest actions, at most `KEPT`, the latest first."""
    return tuple(standing_actions(match).order_by("-number")[:KEPT])


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
