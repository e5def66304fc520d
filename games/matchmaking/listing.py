"""Which open tables the lobby lists, as fast with ten thousand of them as with a hundred.

Every query walks an index from the newest table on: without filters `match_open`, with some `match_lobby`, in one
branch for each (game, speed, rated, number of seats) they leave, merged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import Any, TypeAlias

from django.db.models import Count, Exists, F, OuterRef, QuerySet
from django.utils import timezone

from games.matchmaking import stale
from games.matchmaking.filters import Filters
from games.matchmaking.limits import OPEN_TABLES
from games.matchmaking.models import Promise
from games.matchmaking.requirements import Reader, joinable
from games.play.models import Match, MatchQuerySet, Seat, Speed
from games.titles import titles

HOST_SHARE = 3
"""How many tables of one host are listed, the newest ones: ten accounts cannot fill the first page."""

_SPARE = -(-OPEN_TABLES // HOST_SHARE)
"""Among so many times as many tables there are enough, as nobody hosts more than `OPEN_TABLES`."""

_NEWEST = ("-since", "-key")

Keys: TypeAlias = "QuerySet[Any, Any]"
"""Rows of `host`, `since` (when it was opened) and `key` (its id)."""


def listed(filters: Filters, most: int, reader: Reader | None = None) -> list[int]:
    """Return the keys of the newest public tables that fit, at most the share of each host.

    Args:
        filters: what to list.
        most: how many.
        reader: who looks; needed for what they could join.
    """
    return list(islice(_shared(newest(filters, most * _SPARE, reader)), most))


def number_listed() -> int:
    """Return how many tables the lobby lists on all its pages while nothing is filtered."""
    of_hosts = _waiting(stale.fresh_tables()).order_by().values_list("host").annotate(Count("pk"))
    return sum(min(number, HOST_SHARE) for _host, number in of_hosts)


def _shared(rows: Keys) -> Iterator[int]:
    shown: Counter[int | None] = Counter()
    for row in rows:
        shown[row["host"]] += 1
        if shown[row["host"]] <= HOST_SHARE:
            yield row["key"]


def newest(filters: Filters, most: int, reader: Reader | None = None) -> Keys:
    """Return the query for the newest tables that fit (public for the tests, which read its plan)."""
    if not filters.any_set:
        return _rows(_waiting(stale.fresh_tables())).order_by(*_NEWEST)[:most]
    branches = [_by_id(branch.order_by("-created_at", "-pk")[:most]) for branch in _branches(filters, reader)]
    if len(branches) <= 1:
        return (branches or [_rows(Match.objects.none())])[0].order_by(*_NEWEST)
    return branches[0].union(*branches[1:], all=True).order_by(*_NEWEST)[:most]


def _waiting(tables: MatchQuerySet) -> MatchQuerySet:
    # A table for one has its player, and waits for nobody else.
    return _with_free_seats(tables.filter(visibility=Match.Visibility.PUBLIC, previous=None, seat_count__gt=1))


def _with_free_seats(tables: MatchQuerySet) -> MatchQuerySet:
    """Leave out tables that bots have filled, and that only wait for the page of their host.

    Those that wait for players who said they come are left out too: they are on the page of planned tables.
    """
    last = Seat.objects.filter(match=OuterRef("pk"), number=OuterRef("seat_count") - 1)
    return tables.exclude(Exists(last)).exclude(Exists(Promise.objects.filter(match=OuterRef("pk"))))


def _branches(filters: Filters, reader: Reader | None) -> Iterator[MatchQuerySet]:
    """Yield the tables of each (game, speed, rated, number of seats) that the filters leave."""
    public = Match.objects.filter(status=Match.Status.OPEN, visibility=Match.Visibility.PUBLIC, previous=None)
    speeds = [Speed(filters.speed)] if filters.speed else list(Speed)
    rated = [False, True] if filters.rated is None else [filters.rated]
    now = timezone.now()
    for (game, seats), speed, one_rated in product(_games(filters), speeds, rated):
        # `in`, because Django writes `= true` as a bare column, which SQLite does not seek an index by
        fitting = public.filter(game=game, speed=speed, rated__in=[one_rated], seat_count=seats)
        if filters.prompt and speed == Speed.DAYS:
            fitting = fitting.filter(excludes_vacations=True)
        tables = _with_free_seats(fitting.filter(created_at__gte=now - stale.LIFE[speed]))
        yield joinable(tables, reader, game, speed) if filters.joinable and reader is not None else tables


def _games(filters: Filters) -> Iterable[tuple[str, int]]:
    for slug, title in titles().items():
        for seats in title.game.seats:
            if seats > 1 and filters.game in {None, slug} and filters.seats in {None, seats}:
                yield slug, seats


def _by_id(cut: MatchQuerySet) -> Keys:
    """Return the same tables, looked up by id: SQLite allows a limit in a subquery, but not in a part of a union."""
    return _rows(Match.objects.filter(pk__in=cut.values("pk")))


def _rows(tables: MatchQuerySet) -> Keys:
    return tables.values("host", since=F("created_at"), key=F("pk"))
