"""Locked matches as `games.play.course` takes them: with everything that can bear on what happens next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from games.play.clocks.arithmetic import Span
from games.play.course import clockwork
from games.play.course.draft import Snapshot
from games.play.matches import actions
from games.play.matches.locking import Locked, lock
from games.play.models import Action, Match, Outage, Seat, Speed, Vacation, Watch

WORKER = "worker"
"""The name under which workers note that they are running."""

AHEAD = timedelta(seconds=5)
"""How far the clock of another machine may be ahead of ours: what was noted later than that was noted by a clock that
has been put back since, and says nothing."""

OUTAGE = timedelta(seconds=30)
"""When no worker has run for longer, nobody is charged for that time."""


def snapshot(match_id: int, now: datetime) -> Snapshot:
    """Lock a match (inside `writing()`) and return it as it is.

    Raises:
        Match.DoesNotExist: there is no such match.
    """
    return of_locked(lock(match_id), now)


def of_locked(locked: Locked, now: datetime) -> Snapshot:
    """Return a locked match as it is."""
    seats = locked.seats
    late = any(clockwork.overdue(seat, now) for seat in seats)
    return Snapshot(
        match=locked.match,
        seats=tuple(seats),
        tail=locked.tail,
        vacations=vacations_of(locked.match, seats, now),
        unwatched_since=_unforgiven(seats, now) if late else None,
    )


def with_actions(before: Snapshot, seat: int, now: datetime) -> Snapshot:
    """Return a snapshot with what a seat needs to take something back."""
    sealed = Action.objects.filter(match=before.match, seat=seat, withdrawn=True).exclude(seal="")
    return replace(
        before,
        actions=tuple(actions.standing_actions(before.match)),
        seals_taken_back=sealed.filter(number__gt=before.match.turn or 0).count(),
        outages=_outages(before.match.started_at or now, now),
    )


def _outages(since: datetime, now: datetime) -> tuple[Span, ...]:
    """Return when no worker was running, in the order of time, with the outage that still goes on."""
    over = Outage.objects.filter(end__gt=since).order_by("begin").values_list("begin", "end")
    begun = unwatched_since(now)
    return (*over, *([(begun, now)] if begun is not None else ()))


def unwatched_since(now: datetime) -> datetime | None:
    """Return since when no worker has been seen; None if one was seen just now, or never."""
    seen = Watch.objects.filter(name=WORKER).values_list("seen_at", flat=True).first()
    return seen if seen is not None and now - seen > OUTAGE else None


def _unforgiven(seats: Iterable[Seat], now: datetime) -> datetime | None:
    """Return since when the clocks of these seats, one of which is late, have not been watched; None if they were.

    An outage may be over without their match having been told so far.
    """
    since = min((seat.running_since for seat in seats if seat.running_since is not None), default=now)
    pending = Outage.objects.filter(pending=True, end__gt=since).order_by("begin").values_list("begin", flat=True)
    return pending.first() or unwatched_since(now)


def vacations_of(match: Match, seats: Iterable[Seat], now: datetime) -> dict[int, Sequence[Span]]:
    """Return the vacations that can stop the clocks of a match over days, by person, in the order of time."""
    if match.speed != Speed.DAYS or match.excludes_vacations:
        return {}
    people = {seat.user_id: min(seat.running_since or now, now) for seat in seats if seat.user_id is not None}
    since = min(people.values(), default=now)
    spans: dict[int, list[Span]] = defaultdict(list)
    rows = Vacation.objects.filter(user__in=people, end__gt=since).order_by("begin")
    for user_id, begin, end in rows.values_list("user", "begin", "end"):
        spans[user_id].append((begin, end))
    return dict(spans)
