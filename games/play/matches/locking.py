"""A match whose row is locked: what every write of a match begins with."""

from __future__ import annotations

from dataclasses import dataclass

from games.play.matches import statements
from games.play.matches.viewed import ViewedMatch
from games.play.models import Action, Match, Seat


@dataclass(frozen=True, slots=True)
class Locked:
    """A match whose row is locked, with its seats by number, and its newest actions where they are known."""

    match: Match
    seats: list[Seat]
    tail: tuple[Action, ...] | None = None


def lock(match_id: int, seen: ViewedMatch | None = None) -> Locked:
    """Lock a match for writing (inside `writing()`).

    Args:
        match_id: the match.
        seen: the match as it was loaded just before. Whatever changes a match raises its version, so when that is
            still the same nothing has to be loaded again.

    Raises:
        Match.DoesNotExist: there is no such match.
    """
    version = statements.locked_version(match_id)
    if seen is not None and seen.match.version == version:
        return Locked(seen.match, list(seen.seats), seen.tail)
    match = Match.objects.get(pk=match_id)
    return Locked(match, list(Seat.objects.filter(match=match).select_related("user").order_by("number")))


def try_lock(match_id: int) -> bool:
    """Lock a match for writing unless somebody else has locked it; return whether that worked."""
    return bool(Match.objects.select_for_update(skip_locked=True).filter(pk=match_id).values_list("pk"))
