"""What the start page shows: to visitors what goes on here, to members what waits for them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.safestring import SafeString

from accounts import friends
from accounts.blocks import blocked_with
from config.showcase import showcase
from games.history.archive import public_since
from games.matchmaking import company, mine
from games.matchmaking.lobby import is_of, lobby_page, open_tables
from games.play.boards.thumbnails import thumbnails
from games.play.models import Match, Seat
from games.ratings.models import RatingChange, points
from games.titles import Title, titles

WEEK = timedelta(days=7)
LISTED = 6
"""How many matches or tables one list shows; the rest is a page away."""
AGE = 10
"""How many seconds old the counts may be."""


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


def for_visitors() -> dict[str, Any]:
    """Return what a visitor sees."""
    return {"titles": titles().values(), "showcase": showcase(), **_now()}


def for_member(user: Any) -> dict[str, Any]:
    """Return what a member sees, the most urgent matches first."""
    lists = mine.matches_of(user)
    page = lobby_page(1, time.monotonic() - AGE)
    apart = blocked_with(user)
    return {
        "cards_waiting": _cards(lists.waiting[:LISTED], user),
        "total_waiting": len(lists.waiting),
        "cards_running": _cards(lists.running[:LISTED], user),
        "invited": lists.invited,
        "seated": lists.seated,
        "tables": [it for it in page.tables if not is_of(it, {user.pk, *apart})][:LISTED],
        "asking": friends.asking(user).count(),
        "friends_tables": company.tables_of_friends(user)[:LISTED],
        "week": ratings_of_the_week(user),
        "titles": titles().values(),
    }


def _now() -> dict[str, Any]:
    """Return how much there is to see and to join at this moment, as lobby and archive list it."""
    running = Match.objects.filter(status=Match.Status.RUNNING, visibility=Match.Visibility.PUBLIC)
    return {
        "open_tables": open_tables(time.monotonic() - AGE),
        "running_matches": running.filter(seat_count__gt=1).count(),
        "ended_this_week": public_since(timezone.now() - WEEK),
    }


def _cards(matches: Sequence[Match], user: Any) -> list[Card]:
    pictures = thumbnails(matches)
    return [Card(match, pictures.get(match.pk), _seat(match.seats.all(), user)) for match in matches]


def _seat(seats: Iterable[Seat], user: Any) -> Seat | None:
    return next((seat for seat in seats if seat.user_id == user.pk), None)


def ratings_of_the_week(user: Any) -> list[Week]:
    """Return what the last seven days did to this person's ratings, the pool played last first."""
    changes = RatingChange.objects.filter(user=user, at__gte=timezone.now() - WEEK).order_by("pk")
    pools: dict[tuple[str, str], list[RatingChange]] = {}
    for change in changes:
        pools.setdefault((change.game, change.speed), []).append(change)
    weeks = [_week(found) for (game, _), found in pools.items() if game in titles()]
    return sorted(weeks, key=lambda week: -week.last.pk)


def _week(changes: Sequence[RatingChange]) -> Week:
    first, last = changes[0], changes[-1]
    return Week(titles()[last.game], last, points(last.after) - points(first.before), len(changes))
