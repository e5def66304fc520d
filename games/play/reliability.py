"""How reliably somebody takes their turns, over their latest matches with others."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet, Value

from accounts.models import User
from accounts.questions import NOBODY, Prepared
from games.play.models import Absence, Match, Seat

LATEST = 50
"""Matches that count: being away once is forgiven after this many others."""

FEW = 20
"""With fewer turns than this there is no percentage yet, and nobody is turned away."""

_MISSED = Q(timed_out=True) | Q(no_show=True)


@dataclass(frozen=True, slots=True)
class Reliability:
    """How somebody took their turns.

    Args:
        turns: ended in time.
        missed: turns they did not take; each ended a match for them, by the clock or because they let others down by
            giving it up so early that it did not count, or was a planned table to which they did not come.
        matches: that were played to their end, or missed by them.
    """

    turns: int
    missed: int
    matches: int

    @property
    def in_time(self) -> int | None:
        """Return the percentage of turns ended in time, rounded down; None while there are too few to say."""
        asked = self.turns + self.missed
        return 100 * self.turns // asked if asked >= FEW else None

    @property
    def finished(self) -> int:
        """Return how many matches they played to their end."""
        return self.matches - self.missed

    def suffices(self, wanted: int) -> bool:
        """Return whether this is enough for a table that requires this percentage of turns in time."""
        return self.in_time is None or self.in_time >= wanted


def reliability_of(user: User, reader: Any = None) -> Reliability:
    """Return how somebody took their turns in the latest matches with others.

    Aborted matches say nothing about those who were ready to play: they count only for those who missed them.

    Args:
        user: whose turns.
        reader: only in matches that this person, or visitor, can find; None for all.
    """
    people = [user.pk] if reader is None else [user.pk, reader.pk or NOBODY]
    latest = _LATEST.of(people, most=LATEST)
    return Reliability(
        turns=sum(turns for _at, turns, _missed in latest),
        missed=sum(missed for _at, _turns, missed in latest),
        matches=len(latest),
    )


def _latest(people: Collection[int], *, most: int) -> QuerySet[Any, Any]:
    """Return the query for the latest matches of the first of these people, that the second, if given, can find.

    Its rows are when each ended, how many turns were taken in time, and whether one was missed.
    """
    user, *readers = people
    fitting = Match.objects.all()
    for reader in readers:
        fitting = fitting.seen_by(User(pk=reader))
    others = Seat.objects.filter(match=OuterRef("pk"), bot=None).exclude(number=OuterRef(OuterRef("number")))
    with_others = Exists(fitting.filter(Exists(others), pk=OuterRef("match")))
    counts = _MISSED | Q(match__status=Match.Status.OVER)
    seats = Seat.objects.filter(with_others, counts, user=user, ended_at__isnull=False).order_by("-ended_at", "-match")
    absences = Absence.objects.filter(user=user, match__in=fitting.filter(absences__user=user)).order_by("-at")
    # Looked up by id once more: SQLite allows a limit in a subquery, but not in a part of a union.
    taken = Seat.objects.filter(pk__in=seats[:most].values("pk")).order_by()
    not_there = Absence.objects.filter(pk__in=absences[:most].values("pk")).order_by()
    found = taken.values_list("ended_at", "turns", ExpressionWrapper(_MISSED, BooleanField()))
    found = found.union(not_there.values_list("at", Value(0), Value(value=True)), all=True)
    return found.order_by("-ended_at")[:most]


_LATEST = Prepared(_latest)


def no_shows(user: Any, since: datetime) -> list[datetime]:
    """Return when the matches ended that somebody gave up before they could count, the latest first.

    Planned tables to which they did not come are among them.

    Args:
        user: who aborted or resigned so early, or never came.
        since: nothing that ended before this moment.
    """
    seats = Seat.objects.filter(user=user, no_show=True, ended_at__gte=since)
    absences = Absence.objects.filter(user=user, at__gte=since)
    ended = seats.order_by().values_list("ended_at", flat=True)
    both = ended.union(absences.order_by().values_list("at", flat=True), all=True).order_by("-ended_at")
    return [at for at in both if at is not None]
