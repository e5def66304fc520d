"""Whether the clock of an event lets a round end in time, and what would.

A round ends at the latest after all the time its players can have together, and nights hold the clock::

    seats × (start + turns × increment) × 24/14 ≤ round

with how many turns a seat has in a match, as its title says (`Title.insight.turns_of_a_seat`). Vacations hold no clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Final

_MINUTE: Final = timedelta(minutes=1)
_HOUR: Final = timedelta(hours=1)
_ZERO: Final = timedelta(0)


@dataclass(frozen=True, slots=True)
class Clock:
    """What every seat has for its match: `start`, and `increment` more for each of its turns."""

    start: timedelta
    increment: timedelta


def longest(seats: int, turns: int, clock: Clock, *, nights: bool) -> timedelta:
    """Return how long a match can take.

    Args:
        seats: of the match.
        turns: of a seat in a match.
        clock: of each seat.
        nights: whether it stands still for ten hours a day.

    >>> longest(2, 20, Clock(timedelta(days=1), timedelta(hours=1.2)), nights=True)
    datetime.timedelta(days=6, seconds=74057, microseconds=142857)
    """
    whole = seats * (clock.start + turns * clock.increment)
    return whole * 24 / 14 if nights else whole


def fits(seats: int, turns: int, clock: Clock, round_: timedelta, *, nights: bool) -> bool:
    """Return whether every match is over when its round is; arguments as for `longest`."""
    return longest(seats, turns, clock, nights=nights) <= round_


@dataclass(frozen=True, slots=True)
class Fitting:
    """What would fit, each if all else stays.

    Args:
        start: the longest, in whole minutes; None if the increments alone take too long.
        increment: the longest, in whole seconds; None if the start alone takes too long.
        round: the shortest, in whole hours.
    """

    start: timedelta | None
    increment: timedelta | None
    round: timedelta


def fitting(seats: int, turns: int, clock: Clock, round_: timedelta, *, nights: bool) -> Fitting:
    """Return what would fit instead of a clock and a round that do not; arguments as for `longest`.

    >>> fitting(2, 20, Clock(timedelta(days=3), timedelta(hours=12)), timedelta(days=14), nights=True)
    Fitting(start=None, increment=datetime.timedelta(seconds=4680), round=datetime.timedelta(days=44, seconds=50400))
    """
    each = (round_ * 14 / 24 if nights else round_) / seats
    start, increment = each - turns * clock.increment, (each - clock.start) / turns
    return Fitting(
        start=start // _MINUTE * _MINUTE if start > _ZERO else None,
        increment=timedelta(seconds=increment // timedelta(seconds=1)) if increment >= _ZERO else None,
        round=ceil(longest(seats, turns, clock, nights=nights) / _HOUR) * _HOUR,
    )
