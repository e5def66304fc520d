"""Vacations: days when somebody's day clocks are stopped. Each calendar year has a budget of them.

A vacation is charged in whole days, begun ones included, to the year in which it starts.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.zones import zone
from games.engine.protocol import RuleViolation
from games.play.matches import clockwork, statements
from games.play.matches.locking import Locked, lock
from games.play.matches.recording import changed
from games.play.matches.transactions import writing
from games.play.models import Match, Seat, Speed, Vacation
from games.play.signals import deadlines_moved, vacation_began

BUDGET = 30
"""Days in a calendar year."""

_DAY = timedelta(days=1)


def current(user: User) -> Vacation | None:
    """Return the vacation this person is on, if any."""
    now = timezone.now()
    return Vacation.objects.filter(user=user, begin__lte=now, end__gt=now).first()


def days_left(user: User) -> int:
    """Return how many days of vacation this person has left this year (of their time zone)."""
    year = timezone.now().astimezone(zone(user.time_zone)).year
    begun = Vacation.objects.filter(user=user, begin__gte=datetime(year, 1, 1, tzinfo=zone(user.time_zone)))
    return max(0, BUDGET - sum(_days(vacation) for vacation in begun))


def _days(vacation: Vacation) -> int:
    """Return the length of a vacation in days; one that has begun is a whole one."""
    return max(1, -((vacation.begin - vacation.end) // _DAY))


def start(user: User, days: int) -> None:
    """Start a vacation now: all day clocks of this person are stopped until it ends.

    Raises:
        RuleViolation: "on-vacation" already, or "vacation-budget": more days than are left, or not even one.
    """
    with writing():
        _lock(user)
        if current(user) is not None:
            raise RuleViolation("on-vacation", _("You are already on vacation."))
        if not 1 <= days <= days_left(user):
            raise RuleViolation("vacation-budget", _("You do not have that many vacation days left this year."))
        now = timezone.now()
        moved = _with_day_clocks(user, lambda: Vacation.objects.create(user=user, begin=now, end=now + days * _DAY))
        for locked, seat in moved:
            vacation_began.send(Match, match=locked.match, seats=locked.seats, away=seat)


def end(user: User) -> None:
    """End a vacation now; days that have not begun are returned to the budget.

    Raises:
        RuleViolation: "not-on-vacation".
    """
    with writing():
        _lock(user)
        vacation = current(user)
        if vacation is None:
            raise RuleViolation("not-on-vacation", _("You are not on vacation."))
        vacation.end = timezone.now()
        _with_day_clocks(user, lambda: vacation.save(update_fields=["end"]))


def _lock(user: User) -> None:
    User.objects.select_for_update(no_key=True).get(pk=user.pk)


def _with_day_clocks(user: User, change: Callable[[], object]) -> list[tuple[Locked, Seat]]:
    """Lock every match over days this person plays, make a change, and compute their deadlines again.

    Returns the matches in which a deadline moved, each with this person's seat.
    """
    running = Match.objects.of(user).filter(status=Match.Status.RUNNING, speed=Speed.DAYS).order_by("pk")
    matches = [lock(match_id) for match_id in running.values_list("pk", flat=True)]
    change()
    seats = [(locked, seat) for locked in matches for seat in locked.seats if seat.user_id == user.pk]
    return [(locked, seat) for locked, seat in seats if _reckon(locked, seat)]


def _reckon(locked: Locked, seat: Seat) -> bool:
    """Compute a deadline again, unless the time is already up; return whether there is one."""
    if seat.deadline is None or clockwork.overdue(seat, locked.now):
        return False
    clockwork.set_deadline(seat, locked.now)
    statements.update(seat, "deadline", "away_until")
    deadlines_moved.send(Match, match=locked.match, seats=[seat])
    changed(locked.match)
    return True
