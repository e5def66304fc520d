"""What the lobby shows: loaded once for all who look at the same time, rendered once for each language and time zone.

Nothing in a page depends on the reader, unless they ask for what is open to them, and no private table is loaded for
it; readers' own tables and invitations are loaded separately, for them alone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Prefetch, Q
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from accounts.relations import blocked_with, friends_of
from games.matchmaking import stale
from games.matchmaking.calendar import own_plans
from games.matchmaking.entries import Entry, Listing, entry
from games.matchmaking.filters import Filters
from games.matchmaking.listing import listed, number_listed
from games.matchmaking.models import Invitation, Removal
from games.matchmaking.requirements import Reader, reader_of
from games.play.boards.thumbnails import thumbnails
from games.play.models import Match, MatchQuerySet, Seat
from games.play.numbers import whole_number
from games.ratings.services import RatingKey, ratings_beside

PAGE = 36
"""Open tables on one page."""

MOST_PAGES = 999
MOST_RUNNING = 20
MOST_KEPT = 100
"""Pages kept in memory for others who ask for the same one."""

_lock = threading.Lock()
_latest: dict[tuple[Filters, int, int | None], Page] = {}
_running: list[Running] = []
_counted: list[tuple[float, int]] = []


@dataclass(frozen=True, slots=True)
class Page:
    """One page of open tables at one moment.

    Args:
        taken: monotonic time before loading began.
        filters: what they were chosen by.
        number: from 1.
        tables: public open tables, the newest first, with seats.
        more: whether there are older ones on the next page.
        ratings: of those who sit there.
    """

    taken: float
    filters: Filters
    number: int
    tables: Sequence[Match]
    more: bool
    ratings: Mapping[RatingKey, str]
    _rendered: dict[tuple[str | None, str, bool], Listing] = field(default_factory=dict)

    def listing(self, signed_in: bool, apart: Collection[int] = ()) -> Listing:
        """Return the tables as everyone sees them, in the active language and time zone.

        Args:
            signed_in: add buttons to sit down.
            apart: leave out tables of these people, from whom a block keeps the reader apart.
        """
        key = (get_language(), timezone.get_current_timezone_name(), signed_in)
        if key not in self._rendered:
            self._rendered[key] = Listing([self._entry(it, signed_in) for it in self.tables], self.more, self._pages())
        found = self._rendered[key]
        hidden = {_name(match) for match in self.tables if apart and is_of(match, apart)}
        return replace(found, entries=[it for it in found.entries if it.name not in hidden]) if hidden else found

    def _entry(self, match: Match, signed_in: bool) -> Entry:
        context = {"match": match, "ratings": self.ratings, "signed_in": signed_in}
        return entry(
            _name(match), "matchmaking/table_row.jinja", match.created_at.timestamp(), context, "card table-row"
        )

    def _pages(self) -> SafeString:
        html = render_to_string("matchmaking/pages.jinja", {"page": self}, using="boards")
        return mark_safe(html)  # noqa: S308  # the template escapes


def _name(match: Match) -> str:
    return f"table-{match.slug}"


def is_of(match: Match, people: Collection[int]) -> bool:
    """Return whether one of these people hosts a table, or sits there."""
    return match.host_id in people or any(seat.user_id in people for seat in match.seats.all())


_RUNNING = "running-"


@dataclass(frozen=True, slots=True)
class Running:
    """The public matches of several players at one moment, the latest begun first."""

    taken: float
    matches: Sequence[Match]
    ratings: Mapping[RatingKey, str]
    pictures: Mapping[int, SafeString]
    _rendered: dict[str | None, Listing] = field(default_factory=dict)

    def listing(self) -> Listing:
        """Return the matches to watch, in the active language."""
        language = get_language()
        if language not in self._rendered:
            more = len(self.matches) >= MOST_RUNNING
            self._rendered[language] = Listing([self._entry(match) for match in self.matches], more)
        return self._rendered[language]

    def _entry(self, match: Match) -> Entry:
        context = {"match": match, "ratings": self.ratings, "picture": self.pictures.get(match.pk, "")}
        key = match.started_at.timestamp() if match.started_at else 0
        return entry(f"{_RUNNING}{match.slug}", "matchmaking/match_row.jinja", key, context, "card match-row")


def slug_of(running: Entry) -> str:
    """Return which match an entry of `Running` is about."""
    return running.name.removeprefix(_RUNNING)


def page_number(text: str) -> int:
    """Return the page number in an address, 1 if it is invalid."""
    return whole_number(text, digits=len(str(MOST_PAGES))) or 1


def lobby_page(number: int, not_before: float, filters: Filters = Filters(), user: Any = None) -> Page:  # noqa: B008  # frozen
    """Return a page as of this monotonic time or later; readers who ask together share one query.

    Args:
        number: from 1.
        not_before: monotonic time.
        filters: what to list.
        user: who looks. Only what is open to them depends on it, and that they see alone; visitors see every table.
    """
    known = user is not None and user.is_authenticated
    filters = filters if known else replace(filters, joinable=False)
    key = filters, number, user.pk if filters.joinable else None
    with _lock:
        page = _latest.get(key)
        if page is None or page.taken < not_before:
            if len(_latest) >= MOST_KEPT:
                _latest.clear()
            page = _latest[key] = _load(number, filters, reader_of(user) if filters.joinable else None)
        return page


def lists_for(user: Any, number: int, filters: Filters, not_before: float) -> tuple[str, dict[str, Listing]]:
    """Return a reader's own tables and the lists of the lobby, in the active language; arguments as `lobby_page`."""
    known = user.is_authenticated
    page, running = lobby_page(number, not_before, filters, user), running_matches(not_before)
    own = own_tables(user) if known else ""
    return own, {"tables": page.listing(known, blocked_with(user)), "running": running.listing()}


def running_matches(not_before: float) -> Running:
    """Return the matches to watch as of this monotonic time or later, shared likewise."""
    with _lock:
        if not _running or _running[0].taken < not_before:
            taken, matches = time.monotonic(), list(_watched())
            _running[:] = [Running(taken, matches, ratings_beside(matches), thumbnails(matches))]
        return _running[0]


def open_tables(not_before: float) -> int:
    """Return how many tables all pages list together, as of this monotonic time or later, shared likewise."""
    with _lock:
        if not _counted or _counted[0][0] < not_before:
            _counted[:] = [(time.monotonic(), number_listed())]
        return _counted[0][1]


def forget() -> None:
    """Load everything anew when it is asked for next, as when another database is used."""
    with _lock:
        _latest.clear()
        _running.clear()
        _counted.clear()


def _load(number: int, filters: Filters, reader: Reader | None) -> Page:
    taken = time.monotonic()
    found = listed(filters, number * PAGE + 1, reader)
    keys = found[(number - 1) * PAGE : number * PAGE]
    tables = list(with_people(Match.objects.filter(pk__in=keys)).order_by("-created_at", "-pk"))
    return Page(taken, filters, number, tables, len(found) > number * PAGE, ratings_beside(tables))


def own_tables(user: Any) -> str:
    """Return the list of open tables where this user sits or is invited; empty if there are none."""
    seated, invited = seated_and_invited(user)
    planned = own_plans(user)
    known = {match.pk for match in (*seated, *invited)}
    close = [match for match in for_friends_of(user) if match.pk not in known]
    if not known and not planned and not close:
        return ""
    shown = {
        "seated": seated,
        "invited": invited,
        "planned": planned,
        "of_friends": close,
        "user": user,
        "ratings": ratings_beside([*seated, *invited, *close]),
    }
    return render_to_string("matchmaking/own.jinja", shown, using="boards")


def for_friends_of(user: Any) -> list[Match]:
    """Return the open tables that are for friends, of hosts who are friends of a user, the oldest first."""
    hosts = friends_of(user).order_by().values("pk")
    tables = stale.fresh_tables().filter(visibility=Match.Visibility.FRIENDS, host__in=hosts)
    return list(with_people(tables).order_by("created_at", "pk"))


def seated_and_invited(user: Any) -> tuple[list[Match], list[Match]]:
    """Return the open tables where a user sits, and those they are invited to, the oldest first."""
    waiting = Q(match__status=Match.Status.OPEN)
    seated = set(Seat.objects.filter(waiting, user=user, ended_at=None).order_by().values_list("match", flat=True))
    asked = list(Invitation.objects.answerable().filter(user=user).values_list("match", "by"))
    apart = blocked_with(user) if asked else set()
    invited = {match for match, by in asked if by not in apart}
    if not seated and not invited:
        return [], []
    invited -= set(Removal.objects.filter(user=user, match__in=invited).values_list("match", flat=True))
    tables = with_people(stale.fresh_tables().filter(pk__in=seated | invited)).order_by("created_at", "pk")
    loaded = list(tables)
    return [it for it in loaded if it.pk in seated], [it for it in loaded if it.pk not in seated]


def _watched() -> MatchQuerySet:
    running = Match.objects.filter(status=Match.Status.RUNNING, visibility=Match.Visibility.PUBLIC, seat_count__gt=1)
    return with_people(running).order_by("-started_at", "-pk")[:MOST_RUNNING]


def with_people(matches: MatchQuerySet) -> MatchQuerySet:
    """Load matches with their seats and players."""
    seats = Prefetch("seats", Seat.objects.select_related("user"))
    return matches.select_related("host").defer("state", "server_seed").prefetch_related(seats)
