"""The store: locks a match, reads it, and writes what the reducer makes of it, all in one transaction."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import connection, transaction

from games.play import database, jobs, sql
from games.play.access import ViewedMatch
from games.play.clocks import Span
from games.play.live import pubsub
from games.play.models import Action, Match, Outage, Seat, Speed, Vacation, Watch
from games.play.records import standing_actions
from games.play.reducer import clockwork
from games.play.reducer.draft import Change, Snapshot
from games.play.reducer.positions import Past

# SQLite has one writer. Kept because with SQLite's own busy loop, which sleeps up to a tenth of a second, the 99th
# percentile of posted moves on four threads is twice as long in the row "stock" of the benchmark.
_sqlite_writer = threading.RLock()


@contextmanager
def writing() -> Iterator[None]:
    """Hold one transaction, on SQLite one at a time within this process.

    Raises:
        django.db.OperationalError: it took too long until others were done.
    """
    if connection.vendor != "sqlite":
        with transaction.atomic():
            yield
        return
    # Other threads of this process are waited for no longer than SQLite waits for other processes.
    if not _sqlite_writer.acquire(timeout=connection.settings_dict["OPTIONS"].get("timeout", 5)):
        raise database.locked()
    try:
        with transaction.atomic():
            yield
    finally:
        _sqlite_writer.release()


@dataclass(frozen=True, slots=True)
class Locked:
    """A match whose row is locked, with its seats by number; `newest` and `past` are as in `ViewedMatch`."""

    match: Match
    seats: list[Seat]
    newest: tuple[Action, ...] | None = None
    past: Past = ()


def lock(match_id: int, seen: ViewedMatch | None = None) -> Locked:
    """Lock a match for writing (inside `writing()`).

    Args:
        match_id: the match.
        seen: the match as it was loaded just before. Whatever changes a match raises its version, so when that is
            still the same nothing has to be loaded again.

    Raises:
        Match.DoesNotExist: there is no such match.
    """
    version = sql.locked_version(match_id)
    if seen is not None and seen.match.version == version:
        return Locked(seen.match, list(seen.seats), seen.newest, seen.past)
    match = Match.objects.get(pk=match_id)
    return Locked(match, list(Seat.objects.filter(match=match).select_related("user").order_by("number")))


def try_lock(match_id: int) -> bool:
    """Lock a match for writing unless somebody else has locked it; return whether that worked."""
    return bool(Match.objects.select_for_update(skip_locked=True).filter(pk=match_id).values_list("pk"))


WORKER = "worker"
"""The name of the row in which workers record that they are running."""

AHEAD = timedelta(seconds=5)
"""How far the clock of another machine may be ahead of ours. What it has recorded further in the future says nothing:
that clock has been put back since."""

OUTAGE = timedelta(seconds=30)
"""When no worker has run for longer, nobody is charged for that time."""


def snapshot(match_id: int, now: datetime) -> Snapshot:
    """Lock a match (inside `writing()`) and return it as it is.

    Raises:
        Match.DoesNotExist: there is no such match.
    """
    return snapshot_of(lock(match_id), now)


def snapshot_of(locked: Locked, now: datetime) -> Snapshot:
    """Return a locked match as it is."""
    seats = locked.seats
    late = any(clockwork.overdue(seat, now) for seat in seats)
    return Snapshot(
        match=locked.match,
        seats=tuple(seats),
        newest=locked.newest,
        past=locked.past,
        vacations=vacations_of(locked.match, seats, now),
        unwatched_since=_unforgiven(seats, now) if late else None,
    )


def with_actions(before: Snapshot) -> Snapshot:
    """Return a snapshot with all actions of its match."""
    return replace(before, actions=tuple(standing_actions(before.match)))


def before_undo(before: Snapshot, seat: int, now: datetime) -> Snapshot:
    """Return a snapshot with what is to be known when a seat takes something back, of its clock and its seals."""
    mine = before.seats[seat]
    if mine.bank is not None and mine.running_since is None:  # its clock is put back
        before = replace(before, outages=_outages_of(before.match, now))
    if before.newest is None or any(action.seal for action in before.newest):
        sealed = Action.objects.filter(match=before.match, seat=seat, withdrawn=True).exclude(seal="")
        before = replace(before, seals_taken_back=sealed.filter(number__gt=before.match.turn or 0).count())
    return before


def _outages_of(match: Match, now: datetime) -> tuple[Span, ...]:
    """Return the outages since a match began, in the order of time; one that is not over lasts until now."""
    over = Outage.objects.filter(end__gt=match.started_at or now).order_by("begin").values_list("begin", "end")
    begun = unwatched_since(now)
    return (*over, (begun, now)) if begun is not None else tuple(over)


def unwatched_since(now: datetime) -> datetime | None:
    """Return since when no worker has been seen; None if one was seen just now, or never."""
    seen = Watch.objects.filter(name=WORKER).values_list("seen_at", flat=True).first()
    return seen if seen is not None and now - seen > OUTAGE else None


def _unforgiven(seats: Iterable[Seat], now: datetime) -> datetime | None:
    """Return since when the clocks of these seats, one of which is late, have not been watched; None if they were.

    An outage may be over before the clocks of all matches have been set right.
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


UNDONE_KEPT = 50
"""How many actions taken back are kept per match, to recognise repeated requests; seals stay."""


def save_change(change: Change) -> None:
    """Store a change of a locked match: each row once, and in it only what differs.

    Higher levels hear of it inside the transaction; open pages and the worker once it is committed.
    """
    seats = zip(change.before.seats, change.seats, strict=True)
    for old, new in [(change.before.match, change.match), *seats]:
        if names := sql.differing(old, new):
            sql.update(new, *names)
    for action in change.taken_back:  # before all others, since numbers that count are unique
        sql.update(action, "withdrawn")
    for action in change.renumbered:
        sql.update(action, "number")
    for action in change.added:
        sql.insert(action)
    if change.taken_back:
        sql.delete_old_withdrawn(change.match.pk, UNDONE_KEPT)
    for happened in change.happened:
        happened.signal.send(Match, match=change.match, **happened.about)
    _announce(change)


def _announce(change: Change) -> None:
    seats = list(zip(change.before.seats, change.seats, strict=True))
    pubsub.waiting_changed(new.user_id for old, new in seats if old.to_move != new.to_move)
    for old, new in seats:
        if new.deadline is not None and new.deadline != old.deadline:
            jobs.wake_for(new.deadline)
    if change.match.version != change.before.match.version:
        pubsub.match_changed(change.match.slug, change.match.version)
