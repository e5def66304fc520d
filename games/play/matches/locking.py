"""A match whose row is locked: what every write of a match works on."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone

from accounts.rows import copied
from games.engine import runner
from games.play.matches import positions, statements
from games.play.matches.viewed import ViewedMatch
from games.play.models import Action, Match, Seat


@dataclass(slots=True)
class Locked:
    """A match whose row is locked, with its seats by number, and the moment that counts for everything done now."""

    match: Match
    seats: list[Seat]
    tail: tuple[Action, ...] | None = None
    now: datetime = field(default_factory=timezone.now)

    def __post_init__(self) -> None:
        """Keep the times of a match from running backwards, even if the machine's clock is put back."""
        self.now = max(self.now, self.match.moved_at or self.now)

    @property
    def position(self) -> runner.Position[Any]:
        return positions.position_of(self.match, self.seats)


def lock(match_id: int, seen: ViewedMatch | None = None) -> Locked:
    """Lock a match for writing (inside `writing()`).

    Args:
        match_id: the match.
        seen: the match as it was loaded just before. Whatever changes a match raises its version, so when that is
            still the same nothing has to be loaded again.
    """
    version = statements.locked_version(match_id)
    if seen is not None and seen.match.version == version:
        return Locked(copied(seen.match), [copied(seat) for seat in seen.seats], seen.tail)
    match = Match.objects.get(pk=match_id)
    return Locked(match, list(Seat.objects.filter(match=match).select_related("user").order_by("number")))
