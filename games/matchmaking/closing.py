"""How a locked table ends that never becomes a match: it is closed, or called off if it was planned."""

from __future__ import annotations

from typing import Any

from games.matchmaking import promises, series
from games.matchmaking.seating import changed
from games.play.models import Match


def call_off(match: Match, by: Any = None) -> None:
    """Close a locked table that was planned, and tell those who wanted to come.

    Args:
        match: planned.
        by: who called it off; None when too few wanted to come.
    """
    people = promises.end_all(match)
    promises.tell_called_off(match, people, by)
    close(match)


def close(match: Match) -> None:
    """Close a locked table; if it was for a rematch, another can be opened."""
    promises.end_all(match)
    match.status = Match.Status.CLOSED
    match.previous = None
    series.forget(match)
    changed(match)
