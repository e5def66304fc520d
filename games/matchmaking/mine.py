"""A user's matches, those waiting for them first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.matchmaking.lobby import seated_and_invited, with_people
from games.play.models import Match

RECENT = 10


@dataclass(frozen=True, slots=True)
class Mine:
    """The lists of the page "My matches".

    Args:
        waiting: it is the user's turn; the longest waiting first.
        running: it is somebody else's turn, the latest action first.
        seated, invited: open tables at which they sit, and to which they are invited.
        recent: ended, the latest first, at most `RECENT`.
    """

    waiting: list[Match]
    running: list[Match]
    seated: list[Match]
    invited: list[Match]
    recent: list[Match]


def matches_of(user: Any) -> Mine:
    """Return a user's matches."""
    own = with_people(Match.objects.of(user))
    waiting = list(with_people(Match.objects.waiting_for(user)))
    running = own.filter(status=Match.Status.RUNNING).exclude(pk__in=[match.pk for match in waiting])
    ended = own.filter(status__in=[Match.Status.OVER, Match.Status.ABORTED])
    seated, invited = seated_and_invited(user)
    return Mine(
        waiting=waiting,
        running=list(running.order_by("-moved_at", "-pk")),
        seated=seated,
        invited=invited,
        recent=list(ended.order_by("-ended_at", "-pk")[:RECENT]),
    )
