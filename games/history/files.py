"""A match as a file, with the changes of ratings."""

from __future__ import annotations

from games.engine.record import RatingEntry, write
from games.play.matches.records import record_of
from games.play.matches.viewed import ViewedMatch
from games.ratings.models import RatingChange


def name_of(viewed: ViewedMatch) -> str:
    """Return the name of a match's file."""
    return f"tessera-{viewed.match.game}-{viewed.match.slug}.json"


def record_file(viewed: ViewedMatch) -> str:
    """Return a match as a file, with what its reader may know; the caller checks that they may have it."""
    changes = RatingChange.objects.filter(match=viewed.match).order_by("seat")
    return write(record_of(viewed, [RatingEntry(change.seat, change.before, change.after) for change in changes]))
