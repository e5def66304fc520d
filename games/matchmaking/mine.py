"""One person's matches, those that wait for them first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from games.matchmaking import stale
from games.matchmaking.lobby import with_people
from games.play.models import Match

RECENT = 10


@dataclass(frozen=True, slots=True)
class Mine:
    """The lists of the page "My matches".

    Args:
        waiting: one is to move, the longest waiting first.
        running: somebody else is, the latest action first.
        seated, invited: open tables where one sits, and where one is expected.
        recent: ended, the latest first, at most `RECENT`.
    """

    waiting: list[Match]
    running: list[Match]
    seated: list[Match]
    invited: list[Match]
    recent: list[Match]


def matches_of(user: Any) -> Mine:
    """Return a person's matches."""
    own = with_people(Match.objects.of(user))
    waiting = list(with_people(Match.objects.waiting_for(user)))
    running = own.filter(status=Match.Status.RUNNING).exclude(pk__in=[match.pk for match in waiting])
    ended = own.filter(status__in=[Match.Status.OVER, Match.Status.ABORTED])
    seated = list(with_people(stale.fresh_tables()).filter(seats__user=user).order_by("created_at", "pk"))
    invited = (
        with_people(stale.fresh_tables())
        .filter(Q(invitations__user=user))
        .exclude(pk__in=[match.pk for match in seated])
    )
    return Mine(
        waiting=waiting,
        running=list(running.order_by("-moved_at", "-pk")),
        seated=seated,
        invited=list(invited.order_by("created_at", "pk")),
        recent=list(ended.order_by("-ended_at", "-pk")[:RECENT]),
    )
