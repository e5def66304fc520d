"""Leaderboards: the placed people of a pool, those still being placed, the seasons, and the best solo results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache, reduce
from operator import or_
from typing import Any

from django.conf import settings
from django.db.models import Count, F, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import get_language

from accounts.models import User
from accounts.questions import NOBODY, Prepared
from games.engine.elo import PROVISIONAL_GAMES
from games.engine.protocol import ranks
from games.play.models import Match, Speed
from games.play.reducer.positions import decode_state
from games.ratings.models import WON, Rating, SoloBest
from games.titles import Scene, Title, titles

MONTHS = 3


@dataclass(frozen=True, slots=True, order=True)
class Season:
    """A quarter of a year in UTC.

    >>> Season(2026, 4).begin.isoformat(), Season(2026, 4).end.isoformat()
    ('2026-10-01T00:00:00+00:00', '2027-01-01T00:00:00+00:00')
    """

    year: int
    quarter: int

    @property
    def begin(self) -> datetime:
        return datetime(self.year, MONTHS * (self.quarter - 1) + 1, 1, tzinfo=UTC)

    @property
    def end(self) -> datetime:
        return self.following.begin

    @property
    def last_day(self) -> datetime:
        """Return noon of its last day, which falls on that day in nearly every time zone."""
        return self.end - timedelta(hours=12)

    @property
    def following(self) -> Season:
        return Season(self.year + self.quarter // 4, self.quarter % 4 + 1)


def season_at(moment: datetime) -> Season:
    """Return the season of an aware moment.

    >>> season_at(datetime(2026, 11, 23, tzinfo=UTC))
    Season(year=2026, quarter=4)
    """
    utc = moment.astimezone(UTC)
    return Season(utc.year, (utc.month - 1) // MONTHS + 1)


PER_PAGE = 50
SHORT = 10
TOP = 5
"""People of each pool in the overview."""

ACTIVE_DAYS = 90
"""Players without a rated match in a pool for this many days are not listed there."""


_PEOPLE = Q(user__is_active=True, user__bot_since=None)
"""The condition on ratings and best results to be those of people; bots are listed nowhere."""


def _listed() -> Q:
    """Return the condition on ratings to be listed: enough different opponents, and a recent match."""
    return Q(opponents__gte=settings.LEADERBOARD_OPPONENTS, updated__gte=_recently())


def _recently() -> datetime:
    """Return when the latest match of whoever is listed ended, at the earliest."""
    return timezone.now() - timedelta(days=ACTIVE_DAYS)


@dataclass(frozen=True, slots=True)
class Pool:
    """A game at a speed. Ratings can be compared only within a pool."""

    title: Title
    speed: Speed

    @property
    def game(self) -> str:
        return self.title.slug

    @property
    def placed(self) -> QuerySet[Rating]:
        """Return the listed people who have played enough, the best first, equals in the order of registration."""
        return self._ratings(Q(games__gte=PROVISIONAL_GAMES))

    @property
    def provisional(self) -> QuerySet[Rating]:
        """Return the listed people who have not played enough yet, the best first."""
        return self._ratings(Q(games__gt=0, games__lt=PROVISIONAL_GAMES))

    def leaves_out(self, user: Any) -> bool:
        """Return whether a person has a rating here that is not listed."""
        mine = Rating.objects.filter(_PEOPLE, user=user.pk, game=self.game, speed=self.speed, games__gt=0)
        return mine.exclude(_listed()).exists()

    def _ratings(self, condition: Q) -> QuerySet[Rating]:
        rows = Rating.objects.filter(condition, _listed(), _PEOPLE, game=self.game, speed=self.speed)
        return rows.select_related("user").order_by("-rating", "user_id")

    def placing_of(self, user: Any) -> Placing | None:
        """Return a person's place, None if they are not placed in this pool."""
        mine = self.placed.filter(user=user).first() if user.is_authenticated else None
        if mine is None:
            return None
        return Placing(mine, 1 + self.placed.filter(_better(mine)).count())


@dataclass(frozen=True, slots=True)
class Placing:
    """A person's rating and place on a leaderboard."""

    rating: Rating
    place: int

    @property
    def page(self) -> int:
        return 1 + (self.place - 1) // PER_PAGE


@dataclass(frozen=True, slots=True)
class Summary:
    """The best people of a pool, and a reader's place if they are not among them."""

    pool: Pool
    rows: Sequence[Rating]
    mine: Placing | None


def summaries(reader: Any) -> list[Summary]:
    """Return the best `TOP` people of every pool, and the places of a reader, in two queries."""
    shown = _SHOWN.within([reader.pk or NOBODY], _recently(), opponents=settings.LEADERBOARD_OPPONENTS)
    ratings: dict[tuple[str, str], list[Rating]] = defaultdict(list)
    for row in Rating.objects.filter(pk__in=shown).select_related("user").order_by("-rating", "user_id"):
        ratings[row.game, row.speed].append(row)
    further = _placings([row for rows in ratings.values() for row in rows[TOP:]])
    keys = {pool: (pool.game, pool.speed.value) for pool in pools()}
    return [Summary(pool, ratings[key][:TOP], further.get(key)) for pool, key in keys.items()]


def _shown(people: Collection[int], since: datetime, *, opponents: int) -> QuerySet[Any, Any]:
    """Return the query for the best `TOP` placed ratings of every pool, and for those of one person.

    Args:
        people: the key of this one.
        since: as `_recently`.
        opponents: how many different ones whoever is listed has met, at the least.
    """
    (reader,) = people
    placed = _placed(Q(opponents__gte=opponents, updated__gte=since)).order_by("-rating", "user_id")
    best = [placed.filter(game=pool.game, speed=pool.speed)[:TOP] for pool in pools()]
    return placed.filter(_in_any(best) | Q(user=reader)).order_by().values("pk")


_SHOWN = Prepared(_shown)


def _placings(own: Sequence[Rating]) -> dict[tuple[str, str], Placing]:
    """Return the places of some ratings, each of another pool, by game and speed."""
    if not own:
        return {}
    ahead = reduce(or_, (Q(_better(row), game=row.game, speed=row.speed) for row in own))
    counted = _placed(_listed()).filter(ahead).order_by().values_list("game", "speed").annotate(Count("pk"))
    numbers = {(game, speed): number for game, speed, number in counted}
    return {key: Placing(row, 1 + numbers.get(key, 0)) for row in own for key in [(row.game, row.speed)]}


def _better(mine: Rating) -> Q:
    """Return the condition on ratings of the same pool to stand before this one."""
    return Q(rating__gt=mine.rating) | Q(rating=mine.rating, user_id__lt=mine.user_id)


def _placed(listed: Q) -> QuerySet[Rating]:
    return Rating.objects.filter(listed, _PEOPLE, games__gte=PROVISIONAL_GAMES)


def _in_any(lists: Iterable[QuerySet[Any]]) -> Q:
    """Return the condition to be in one of these limited lists."""
    return reduce(or_, (Q(pk__in=each.values("pk")) for each in lists))


@dataclass(frozen=True, slots=True)
class SeasonBoard:
    """The points gained in a season by the people whom the pool lists."""

    pool: Pool
    season: Season

    @property
    def rows(self) -> QuerySet[Any, Any]:
        """Return the ratings of those who played in the season, with `gain` and `played`, the largest gain first."""
        mine = Q(
            user__rating_changes__game=self.pool.game,
            user__rating_changes__speed=self.pool.speed,
            user__rating_changes__at__gte=self.season.begin,
            user__rating_changes__at__lt=self.season.end,
        )
        gain = F("user__rating_changes__after") - F("user__rating_changes__before")
        played = self.pool.placed.filter(mine).annotate(gain=Sum(gain), played=Count("user__rating_changes"))
        return played.order_by("-gain", "user_id")

    def placing_of(self, user: Any) -> Placing | None:
        """Return a person's place, None if they are not listed in this season."""
        mine = self.rows.filter(user=user).first() if user.is_authenticated else None
        if mine is None:
            return None
        better = Q(gain__gt=mine.gain) | Q(gain=mine.gain, user_id__lt=mine.user_id)
        return Placing(mine, 1 + self.rows.filter(better).count())


def pools() -> list[Pool]:
    """Return all pools: every game for two or more, at every speed."""
    return [Pool(title, speed) for title in titles().values() if max(title.game.seats) > 1 for speed in Speed]


def pool_of(game: str, speed: str) -> Pool | None:
    """Return the pool of an address, None if there is none."""
    return next((pool for pool in pools() if (pool.game, pool.speed.value) == (game, speed)), None)


@dataclass(frozen=True, slots=True)
class SoloLine:
    """A row of the table of best solo results; `text` is the result in the words of the game."""

    place: int
    best: SoloBest
    text: str


def solo_titles() -> list[Title]:
    """Return the games that can be played alone."""
    return [title for title in titles().values() if 1 in title.game.seats]


def best_alone(*those: Title) -> dict[str, list[SoloLine]]:
    """Return the best public solo matches that different people have won in some games, by slug, in one query.

    The best come first, of equal ones the earliest.
    """
    found: dict[str, list[SoloBest]] = {title.slug: [] for title in those}
    first = _FIRST.within([], games=tuple(found))
    for row in SoloBest.objects.filter(pk__in=first).select_related("user", "match").order_by(*_BEST_FIRST):
        found[row.game].append(row)
    return {
        slug: [
            SoloLine(place, best, solo_text(best.match, best.user))
            for place, best in zip(ranks(-best.rank for best in ordered), ordered, strict=True)
        ]
        for slug, ordered in found.items()
    }


_BEST_FIRST = ("-rank", "at", "id")


def _first(_people: Collection[int], *, games: Collection[str]) -> QuerySet[Any, Any]:
    """Return the query for the best `SHORT` solo results of some games."""
    bests = SoloBest.objects.filter(WON, _PEOPLE, user__guest=False)
    return SoloBest.objects.filter(
        _in_any(bests.filter(game=game).order_by(*_BEST_FIRST)[:SHORT] for game in games)
    ).values("pk")


_FIRST = Prepared(_first)


def solo_text(match: Match, player: User) -> str:
    """Return the result of a solo match in the words of its game, as a spectator sees it."""
    return _solo_text(match, match.slug, match.version, player.shown_name, get_language())


@lru_cache(maxsize=1_000)
def _solo_text(match: Match, _slug: str, _version: int, name: str, _language: str) -> str:
    """Return the text; it is kept by all that it depends on, as reading a position takes a while."""
    view = match.rules.view_for(decode_state(match), None)
    result = match.title.board.solo_result(Scene(view=view, viewer=None, names=(name,)))
    return "" if result is None else result.text
