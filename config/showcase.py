"""A real match in motion for visitors: one that is being played now, else the latest good one, step by step.

Only public matches, only as a spectator sees them: they come through the same gate and the same replay as for anybody.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.utils import timezone

from games.engine.runner import LEAVING
from games.history.archive import Filters, archive_page
from games.history.replay import SPECTATOR, Replay, replay_of
from games.history.verification import is_checkable
from games.play.matches.access import access_match
from games.play.models import Match, Speed

FRESH = timedelta(minutes=3)
"""How recent the last action of a match must be for it to be shown as it is played."""
LOOKED_AT = 12
LEAST_ACTIONS = 10
_BEGIN = 3
"""A replay begins when a third has been played: the first actions of a match are the least interesting ones."""


@dataclass(frozen=True, slots=True)
class Showcase:
    """One position of the match on the start page.

    Args:
        replay: the position, seen by a spectator.
        following: the match is still being played, so that the latest position is asked for again and again.
    """

    replay: Replay
    following: bool

    @property
    def match(self) -> Match:
        return self.replay.viewed.match

    @property
    def next_number(self) -> str:
        """Return the position that follows, as written in an address; empty for the latest."""
        if self.following:
            return ""
        return str(_beginning(self.match) if self.replay.after is None else self.replay.after)


def showcase() -> Showcase | None:
    """Return the first position to show; None if there is no match worth it."""
    match = _being_played() or _played()
    return None if match is None else showcase_of(match.slug, "" if match.is_running else str(_beginning(match)))


def showcase_of(slug: str, at: str) -> Showcase:
    """Return a position of a public match.

    Raises:
        Http404: there is no such match that everybody may find, or its rules have changed since.
    """
    viewed = access_match(AnonymousUser(), slug)
    match = viewed.match
    if match.visibility != Match.Visibility.PUBLIC or match.started_at is None or not is_checkable(match):
        raise Http404
    return Showcase(replay_of(viewed, at if match.has_ended else "", SPECTATOR), following=match.is_running)


def _beginning(match: Match) -> int:
    return match.length // _BEGIN


def _being_played() -> Match | None:
    running = Match.objects.filter(
        status=Match.Status.RUNNING, visibility=Match.Visibility.PUBLIC, moved_at__gt=timezone.now() - FRESH
    )
    live = running.filter(speed=Speed.LIVE, seat_count__gt=1).order_by("-moved_at")
    return next((match for match in live[:LOOKED_AT] if is_checkable(match)), None)


def _played() -> Match | None:
    """Return the latest public match that was played to its end by several people."""
    rows = archive_page(AnonymousUser(), Filters(), size=LOOKED_AT).rows
    return next((row.match for row in rows if _is_good(row.match)), None)


def _is_good(match: Match) -> bool:
    played_out = match.reason not in LEAVING and match.length >= LEAST_ACTIONS
    return played_out and match.seat_count > 1 and is_checkable(match)
