"""What pages show of somebody's waits: the bar of every page, and the page of quick pairing."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.pairing.forms import players_in_words
from games.pairing.models import Wait, WaitQuerySet
from games.pairing.pools import Prospect, prospect
from games.pairing.rests import Rest, rest_of
from games.play.models import Speed
from games.play.prepared import Prepared

TOLD = timedelta(minutes=10)
"""How long the page says how a wait has ended."""

GOES_AFTER = 5
"""Seconds in which somebody who looks at the page can decline before it answers for them."""

_MINUTE = 60


@dataclass(frozen=True, slots=True)
class Shown:
    """A wait that goes on, and what can be said about it."""

    wait: Wait
    prospect: Prospect
    rest: Rest | None

    @property
    def players(self) -> str:
        return players_in_words(self.wait.seats)

    @property
    def usual_minutes(self) -> int:
        """Return the usual wait in minutes, rounded up; 0 when it is in seconds."""
        seconds = self.prospect.usual.total_seconds() if self.prospect.usual else 0
        return -int(-seconds // _MINUTE) if seconds > _MINUTE else 0

    @property
    def usual_seconds(self) -> int:
        return max(1, round(self.prospect.usual.total_seconds())) if self.prospect.usual else 0


def live_wait(user: Any) -> Wait | None:
    """Return the wait that the bar of every page shows."""
    if not _WAITS.of([user.pk]):
        return None  # as on most pages
    return _live([user.pk]).select_related("offer").first()


def _live(people: Collection[int]) -> WaitQuerySet:
    return Wait.objects.current().filter(user__in=people, speed=Speed.LIVE)


_WAITS = Prepared(lambda people: _live(people).values_list("pk"))


def waits_of(user: Any) -> dict[str, Any]:
    """Return what the page of quick pairing shows of somebody's waits."""
    if not user.is_authenticated:
        return {"waits": [], "ended": []}
    current = Wait.objects.current().filter(user=user).select_related("offer", "user")
    ended = Wait.objects.filter(user=user, ended_at__gt=timezone.now() - TOLD).order_by("-ended_at")
    told = ended.exclude(state=Wait.State.WITHDRAWN, why="").select_related("match")
    waits = [Shown(wait, prospect(wait), rest_of(user, wait.address) if wait.is_live else None) for wait in current]
    last = list(told[:1])
    rest = rest_of(user) if last and not waits else None
    return {"waits": waits, "ended": last, "rest": rest, "goes_after": GOES_AFTER}
