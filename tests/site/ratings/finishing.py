"""Finished matches for tests: by a given outcome, or ended by resigning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.engine.protocol import Outcome
from games.play import commands
from games.play.models import Match
from games.play.reducer.draft import Draft
from games.play.reducer.results import finish
from games.play.store import save_change, snapshot, writing
from tests.people import running_match


def end(match: Match, places: Sequence[int]) -> Match:
    """End a running match with these places, one for each seat."""
    with writing():
        now = timezone.now()
        draft = Draft(snapshot(match.pk, now), now)
        for seat in draft.seats:
            seat.acted = True
        scores = tuple(10 * (len(places) - place) for place in places)
        finish(draft, Outcome(tuple(places), scores, "goal"))
        save_change(draft.change())
    match.refresh_from_db()
    return match


def finished(users: Sequence[User], places: Sequence[int] = (), **fields: Any) -> Match:
    """Return a finished match, rated unless said otherwise; by default the first of these people is first."""
    match = running_match(users, **{"rated": True, **fields})
    return end(match, places or range(1, len(users) + 1))


def resigned(users: Sequence[User], loser: int = 1, **fields: Any) -> Match:
    """Return a match with no actions left but the resignation that ended it, after both of its players had acted once.

    They took back what they did.
    """
    match = running_match(users, **{"rated": True, **fields})
    match.seats.update(acted=True)
    commands.resign(match.pk, loser, "resigning-now")
    match.refresh_from_db()
    return match
