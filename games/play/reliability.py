"""How far somebody can be relied upon to come to their turns: over their latest matches with others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, Sum

from games.play.models import Match, MatchQuerySet, Seat

LATEST = 50
"""Matches that count: who was away once is forgiven after so many others."""

FEW = 20
"""With fewer turns than that nothing is said yet, and nobody is turned away."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """What somebody did with their turns.

    Args:
        turns: ended in time.
        timeouts: for which they did not come; each ended a match for them.
        matches: that have ended.
    """

    turns: int
    timeouts: int
    matches: int

    @property
    def in_time(self) -> int | None:
        """Return how many turns in a hundred were ended in time, rounded down; None while they are too few to say."""
        asked = self.turns + self.timeouts
        return 100 * self.turns // asked if asked >= FEW else None

    @property
    def finished(self) -> int:
        """Return how many matches were not ended by being away."""
        return self.matches - self.timeouts

    def suffices(self, wanted: int) -> bool:
        """Say whether this is enough for a table that wants so many turns in a hundred."""
        return self.in_time is None or self.in_time >= wanted


def reliability_of(user: Any, among: MatchQuerySet | None = None) -> Reliability:
    """Return what somebody did with their turns in the latest matches with others.

    Args:
        user: whose turns.
        among: only in these matches, for instance those which a reader may find; None for all.
    """
    fitting = Match.objects.all() if among is None else among
    ended = fitting.filter(pk=OuterRef("match"), seat_count__gt=1, status__in=[Match.Status.OVER, Match.Status.ABORTED])
    seats = Seat.objects.filter(Exists(ended), user=user, ended_at__isnull=False).order_by("-ended_at", "-match")
    latest = Seat.objects.filter(pk__in=list(seats.values_list("pk", flat=True)[:LATEST])).order_by()
    sums = latest.aggregate(turns=Sum("turns"), timeouts=Count("pk", filter=Q(timed_out=True)), matches=Count("pk"))
    return Reliability(sums["turns"] or 0, sums["timeouts"], sums["matches"])
