"""Ratings beside names in lists of matches."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeAlias

from games.play.models import Match
from games.ratings.models import Rating

Key: TypeAlias = tuple[int | None, str, str]
"""A user's id, a game and a speed."""


def ratings_beside(matches: Collection[Match]) -> Mapping[Key, str]:
    """Return as shown the rating of everybody at these matches who has one, in one query.

    Args:
        matches: with their seats.
    """
    people = {seat.user_id for match in matches for seat in match.seats.all() if seat.user_id is not None}
    if not people:
        return {}
    pools = {(match.game, match.speed) for match in matches}
    games, speeds = ({pool[part] for pool in pools} for part in (0, 1))
    rows = Rating.objects.filter(user__in=people, game__in=games, speed__in=speeds, games__gt=0)
    return {(row.user_id, row.game, row.speed): row.shown for row in rows}
