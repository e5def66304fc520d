"""What a seat's clock shows. Nothing here depends on the present moment: what is rendered may be kept.

A running live clock shows what it had when it began to run, and the page counts down to `deadline`; a running day
clock shows its deadline on the reader's wall clock.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from accounts import moments
from games.play.clocks.wording import as_on_a_clock, span_in_words
from games.play.models import Match, Seat, Speed

LOW = 10
"""The clock warns when less than one part in this many of the starting time is left."""

_HOUR = timedelta(hours=1)


class Face(NamedTuple):
    """A clock as it is shown.

    Args:
        text: what is shown without a script, as text or as a `<time>` element.
        days: it is a day clock.
        deadline: when it will have run out, in milliseconds of the server's clock; None while it is stopped.
        low: it warns when this many milliseconds or fewer are left.
        moment: the deadline in the reader's zone, in full; empty while the clock is stopped.
        away: a `<time>` element with the end of the vacation that moved the deadline; empty without one.
    """

    text: str
    days: bool
    deadline: int | None
    low: int
    moment: str
    away: str = ""


def face_of(match: Match, seat: Seat) -> Face | None:
    """Return what a seat's clock shows, None without a clock."""
    if seat.bank is None or match.control is None or not match.is_running or seat.has_left:
        return None
    days = match.speed == Speed.DAYS
    low = match.control.start // LOW // timedelta(milliseconds=1)
    if seat.deadline is None:
        return Face(_span(seat.bank, days), days, None, low, "")
    if not days:
        return Face(_span(seat.bank, days), days, milliseconds(seat.deadline), low, "")
    text, full = moments.element(seat.deadline, "until"), moments.with_zone(seat.deadline)
    away = moments.element(seat.away_until, "deadline") if seat.away_until else ""
    return Face(text, days, milliseconds(seat.deadline), low, full, away)


def _span(span: timedelta, days: bool) -> str:
    return span_in_words(max(_HOUR, span - span % _HOUR)) if days else as_on_a_clock(span)


def milliseconds(moment: datetime) -> int:
    """Return a moment in milliseconds since 1970, as the page needs it."""
    return int(moment.timestamp() * 1000)
