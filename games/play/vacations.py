"""Vacations: days when somebody's day clocks are stopped. Each calendar year has a budget of them.

A vacation is charged in whole days, begun ones included, to the year in which it starts, by the clock of whoever takes
it; that year stays when they change their time zone. In matches that exclude vacations clocks run on.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.moments import zone
from accounts.sanctions import refusal_to_play
from games.engine.protocol import RuleViolation
from games.play.clocks import VACATION_DAYS
from games.play.models import Match, Seat, Speed, Vacation
from games.play.reducer.advance import reckon
from games.play.reducer.draft import Change
from games.play.signals import vacation_began
from games.play.store import lock, save_change, snapshot_of, writing

BUDGET = VACATION_DAYS
"""Days in a calendar year."""

_DAY = timedelta(days=1)


def current(user: User) -> Vacation | None:
    """Return the vacation this person is on, if any."""
    now = timezone.now()
    return Vacation.objects.filter(user=user, begin__lte=now, end__gt=now).first()


def days_left(user: User) -> int:
    """Return how many days of vacation this person has left this year (of their time zone)."""
    charged = Vacation.objects.filter(user=user, year=_year(user))
    return max(0, BUDGET - sum(_days(vacation) for vacation in charged))


def _year(user: User) -> int:
    return timezone.now().astimezone(zone(user.time_zone)).year


def running_on(user: User) -> QuerySet[Match]:
    """Return the matches over days this person plays whose clocks run on during a vacation."""
    days = Match.objects.of(user).filter(status=Match.Status.RUNNING, speed=Speed.DAYS, excludes_vacations=True)
    return days.exclude(clock="").exclude(seats__in=Seat.objects.filter(user=user, left__isnull=False)).order_by("pk")


def _days(vacation: Vacation) -> int:
    """Return the length of a vacation in days; one that has begun is a whole one."""
    return max(1, -((vacation.begin - vacation.end) // _DAY))


def start(user: User, days: int) -> None:
    """Start a vacation now: all day clocks of this person are stopped until it ends.

    Raises:
        RuleViolation: "suspended", "on-vacation" already, or "vacation-budget": more days than are left, or not even
            one.
    """
    with writing():
        _lock(user)
        if refusal := refusal_to_play(user):
            raise RuleViolation("suspended", refusal)
        if current(user) is not None:
            raise RuleViolation("on-vacation", _("You are already on vacation."))
        if not 1 <= days <= days_left(user):
            raise RuleViolation("vacation-budget", _("You do not have that many vacation days left this year."))
        now = timezone.now()
        begun = Vacation(user=user, begin=now, end=now + days * _DAY, year=_year(user))
        moved = _with_day_clocks(user, begun.save)
        for change in moved:
            away = next(seat for seat in change.seats if seat.user_id == user.pk)
            vacation_began.send(Match, match=change.match, seats=change.seats, away=away)


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


def _with_day_clocks(user: User, change: Callable[[], object]) -> list[Change]:
    """Lock every match over days this person plays and that knows vacations, make a change, and compute its deadlines.

    Returns the changes of the matches in which a deadline moved.
    """
    running = Match.objects.of(user).filter(status=Match.Status.RUNNING, speed=Speed.DAYS).order_by("pk")
    running = running.filter(excludes_vacations=False)
    matches = [lock(match_id) for match_id in running.values_list("pk", flat=True)]
    change()
    now = timezone.now()
    reckoned = [reckon(snapshot_of(locked, now), user.pk, now) for locked in matches]
    moved = [change for change in reckoned if change.happened]
    for changed in moved:
        save_change(changed)
    return moved
