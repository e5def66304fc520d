"""The archive: finished matches by filters, a page at a time, as fast on page 4,000 as on the first.

Pages are cut by key (the moment of ending and the id of the first or last match), never by offset, and every query
walks an index in that order:

- public matches: `match_ended`; with filters one branch for each (game, speed, rated), each a seek in
  `match_archive`, merged;
- one's own matches that are not public, and the matches of a named player: the person's seats in `seat_history`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import groupby, product
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from django.contrib.auth.models import AnonymousUser
from django.db import DEFAULT_DB_ALIAS
from django.db.models import Exists, F, FilteredRelation, OuterRef, Q, QuerySet

from accounts.models import User
from accounts.questions import NOBODY, Prepared, moment_read
from accounts.requests import KEY, whole_number
from games.history.endings import Result, result_of, with_result
from games.matchmaking.series import Score, scores_of
from games.play.models import Match, MatchQuerySet, Seat, Speed, name_at
from games.ratings.models import RatingChange
from games.titles import Title, titles

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

    @classmethod
    def of(cls, match: Match) -> Cursor:
        """Return the place of a match that has ended."""
        if match.ended_at is None:
            raise ValueError(f"{match} has not ended")
        return cls(match.ended_at, match.pk)

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
class Player:
    """A seat of a match in a list; of its `user` only what `_OF_USER` names is loaded."""

    user: User | None
    bot: str | None
    namesake: int
    place: int | None
    score: int | None

    @property
    def name(self) -> str:
        return name_at(self.bot, self.namesake, self.user)

    @property
    def is_guest(self) -> bool:
        return self.user is not None and self.user.guest


@dataclass(frozen=True, slots=True)
class Row:
    """A finished match in a list: what lists show of it, as to load all of a match takes a multiple of the time.

    `result` and `change` are those of the player asked for.
    """

    key: int
    slug: str
    title: Title
    speed: Speed
    rated: bool
    practice: bool
    hints: bool
    is_public: bool
    ended_at: datetime
    series: Score | None
    seats: tuple[Player, ...]
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

    def of_page(self, keys: Any) -> MatchQuerySet:
        """Return the query for the matches of this part, one more than a page has."""
        order = ("ended_at", "pk") if self.upwards else ("-ended_at", "-pk")
        return Match.objects.filter(pk__in=keys).order_by(*order)[: self.size + 1]

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
    found = _rows(reader, window)
    more, found = len(found) > size, found[:size]
    if window.upwards:
        found.reverse()
    keys = [Cursor(row.ended_at, row.key) for row in found]
    beyond_newer = more if window.upwards else before is not None
    beyond_older = True if window.upwards else more
    newer, older = keys[0] if keys and beyond_newer else None, keys[-1] if keys and beyond_older else None
    return ArchivePage(tuple(found), newer, older)


def found_by(reader: Any, window: Window) -> MatchQuerySet:
    """Return the query for the matches of a page and one more, of which the benchmark shows the plan."""
    people, asked = _question(reader, window)
    return window.of_page(_KEYS.within(people, **asked))


def _question(reader: Any, window: Window) -> tuple[list[int], dict[str, Any]]:
    """Return what `_keys` and `_lines` are asked: about which people, and the rest."""
    player = window.filters.player
    anybody = replace(window, filters=replace(window.filters, player=None))
    asked = {"window": anybody, "known": reader.is_authenticated, "named": player is not None}
    return [it.pk or NOBODY for it in (reader, player or reader)], asked


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


# --- the rows of a page -----------------------------------------------------------------------------------------------


class _Line(NamedTuple):
    """What is asked about each seat in the matches of a page, as the database gives it."""

    match: int
    slug: str
    game: str
    speed: str
    rated: bool
    practice: bool
    hints: bool
    visibility: str
    ended_at: datetime
    series: int | None
    number: int | None
    user: int | None
    username: str
    is_active: bool
    guest: bool
    bot_since: datetime | None
    bot: str | None
    namesake: int
    place: int | None
    score: int | None
    before: int | None = None
    after: int = 0
    games_before: int = 0


_OF_MATCH = ("slug", "game", "speed", "rated", "practice", "hints", "visibility", "ended_at")
_OF_SERIES = ("series", "number")
_OF_USER = ("username", "is_active", "guest", "bot_since")
_OF_SEAT = ("bot", "namesake", "place", "score")
_OF_CHANGE = ("before", "after", "games_before")
"""The fields of a `_Line` in their order; there are those of a change if a player is asked for."""


def _lines(people: Collection[int], *, window: Window, known: bool, named: bool) -> QuerySet[Any, Any]:
    """Return the query for the lines of a page and of one match more; for the arguments see `_keys`."""
    found = window.of_page(_keys(people, window=window, known=known, named=named))
    order = ("match__ended_at", "match") if window.upwards else ("-match__ended_at", "-match")
    seats = Seat.objects.filter(match__in=found.values("pk")).order_by(*order, "number")
    of_match, of_series = _below("match", _OF_MATCH), _below("match__in_series", _OF_SERIES)
    columns = ("match", *of_match, *of_series, "user", *_below("user", _OF_USER), *_OF_SEAT)
    if not named:
        return seats.values_list(*columns)
    _reader, player = people
    of_player = FilteredRelation("match__rating_changes", condition=Q(match__rating_changes__user=player))
    return seats.annotate(change=of_player).values_list(*columns, *_below("change", _OF_CHANGE))


def _below(relation: str, names: Iterable[str]) -> Iterable[str]:
    return (f"{relation}__{name}" for name in names)


_LINES = Prepared(_lines)


def _rows(reader: Any, window: Window) -> list[Row]:
    people, asked = _question(reader, window)
    lines = [_Line(*line) for line in _LINES.of(people, **asked)]
    users = {it.user: _user(it) for it in lines if it.user is not None}
    scores = scores_of({it.match: (it.series, it.number) for it in lines if it.series and it.number})
    player = window.filters.player
    return [_row(list(of_match), users, scores, player) for _match, of_match in groupby(lines, key=itemgetter(0))]


def _user(line: _Line) -> User:
    since = line.bot_since and moment_read(line.bot_since)
    return User.from_db(
        DEFAULT_DB_ALIAS, ("id", *_OF_USER), (line.user, line.username, line.is_active, line.guest, since)
    )


def _row(lines: Sequence[_Line], users: Mapping[int, User], scores: Mapping[int, Score], player: User | None) -> Row:
    seats = tuple(Player(users.get(it.user or NOBODY), it.bot, it.namesake, it.place, it.score) for it in lines)
    mine = next((seat for seat in seats if player is not None and seat.user == player), None)
    it = lines[0]
    change = None if it.before is None else RatingChange(before=it.before, after=it.after, games_before=it.games_before)
    return Row(
        key=it.match,
        slug=it.slug,
        title=titles()[it.game],
        speed=Speed(it.speed),
        rated=it.rated,
        practice=it.practice,
        hints=it.hints,
        is_public=it.visibility == Match.Visibility.PUBLIC,
        ended_at=moment_read(it.ended_at),
        series=scores.get(it.match),
        seats=seats,
        result=None if mine is None else result_of(mine, seats),
        change=change,
    )
