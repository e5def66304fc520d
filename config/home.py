"""The start page: for visitors a match in motion and what goes on here, for members what waits for them.

The match is one that is being played now, else the latest good one, step by step: only public matches, as a spectator
sees them, through the same gate and the same replay as for anybody.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from accounts import relations
from games.engine.runner import LEAVING
from games.history.archive import Filters, archive_page, public_since
from games.history.replay import SPECTATOR, Replay, replay_of
from games.history.verification import is_checkable
from games.matchmaking.lobby import is_of, lobby_page, matches_of, open_tables, tables_of_friends
from games.play.access import access_match
from games.play.boards.pictures import thumbnails
from games.play.models import Match, Seat, Speed
from games.ratings.models import RatingChange, points
from games.titles import Title, titles


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show visitors what goes on here, and members what waits for them."""
    if request.user.is_authenticated:
        return TemplateResponse(request, "home_member.html", _for_member(request.user))
    return TemplateResponse(request, "home.html", _for_visitors())


@require_safe
def showcase(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a position of the match on the start page, as a part of that page."""
    shown = _showcase_of(slug, request.GET.get("at", ""))
    return TemplateResponse(request, "partials/showcase.html", {"showcase": shown}, status=shown.replay.status)


# --- visitors ---------------------------------------------------------------------------------------------------------

FRESH = timedelta(minutes=3)
"""How recent the last action of a match must be for it to be shown as it is played."""
WEEK = timedelta(days=7)
AGE = 10
"""How many seconds old counts may be."""
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


def _for_visitors() -> dict[str, Any]:
    """Return the first position to show, and how much there is to see and to join, as lobby and archive list it."""
    match = _being_played() or _played()
    running = Match.objects.filter(status=Match.Status.RUNNING, visibility=Match.Visibility.PUBLIC)
    return {
        "titles": titles().values(),
        "showcase": match and _showcase_of(match.slug, "" if match.is_running else str(_beginning(match))),
        "open_tables": open_tables(time.monotonic() - AGE),
        "running_matches": running.filter(seat_count__gt=1).count(),
        "ended_this_week": public_since(timezone.now() - WEEK),
    }


def _showcase_of(slug: str, at: str) -> Showcase:
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
    for row in archive_page(AnonymousUser(), Filters(), size=LOOKED_AT).rows:
        match = row.match
        played_out = match.reason not in LEAVING and match.length >= LEAST_ACTIONS
        if played_out and match.seat_count > 1 and is_checkable(match):
            return match
    return None


# --- members ----------------------------------------------------------------------------------------------------------

LISTED = 6
"""How many matches or tables one list shows; the rest is a page away."""


@dataclass(frozen=True, slots=True)
class Card:
    """A match of a list: its picture, and the reader's seat in it, if they have one."""

    match: Match
    picture: SafeString | None
    mine: Seat | None

    @property
    def others(self) -> list[Seat]:
        return [seat for seat in self.match.seats.all() if seat != self.mine]


@dataclass(frozen=True, slots=True)
class Week:
    """What the last seven days did to a rating: where it stands, and by how much it has changed."""

    title: Title
    last: RatingChange
    gain: int
    matches: int

    @property
    def shown_gain(self) -> str:
        return f"+{self.gain}" if self.gain > 0 else f"−{-self.gain}" if self.gain else "±0"


def _for_member(user: Any) -> dict[str, Any]:
    """Return what a member sees, the most urgent matches first."""
    lists = matches_of(user)
    page = lobby_page(1, time.monotonic() - AGE)
    apart = relations.blocked_with(user)
    return {
        "cards_waiting": _cards(lists.waiting[:LISTED], user),
        "total_waiting": len(lists.waiting),
        "cards_running": _cards(lists.running[:LISTED], user),
        "invited": lists.invited,
        "seated": lists.seated,
        "tables": [it for it in page.tables if not is_of(it, {user.pk, *apart})][:LISTED],
        "asking": relations.requests_to(user).count(),
        "friends_tables": tables_of_friends(user)[:LISTED],
        "week": _ratings_of_the_week(user),
        "titles": titles().values(),
    }


def _cards(matches: Sequence[Match], user: Any) -> list[Card]:
    pictures = thumbnails(matches)
    mine = {match: next((seat for seat in match.seats.all() if seat.user_id == user.pk), None) for match in matches}
    return [Card(match, pictures.get(match.pk), mine[match]) for match in matches]


def _ratings_of_the_week(user: Any) -> list[Week]:
    """Return what the last seven days did to this person's ratings, the pool played last first."""
    changes = RatingChange.objects.filter(user=user, at__gte=timezone.now() - WEEK).order_by("pk")
    pools: dict[tuple[str, str], list[RatingChange]] = {}
    for change in changes:
        pools.setdefault((change.game, change.speed), []).append(change)
    weeks = [
        Week(titles()[game], found[-1], points(found[-1].after) - points(found[0].before), len(found))
        for (game, _speed), found in pools.items()
        if game in titles()
    ]
    return sorted(weeks, key=lambda week: -week.last.pk)
