"""The archive: finished matches by filters, a page at a time, as fast on page 4,000 as on the first.

Pages are cut by key (the moment of ending and the id of the first or last match), never by offset, and every query
walks an index in that order:

- public matches: `match_ended`; with filters one branch for each (game, speed, rated), each a seek in
  `match_archive`, merged;
- one's own matches that are not public, and the matches of a named player: the person's seats in `seat_history`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any, TypeAlias

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, F, FilteredRelation, OuterRef, Prefetch, Q, QuerySet

from accounts.models import User
from accounts.requests import KEY, whole_number
from games.history.endings import Result, result_of, with_result
from games.matchmaking.series import with_scores
from games.play.models import Match, MatchQuerySet, Seat, Speed
from games.play.sql import NOBODY, Prepared
from games.ratings.models import RatingChange
from games.titles import titles

PER_PAGE = 25

Keys: TypeAlias = "QuerySet[Any, Any]"
"""Rows of `ended` and `key`: when a match ended and its id."""


@dataclass(frozen=True, slots=True, order=True)
class Cursor:
    """A place in the order of ending: between the match it names and its neighbour.

    >>> Cursor.read(str(Cursor(datetime(2026, 11, 20, 10, tzinfo=UTC), 7))).match
    7
    """

    ended_at: datetime
    match: int

    def __str__(self) -> str:
        since = self.ended_at - datetime.fromtimestamp(0, UTC)
        return f"{since // timedelta(microseconds=1)}.{self.match}"

    @classmethod
    def read(cls, text: str) -> Cursor:
        """Return the cursor of an address.

        Raises:
            ValueError: the text is not a cursor.
        """
        before, _dot, after = text.partition(".")
        micros, match = whole_number(before, KEY), whole_number(after, KEY)
        if micros is None or match is None:
            raise ValueError(f"{text!r} is not a place in the archive")
        try:
            return cls(datetime.fromtimestamp(0, UTC) + timedelta(microseconds=micros), match)
        except OverflowError as error:
            raise ValueError(f"{text!r} is not a place in the archive") from error


@dataclass(frozen=True, slots=True)
class Filters:
    """What to look for; None means "any". `result` is that of `player` and needs one.

    The match must have ended at `since` or later, and before `until`.
    """

    player: Any = None
    result: Result | None = None
    game: str | None = None
    speed: Speed | None = None
    rated: bool | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One match of a page; `mine`, `result` and `change` are those of the player asked for."""

    match: Match
    seats: tuple[Seat, ...]
    mine: Seat | None
    result: Result | None
    change: RatingChange | None


@dataclass(frozen=True, slots=True)
class ArchivePage:
    """Matches, the latest first, and the cursors of the pages before and after, if there are any."""

    rows: tuple[Row, ...]
    newer: Cursor | None
    older: Cursor | None


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the order that is read, and in which direction."""

    filters: Filters
    before: Cursor | None
    after: Cursor | None
    size: int

    @property
    def upwards(self) -> bool:
        return self.after is not None

    def cut(self, keys: Keys) -> Keys:
        """Return the keys of this part, one more than a page has."""
        bounds = []  # the plain comparison of `ended` is what the index seeks by
        if self.filters.since is not None:
            bounds.append(Q(ended__gte=self.filters.since))
        if self.filters.until is not None:
            bounds.append(Q(ended__lt=self.filters.until))
        if (before := self.before) is not None:
            bounds += [Q(ended__lte=before.ended_at), Q(ended__lt=before.ended_at) | Q(key__lt=before.match)]
        if (after := self.after) is not None:
            bounds += [Q(ended__gte=after.ended_at), Q(ended__gt=after.ended_at) | Q(key__gt=after.match)]
        return keys.filter(*bounds).order_by(*self.order)[: self.size + 1]

    @property
    def order(self) -> tuple[str, str]:
        return ("ended", "key") if self.upwards else ("-ended", "-key")


def archive_page(
    reader: Any,
    filters: Filters,
    before: Cursor | None = None,
    after: Cursor | None = None,
    size: int = PER_PAGE,
) -> ArchivePage:
    """Return a page of the finished matches that a reader can find: public ones and their own.

    Args:
        reader: who asks.
        filters: what to look for.
        before: only matches that ended before this place; None for the first page.
        after: only matches that ended after this place, those next to it.
        size: the most matches to return.
    """
    window = Window(filters, before, None if before else after, size)
    found = list(_load(found_by(reader, window), filters.player))
    more, found = len(found) > size, found[:size]
    if window.upwards:
        found.reverse()
    keys = [Cursor(match.ended_at, match.pk) for match in found if match.ended_at is not None]
    beyond_newer = more if window.upwards else before is not None
    beyond_older = True if window.upwards else more
    rows = tuple(_row(match, filters.player) for match in found)
    return ArchivePage(rows, keys[0] if keys and beyond_newer else None, keys[-1] if keys and beyond_older else None)


def found_by(reader: Any, window: Window) -> MatchQuerySet:
    """Return the query for the matches of a page and one more, of which the benchmark shows the plan."""
    player = window.filters.player
    people = [it.pk or NOBODY for it in (reader, player or reader)]
    anybody = replace(window, filters=replace(window.filters, player=None))
    keys = _KEYS.within(people, window=anybody, known=reader.is_authenticated, named=player is not None)
    order = ("ended_at", "pk") if window.upwards else ("-ended_at", "-pk")
    return Match.objects.filter(pk__in=keys).order_by(*order)[: window.size + 1]


def _keys(people: Collection[int], *, window: Window, known: bool, named: bool) -> QuerySet[Any, Any]:
    """Return the query for the keys of the matches in a window.

    Args:
        people: the reader and the player asked for.
        window: without the player.
        known: whether the reader is logged in.
        named: whether a player is asked for.
    """
    one, other = (User(pk=key) for key in people)
    filters = replace(window.filters, player=other if named else None)
    cut: list[Keys] = [
        window.cut(branch).values("key") for branch in _branches(one if known else AnonymousUser(), filters)
    ]
    if len(cut) == 1:
        return cut[0]
    # SQLite allows a limit in a subquery, but not in a part of a union: so each branch is looked up by id.
    first, *others = (Match.objects.filter(pk__in=keys).values("pk") for keys in cut)
    return first.union(*others, all=True)


_KEYS = Prepared(_keys)


def _branches(reader: Any, filters: Filters) -> Iterable[Keys]:
    if filters.player is not None:
        yield _seats(filters.player, filters, findable_by(reader))
        return
    yield from _public(filters)
    if reader.is_authenticated:
        yield _seats(reader, filters, ~Q(visibility=Match.Visibility.PUBLIC))


def _public(filters: Filters) -> Iterable[Keys]:
    """Yield all public matches, or else those of each (game, speed, rated) asked for."""
    public = Match.objects.filter(status=Match.Status.OVER, visibility=Match.Visibility.PUBLIC)
    keys = public.values(ended=F("ended_at"), key=F("pk"))
    if (filters.game, filters.speed, filters.rated) == (None, None, None):
        yield keys
        return
    games = [filters.game] if filters.game else list(titles())
    speeds = [filters.speed] if filters.speed else list(Speed)
    rated = [False, True] if filters.rated is None else [filters.rated]
    for one_game, one_speed, one_rated in product(games, speeds, rated):
        # `in`, because Django writes `= true` as a bare column, which SQLite does not seek an index by
        yield keys.filter(game=one_game, speed=one_speed, rated__in=[one_rated])


def findable_by(reader: Any) -> Q:
    """Return the condition that a reader can find a match in lists; it works with `pk=OuterRef(...)`."""
    public = Q(visibility=Match.Visibility.PUBLIC)
    if not reader.is_authenticated:
        return public
    return public | Q(Exists(Seat.objects.filter(match=OuterRef("pk"), user=reader)))


def _seats(user: Any, filters: Filters, visible: Q) -> Keys:
    """Return the keys of a person's finished matches; as matches are looked up by id, the index of seats leads."""
    wanted = {"game": filters.game, "speed": filters.speed, "rated": filters.rated}
    given = {name: value for name, value in wanted.items() if value is not None}
    fitting = Match.objects.filter(visible, pk=OuterRef("match"), status=Match.Status.OVER, **given)
    seats = Seat.objects.filter(Exists(fitting), user=user, ended_at__isnull=False)
    if filters.result is not None:
        seats = seats.filter(with_result(filters.result))
    return seats.values(ended=F("ended_at"), key=F("match_id"))


def _load(found: MatchQuerySet, player: Any) -> MatchQuerySet:
    """Load matches with their seats and, for a player, the change of their rating; one query more for series."""
    people = Prefetch("seats", Seat.objects.select_related("user"))
    found = with_scores(found.defer("state", "server_seed").prefetch_related(people))
    if player is None:
        return found
    of_player = FilteredRelation("rating_changes", condition=Q(rating_changes__user=player))
    return found.annotate(change=of_player).select_related("change")  # type: ignore[misc]  # its plugin does not know filtered relations


def _row(match: Match, player: Any) -> Row:
    seats = tuple(match.seats.all())
    mine = next((seat for seat in seats if player is not None and seat.user_id == player.pk), None)
    result = None if mine is None else result_of(mine, seats)
    return Row(match, seats, mine, result, getattr(match, "change", None))
