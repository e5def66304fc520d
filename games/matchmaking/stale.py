"""When an open table has waited too long: 24 hours for a live match, 14 days for one over days.

Lists leave out such tables at once; the worker closes them, or the next attempt to sit down does.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from games.play.models import Match, MatchQuerySet, Speed

LIFE = {Speed.LIVE: timedelta(hours=24), Speed.DAYS: timedelta(days=14)}


def is_stale(match: Match) -> bool:
    """Return whether an open table has waited too long."""
    return match.is_open and waits_until(match) < timezone.now()


def waits_until(match: Match) -> datetime:
    """Return until when an open table waits for people, and a planned one once it has opened."""
    begin = match.opens_at if match.is_planned and match.opens_at else match.created_at
    return begin + LIFE[Speed(match.speed)]


def stale_tables() -> MatchQuerySet:
    """Return the open tables that have waited too long."""
    return Match.objects.filter(_is_stale(), status=Match.Status.OPEN)


def fresh_tables() -> MatchQuerySet:
    """Return the open tables that have not."""
    return Match.objects.filter(~_is_stale(), status=Match.Status.OPEN)


def _is_stale() -> Q:
    now = timezone.now()
    condition = Q(pk__in=[])
    for speed, life in LIFE.items():
        condition |= Q(speed=speed, created_at__lt=now - life)
    return condition
