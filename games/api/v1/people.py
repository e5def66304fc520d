"""People: profiles, ratings, finished matches, and leaderboards."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Final

from django.conf import settings
from django.http import Http404
from django.utils import timezone
from django.views.decorators.http import conditional_page
from ninja import Field, Query, Router, Schema
from ninja.decorators import decorate_view

from accounts.models import User
from accounts.services import access_player, here_for
from games.api.answers import answers, cached
from games.api.authentication import CallerRequest, for_everybody
from games.api.v1.cursors import cursor_of, place_of
from games.api.v1.states import Summary, summary_of
from games.engine.elo import PROVISIONAL_GAMES
from games.history.archive import PER_PAGE, Cursor, Filters, Window, found_by
from games.history.ratings import pools_of
from games.matchmaking.lobby import with_people
from games.play.models import Speed
from games.ratings.leaderboards import pool_of
from games.ratings.models import Rating, points
from games.titles import titles

router = Router(tags=["people"])


class Person(Schema):
    """Somebody with an account.

    Attributes:
        bot_account: whether a program plays for this account.
        joined: the day, in UTC.
        here: whether they are here now, as far as you may know; null for visitors.
    """

    name: str
    url: str
    guest: bool
    bot_account: bool
    joined: date
    here: bool | None


class OwnRating(Schema):
    """A rating in a pool: a game at a speed. It is provisional for the first few matches."""

    game: str
    speed: str
    rating: int
    provisional: bool
    matches: int
    updated: datetime


class Ratings(Schema):
    """Somebody’s ratings."""

    items: list[OwnRating]


class Matches(Schema):
    """Matches, the latest first, and where to go on: `next` is `after` of the next request."""

    items: list[Summary]
    next: str | None


@router.get("people/{name}", response=cached(Person), **for_everybody())
@decorate_view(conditional_page)
def person(request: CallerRequest, name: str) -> Any:
    """Return somebody's profile."""
    found, reader = access_player(name), request.auth.reader
    return told(found, found.pk in here_for(reader, [found.pk]) if reader.is_authenticated else None)


def told(person: User, here: bool | None) -> dict[str, Any]:
    """Return the fields of `Person`."""
    return {
        "name": person.username,
        "url": f"{settings.SITE_URL}{person.get_absolute_url()}",
        "guest": person.guest,
        "bot_account": person.is_bot,
        "joined": person.date_joined.date(),
        "here": here,
    }


@router.get("people/{name}/ratings", response=cached(Ratings), **for_everybody())
@decorate_view(conditional_page)
def ratings(request: CallerRequest, name: str) -> Any:
    """Return somebody's ratings."""
    return {"items": [_rating(pool.rating) for pool in pools_of(access_player(name))]}


def _rating(row: Rating) -> dict[str, Any]:
    return {
        "game": row.game,
        "speed": row.speed,
        "rating": points(row.rating),
        "provisional": row.games < PROVISIONAL_GAMES,
        "matches": row.games,
        "updated": row.updated,
    }


class Finished(Schema):
    """Which finished matches.

    Attributes:
        game: of which game; of all without it.
        after: where the last answer stopped: its `next`.
        limit: how many, at most.
    """

    game: str | None = None
    after: str | None = None
    limit: int = Field(PER_PAGE, ge=1, le=100)


@router.get("people/{name}/matches", response=answers(Matches), **for_everybody())
def matches(request: CallerRequest, name: str, finished: Query[Finished]) -> Any:
    """List somebody's finished matches that you can find: public ones, and your own."""
    found, game = access_player(name), finished.game
    if game is not None and game not in titles():
        raise Http404
    window = Window(Filters(player=found, game=game), cursor_of(finished.after), None, finished.limit)
    listed = list(with_people(found_by(request.auth.reader, window)))
    shown = listed[: finished.limit]
    further = str(Cursor.of(shown[-1])) if len(listed) > len(shown) else None
    return {"items": [summary_of(match, tuple(match.seats.all())) for match in shown], "next": further}


# --- leaderboards -----------------------------------------------------------------------------------------------------

LISTED: Final = 50


class Placed(Schema):
    """Somebody’s place on a leaderboard."""

    place: int
    name: str
    rating: int
    matches: int


class Leaderboard(Schema):
    """The best people of a pool, and where to go on: `next` is `after` of the next request."""

    game: str
    speed: str
    at: datetime
    items: list[Placed]
    next: str | None


@router.get("leaderboards/{game}/{speed}", response=answers(Leaderboard), **for_everybody())
def leaderboard(request: CallerRequest, game: str, speed: Speed, after: str | None = None) -> Any:
    """Return the leaderboard of a game at a speed, the best first."""
    pool = pool_of(game, speed)
    if pool is None:
        raise Http404
    before = place_of(after or "", LISTED)
    rows = list(pool.placed[before : before + LISTED + 1])
    items = [
        {"place": place, "name": row.user.username, "rating": points(row.rating), "matches": row.games}
        for place, row in enumerate(rows[:LISTED], start=before + 1)
    ]
    further = str(before + LISTED) if len(rows) > LISTED else None
    return {"game": game, "speed": speed, "at": timezone.now(), "items": items, "next": further}
