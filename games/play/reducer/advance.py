"""The functions by which others call the reducer: each takes a snapshot of a match and returns the change."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from games.engine import runner
from games.engine.protocol import RuleViolation
from games.play.clocks import NOTHING
from games.play.models import AbortReason, Match, Seat, Speed
from games.play.reducer import actions, clockwork, positions
from games.play.reducer.actions import Request, Stale, bots_follow, leave, move_deadlines
from games.play.reducer.draft import Change, Draft, Snapshot
from games.play.reducer.results import abort
from games.play.signals import match_started

log = logging.getLogger(__name__)


GRACE = {Speed.LIVE: timedelta(minutes=1), Speed.DAYS: timedelta(hours=1)}
"""What every running clock has at least after an outage: people need time to find their way back."""


def time_out(draft: Draft) -> list[int]:
    """Take everybody whose time is up out of a match, in the order of their deadlines; return their seats.

    If not everybody has acted yet, a match of two is aborted instead. One of three or more goes on for those who came,
    and is aborted when nobody did.
    """
    late = _late(draft)
    if late and draft.before.unwatched_since is not None:
        _forgive(draft, draft.before.unwatched_since)
        late = _late(draft)
    people = [seat for seat in draft.seats if not seat.is_bot and not seat.has_left]
    goes_on = len(draft.seats) > 2 and any(seat not in late for seat in people)  # noqa: PLR2004  # of two, none is left
    if late and not goes_on and not all(seat.acted for seat in people):
        for seat in late:
            seat.timed_out = True
        abort(draft, AbortReason.NO_SHOW, late)
    for seat in late:
        if draft.match.is_running:
            leave(draft, seat.number, runner.TIMEOUT)
            bots_follow(draft)
    return [seat.number for seat in late]


def _late(draft: Draft) -> list[Seat]:
    """Return the seats whose time is up, the first deadline first."""
    late = [(seat.deadline, seat.number, seat) for seat in draft.seats if clockwork.overdue(seat, draft.now)]
    return [seat for _deadline, _number, seat in sorted(late)]


def _forgive(draft: Draft, since: datetime) -> None:
    vacations = draft.before.vacations
    running = [seat for seat in draft.seats if seat.deadline is not None and not clockwork.overdue(seat, since)]
    for seat in running:
        left = clockwork.left_of(seat, max(since, seat.running_since or since), vacations) or NOTHING
        seat.bank = max(left, GRACE[Speed(draft.match.speed)])
        seat.running_since = draft.now
        clockwork.set_deadline(seat, draft.now, vacations)
    if running:
        move_deadlines(draft, running)


def advance(before: Snapshot, request: Request, now: datetime) -> Change:
    """Return what a request does to a match, unless somebody's time is up: then that is all that happens.

    A timeout that a bug makes fail is left out, and a match that a bug keeps somebody from leaving is aborted: nobody
    may be locked into one.

    Args:
        before: the match.
        request: what a seat asks for.
        now: the moment that counts.

    Raises:
        RuleViolation: the rules, or the state of the match, refuse it; "out-of-time" without a timeout to store.
        Stale: the player saw an older version.
    """
    draft = Draft(before, now)
    try:
        late = time_out(draft)
    except Exception:
        log.exception("the timeout in match %s failed", before.match.slug)
        return despite_timeouts(before, request, now)
    return draft.change(late) if late else _asked(draft, request)


def _asked(draft: Draft, request: Request) -> Change:
    try:
        request.change(draft)
    except (RuleViolation, Stale):
        raise
    except Exception:
        if not request.leaves:
            raise
        log.exception("match %s is broken", draft.match.slug)
        return give_up(draft.before, draft.now)
    return draft.change()


def give_up(before: Snapshot, now: datetime) -> Change:
    """Return a match aborted because a bug keeps a player from leaving it."""
    log.error("match %s is aborted, as a player wants to leave it", before.match.slug)
    draft = Draft(before, now)
    abort(draft, AbortReason.FAULT)
    return draft.change()


def despite_timeouts(before: Snapshot, request: Request, now: datetime) -> Change:
    """Return what a request does to a match whose timeouts cannot be handled; raises as `advance`."""
    draft = Draft(before, now)
    if not request.leaves and clockwork.overdue(draft.seats[request.seat], draft.now):
        raise out_of_time()
    return _asked(draft, request)


def out_of_time() -> RuleViolation:
    """Return the refusal of a request by somebody whose time is up."""
    return RuleViolation("out-of-time", _("Your time was up before this arrived."))


def wait(before: Snapshot, now: datetime) -> Change | None:
    """Return what time alone does to a match: timeouts; None when nobody's time is up."""
    draft = Draft(before, now)
    late = time_out(draft)
    return draft.change(late) if late or draft.happened else None


def begin(before: Snapshot, now: datetime) -> Change:
    """Return a match that begins: dealt, with clocks that run. Its seats are numbered in the order of play."""
    draft = Draft(before, now)
    match = draft.match
    play = runner.begin(match.rules, match.seat_count, match.options, positions.seed_of(match, draft.seats))
    match.status, match.started_at = Match.Status.RUNNING, draft.now
    clockwork.wind_up(match, draft.seats)
    actions.set_position(draft, play)
    draft.tell(match_started, seats=draft.seats)
    return draft.change()


def forgive(before: Snapshot, since: datetime, now: datetime) -> Change:
    """Return a match whose clocks go on from now with what they had at a moment in the past, and with some grace.

    Idempotent. It does not help players whose time was up before that moment.
    """
    draft = Draft(before, now)
    _forgive(draft, since)
    return draft.change()


def recompute_deadlines(before: Snapshot, user_id: int, now: datetime) -> Change:
    """Return a match with somebody's deadlines computed again, after a vacation of theirs began or ended.

    A deadline that has passed stays.
    """
    draft = Draft(before, now)
    moved = []
    for seat in draft.seats:
        if seat.user_id == user_id and seat.deadline is not None and not clockwork.overdue(seat, draft.now):
            former = seat.deadline, seat.away_until
            clockwork.set_deadline(seat, draft.now, before.vacations)
            if former != (seat.deadline, seat.away_until):
                moved.append(seat)
    if moved:
        move_deadlines(draft, moved)
    return draft.change()
