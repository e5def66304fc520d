"""Quick pairing as something that people are told of (`games.notifications`): a match over days has been found."""

from __future__ import annotations

from games.notifications.models import Kind, Notice
from games.play.models import Match, Speed


def write(match: Match) -> None:
    """Tell the players of a match over days, whose pages may have been closed for long, that they were paired.

    The notice that it has begun says so: nobody is told twice.
    """
    if match.speed == Speed.DAYS:
        Notice.objects.filter(match=match, kind=Kind.STARTED).update(kind=Kind.PAIRED)
