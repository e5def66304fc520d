"""What time does to matches: timeouts, outages, and vacations.

Workers record that they are running in a thread of its own (`beating`), so that however busy one is, it does not count
as stopped. If none has run for longer than `store.OUTAGE`, every clock goes on from now with what it had then
(`reducer.advance.forgive`), some matches in each pass; until then whoever is late in a match is forgiven on the spot
(`store.snapshot_of`). Outages are kept, since a clock that stood still meanwhile may be put back to an earlier moment
(`clockwork.take_back`).

A vacation stops somebody's day clocks. Each calendar year has a budget of whole days, begun ones included, charged to
the year in which a vacation starts by the clock of whoever takes it; that year stays when they change their time zone.
In matches that exclude vacations clocks run on.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial

from django.db import Error, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.moments import zone
from accounts.sanctions import refusal_to_play
from games.engine.protocol import RuleViolation
from games.play import jobs
from games.play.clocks import VACATION_DAYS
from games.play.live.workers import result_of
from games.play.models import Match, Outage, Seat, Setback, Speed, Vacation, Watch
from games.play.reducer.advance import forgive, recompute_deadlines, wait
from games.play.reducer.draft import Change
from games.play.signals import vacation_began
from games.play.store import AHEAD, OUTAGE, WORKER, Locked, lock, save_change, snapshot, snapshot_of, try_lock, writing

log = logging.getLogger(__name__)

BEAT = timedelta(seconds=10)

SILENCE = 3 * BEAT
"""A worker that was not seen for longer is not running."""

FORGIVEN_AT_ONCE = 100
"""How many matches are forgiven before other jobs have their turn."""

AGAIN = 1.0
"""Seconds until a heartbeat that could not be recorded is tried again."""


@contextmanager
def beating() -> Iterator[None]:
    """Record every `BEAT` that a worker is running in this process, until the end of the block."""
    ended = threading.Event()
    thread = threading.Thread(target=_beat_until, args=(ended,), name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(AGAIN)


def _beat_until(ended: threading.Event) -> None:
    pause = 0.0
    while not ended.wait(pause):
        pause = BEAT.total_seconds()
        try:
            beat(timezone.now())
        except Error as error:
            log.warning("the heartbeat waits for the database: %s", error)
            connection.close()
            pause = AGAIN
    connection.close()


def beat(now: datetime) -> int:
    """Record that a worker is running, unless that was done just now, and the outage that ends with that.

    Returns 1 if it was recorded. A moment in the future, by a clock that has been put back since, is corrected.
    """
    seen = worker_seen()
    if seen is not None and -AHEAD <= now - seen < BEAT:
        return 0
    with transaction.atomic():
        watch, made = Watch.objects.select_for_update().get_or_create(name=WORKER, defaults={"seen_at": now})
        if not made and now - watch.seen_at > OUTAGE:
            Outage.objects.update_or_create(begin=watch.seen_at, defaults={"end": now, "pending": True})
        Watch.objects.filter(pk=watch.pk).update(seen_at=now)
    return 1


class Watching:
    """The job that forgives the time during which no worker was running."""

    name = "watching"

    def __init__(self) -> None:
        self._has_more = False

    def run_due(self, now: datetime) -> int:
        recorded = beat(now)
        pending = Outage.objects.filter(pending=True).order_by("begin").first()
        forgiven = 0 if pending is None else _forgive_some(pending)
        self._has_more = forgiven == FORGIVEN_AT_ONCE
        return recorded + forgiven

    def next_due(self) -> datetime | None:
        """Return now while there is more to forgive; what `beating` records is no work."""
        return timezone.now() if self._has_more else None


def worker_seen() -> datetime | None:
    """Return when a worker last recorded that it is running; None if none ever did."""
    return Watch.objects.filter(name=WORKER).values_list("seen_at", flat=True).first()


def is_watched(now: datetime) -> bool:
    """Return whether a worker is running, as far as one can tell; one seen in the future tells nothing."""
    seen = worker_seen()
    return seen is not None and -AHEAD <= now - seen <= SILENCE


def _forgive_some(outage: Outage) -> int:
    """Let the clocks of some matches go on after an outage, except where they do; return how many matches."""
    stood = Seat.objects.filter(deadline__gt=outage.begin, running_since__lt=outage.end)
    running = stood.exclude(match__in=jobs.waiting(Watching.name, timezone.now())).order_by("match")
    found = dict(running.values_list("match", "match__slug").distinct()[:FORGIVEN_AT_ONCE])
    for match_id, slug in found.items():
        jobs.attempt(Watching.name, match_id, partial(result_of, slug, partial(_forgive_match, match_id, outage.begin)))
    tried_again = Setback.objects.filter(job=Watching.name, not_before__isnull=False)
    if len(found) < FORGIVEN_AT_ONCE and not tried_again.exists():
        Outage.objects.filter(pk=outage.pk).update(pending=False)
    return len(found)


def _forgive_match(match_id: int, since: datetime) -> bool:
    with writing():
        now = timezone.now()
        save_change(forgive(snapshot(match_id, now), since, now))
    return True


jobs.register(Watching())


MOST_AT_ONCE = 200
"""How many seats are handled in one go."""


def expire(match_id: int) -> bool:
    """Take everybody whose time is up out of a match; return whether there was anybody.

    A locked match is left alone: whoever writes to it handles its timeouts first.
    """
    with writing():
        if not try_lock(match_id):
            return False
        now = timezone.now()
        change = wait(snapshot(match_id, now), now)
        if change is not None:
            save_change(change)
        return change is not None and bool(change.late)


class Timeouts:
    """The job of handling timeouts."""

    name = "timeouts"

    def run_due(self, now: datetime) -> int:
        due = _deadlines(now).filter(deadline__lte=now).values_list("match", "match__slug")[:MOST_AT_ONCE]
        slugs = dict(due)
        return jobs.attempt_each(self.name, slugs, lambda key: result_of(slugs[key], partial(expire, key)))

    def next_due(self) -> datetime | None:
        return _deadlines(timezone.now()).values_list("deadline", flat=True).first()


def _deadlines(now: datetime) -> QuerySet[Seat]:
    """Return the seats whose clocks run, the first deadline first, except in matches that are set back."""
    waiting = jobs.waiting(Timeouts.name, now)
    return Seat.objects.filter(deadline__isnull=False).exclude(match__in=waiting).order_by("deadline")


jobs.register(Timeouts())


_DAY = timedelta(days=1)


def current_vacation(user: User) -> Vacation | None:
    """Return the vacation this person is on, if any."""
    now = timezone.now()
    return Vacation.objects.filter(user=user, begin__lte=now, end__gt=now).first()


def vacation_days_left(user: User) -> int:
    """Return how many days of vacation this person has left this year (of their time zone)."""
    charged = Vacation.objects.filter(user=user, year=_year(user))
    days = (max(1, -((vacation.begin - vacation.end) // _DAY)) for vacation in charged)  # a day that has begun is whole
    return max(0, VACATION_DAYS - sum(days))


def _year(user: User) -> int:
    return timezone.now().astimezone(zone(user.time_zone)).year


def matches_without_vacations(user: User) -> QuerySet[Match]:
    """Return the matches over days this person plays whose clocks run on during a vacation."""
    days = Match.objects.of(user).filter(status=Match.Status.RUNNING, speed=Speed.DAYS, excludes_vacations=True)
    return days.exclude(clock="").exclude(seats__in=Seat.objects.filter(user=user, left__isnull=False)).order_by("pk")


def start_vacation(user: User, days: int) -> None:
    """Start a vacation now: all day clocks of this person are stopped until it ends.

    Raises:
        RuleViolation: "suspended", "on-vacation" already, or "vacation-budget": more days than are left, or not even
            one.
    """
    with writing():
        _lock_person(user)
        if refusal := refusal_to_play(user):
            raise RuleViolation("suspended", refusal)
        if current_vacation(user) is not None:
            raise RuleViolation("on-vacation", _("You are already on vacation."))
        if not 1 <= days <= vacation_days_left(user):
            raise RuleViolation("vacation-budget", _("You do not have that many vacation days left this year."))
        now = timezone.now()
        matches = _lock_matches(user)
        Vacation.objects.create(user=user, begin=now, end=now + days * _DAY, year=_year(user))
        for change in _move_deadlines(user, matches):
            away = next(seat for seat in change.seats if seat.user_id == user.pk)
            vacation_began.send(Match, match=change.match, seats=change.seats, away=away)


def end_vacation(user: User) -> None:
    """End a vacation now; days that have not begun are returned to the budget.

    Raises:
        RuleViolation: "not-on-vacation".
    """
    with writing():
        _lock_person(user)
        vacation = current_vacation(user)
        if vacation is None:
            raise RuleViolation("not-on-vacation", _("You are not on vacation."))
        vacation.end = timezone.now()
        matches = _lock_matches(user)
        vacation.save(update_fields=["end"])
        _move_deadlines(user, matches)


def _lock_person(user: User) -> None:
    User.objects.select_for_update(no_key=True).get(pk=user.pk)


def _lock_matches(user: User) -> list[Locked]:
    """Lock every running match over days that this person plays and that knows vacations."""
    running = Match.objects.of(user).filter(status=Match.Status.RUNNING, speed=Speed.DAYS, excludes_vacations=False)
    return [lock(match_id) for match_id in running.order_by("pk").values_list("pk", flat=True)]


def _move_deadlines(user: User, matches: Iterable[Locked]) -> list[Change]:
    """Compute this person's deadlines again; return the changes of the matches in which one moved."""
    now = timezone.now()
    changes = [recompute_deadlines(snapshot_of(locked, now), user.pk, now) for locked in matches]
    moved = [change for change in changes if change.happened]
    for change in moved:
        save_change(change)
    return moved
