"""Players whose time is up leave their match; time during which no worker ran is forgiven first."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.engine import runner
from games.engine.protocol import Seat as SeatNumber
from games.play.clocks import arithmetic
from games.play.course import clockwork
from games.play.course.draft import Draft
from games.play.course.leaving import bots_follow
from games.play.course.recording import abort, leave, move_deadlines
from games.play.models import AbortReason, Seat, Speed

GRACE = {Speed.LIVE: timedelta(minutes=1), Speed.DAYS: timedelta(hours=1)}
"""What every running clock has at least after an outage: people need time to find their way back."""


def time_out(draft: Draft) -> list[int]:
    """Take everybody whose time is up out of a match, in the order of their deadlines; return their seats.

    If not everybody has acted yet, a match of two is aborted instead. One of three or more goes on for those who came,
    and is aborted when nobody did.
    """
    late = _late(draft)
    if late and draft.before.unwatched_since is not None:
        forgive(draft, draft.before.unwatched_since)
        late = _late(draft)
    acted = all(seat.acted or seat.has_left or seat.is_bot for seat in draft.seats)
    if late and not acted and not _goes_on(draft, late):
        _abort(draft, late)
    for seat in late:
        if draft.match.is_running:
            leave(draft, runner.leave(draft.match.rules, draft.position, SeatNumber(seat.number), runner.TIMEOUT))
            bots_follow(draft)
    return [seat.number for seat in late]


def _goes_on(draft: Draft, late: list[Seat]) -> bool:
    """Return whether a match goes on without those who did not come."""
    return len(draft.seats) > 2 and any(  # noqa: PLR2004  # of two, nobody would be left to play against
        not seat.is_bot and not seat.has_left and seat not in late for seat in draft.seats
    )


def _abort(draft: Draft, late: list[Seat]) -> None:
    """End a match without a result, and record whose time was up."""
    for seat in late:
        seat.timed_out = True
    abort(draft, AbortReason.NO_SHOW, late)


def _late(draft: Draft) -> list[Seat]:
    """Return the seats whose time is up, the first deadline first."""
    late = [(seat.deadline, seat.number, seat) for seat in draft.seats if clockwork.overdue(seat, draft.now)]
    return [seat for _deadline, _number, seat in sorted(late)]


def forgive(draft: Draft, since: datetime) -> None:
    """Let the clocks of a match go on from now with what they had at a moment in the past, and with some grace.

    Idempotent. It does not help players whose time was up before that moment.
    """
    vacations = draft.before.vacations
    running = [seat for seat in draft.seats if seat.deadline is not None and not clockwork.overdue(seat, since)]
    for seat in running:
        left = clockwork.left_of(seat, max(since, seat.running_since or since), vacations) or arithmetic.NOTHING
        seat.bank = max(left, GRACE[Speed(draft.match.speed)])
        seat.running_since = draft.now
        clockwork.set_deadline(seat, draft.now, vacations)
    if running:
        move_deadlines(draft, running)


def reckon(draft: Draft, user_id: int) -> None:
    """Compute somebody's deadlines again after a vacation began or ended, unless their time is already up."""
    seats = [seat for seat in draft.seats if seat.user_id == user_id and seat.deadline is not None]
    until = {seat.number: (seat.deadline, seat.away_until) for seat in seats}
    for seat in seats:
        if not clockwork.overdue(seat, draft.now):
            clockwork.set_deadline(seat, draft.now, draft.before.vacations)
    moved = [seat for seat in seats if until[seat.number] != (seat.deadline, seat.away_until)]
    if moved:
        move_deadlines(draft, moved)
