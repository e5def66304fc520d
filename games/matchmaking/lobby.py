"""The lists of matches: the lobby, somebody's own matches, tables of people they know, and how many people are here.

The lobby is loaded once for all who look at the same time, and rendered once for each language and time zone: nothing
in it depends on the reader, unless they ask for tables they can join, and it contains no private table. Readers' own
tables and invitations are loaded separately.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar
from zlib import crc32

from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    prefetch_related_objects,
)
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from accounts import relations
from accounts.models import Block, User
from accounts.questions import Prepared
from accounts.relations import blocked_with, is_friend_of
from accounts.requests import whole_number
from accounts.services import is_shown_here, people_here
from games.matchmaking.filters import Filters, listed_tables, number_listed
from games.matchmaking.limits import fresh_tables, is_expired
from games.matchmaking.models import Invitation, Promise, Removal
from games.matchmaking.requirements import could_sit, reader_of
from games.play.boards.fragments import shown_clock
from games.play.boards.pictures import thumbnails
from games.play.models import Match, MatchQuerySet, Seat, Speed
from games.ratings.services import RatingKey, ratings_beside
from games.titles import Title, titles


@dataclass(frozen=True, slots=True)
class Entry:
    """An item of a list.

    Args:
        name: its id in the page.
        version: a checksum of its markup.
        html: the whole item.
    """

    name: str
    version: str
    html: SafeString


@dataclass(frozen=True, slots=True)
class Listing:
    """A list, and what is shown below it.

    Args:
        entries: in their order.
        more: whether the list was cut off, so that an entry missing from it may still exist.
        below: markup below the list.
    """

    entries: Sequence[Entry]
    more: bool = False
    below: SafeString = field(default_factory=SafeString)

    @property
    def html(self) -> SafeString:
        return mark_safe("".join(entry.html for entry in self.entries))  # noqa: S308  # entries escape what they show


@dataclass(frozen=True, slots=True)
class Sent:
    """What a page shows of a list: the version of each entry, in order, and the rest."""

    versions: Mapping[str, str]
    more: bool
    below: str


def entry(name: str, template: str, key: float, context: Mapping[str, Any], kind: str = "card") -> Entry:
    """Return an item rendered from a template.

    Args:
        name: its id.
        template: of its inside, in Jinja.
        key: what the list is ordered by, descending.
        context: of the template.
        kind: its CSS classes.
    """
    inside = render_to_string(template, dict(context), using="boards")
    version = f"{crc32(inside.encode()):08x}"
    item = '<li class="{}" id="{}" data-key="{}" data-version="{}">{}</li>\n'
    return Entry(name, version, format_html(item, kind, name, key, version, mark_safe(inside)))  # noqa: S308


def sent(listing: Listing) -> Sent:
    return Sent({it.name: it.version for it in listing.entries}, listing.more, listing.below)


def listing_changes(listing: Listing, before: Sent | None) -> dict[str, Any] | None:
    """Return what to push to a page that has `before`; None if it shows the list as it is."""
    now = sent(listing)
    if before is not None and now == before and list(now.versions) == list(before.versions):
        return None
    known = before.versions if before else {}
    return {
        "order": list(now.versions),
        "fresh": {it.name: it.html for it in listing.entries if known.get(it.name) != it.version},
        "more": listing.more,
        "below": listing.below,
    }


# --- the lobby --------------------------------------------------------------------------------------------------------

PAGE = 36
"""Open tables on one page."""

MOST_PAGES = 999
MOST_RUNNING = 20
MOST_CACHED = 100

T = TypeVar("T")
_lock = threading.RLock()  # what is loaded may ask for other shared values
_cache: dict[Hashable, tuple[float, Any]] = {}
"""What readers share, by what it is: when its loading began, in monotonic time, and the value.

Not one of Django's caches: those keep a value for a time, here each reader says how old it may be; and they pickle it.
"""


def shared(key: Hashable, not_before: float, load: Callable[[], T]) -> T:
    """Return a value as of a monotonic time or later; readers who ask together load it once."""
    with _lock:
        found = _cache.get(key)
        if found is None or found[0] < not_before:
            if len(_cache) >= MOST_CACHED:
                _cache.clear()
            found = _cache[key] = time.monotonic(), load()
        value: T = found[1]
        return value


MOST_ENTRIES = 2_000
"""Rendered entries of the lobby, some 3 kB each, in every language."""

_entries: dict[Hashable, Entry] = {}


def _once(match: Match, ratings: Mapping[RatingKey, str], told: tuple[bool, ...], render: Callable[[], Entry]) -> Entry:
    """Return the entry of a match, rendered once for all that it shows: most are the same at the next look.

    Args:
        match: with its people.
        ratings: of theirs.
        told: what else the entry depends on.
        render: makes it.
    """
    people = tuple(
        (seat.name, seat.is_guest, ratings.get((seat.user_id, match.game, match.speed))) for seat in match.seats.all()
    )
    zone = timezone.get_current_timezone_name()
    key = (match.slug, match.version, match.status, people, told, get_language(), zone)
    found = _entries.get(key)
    if found is None:
        if len(_entries) >= MOST_ENTRIES:
            _entries.clear()
        found = _entries[key] = render()
    return found


def forget_lobby() -> None:
    """Clear what this process has cached, for instance because another database is used."""
    with _lock:
        _cache.clear()
        _entries.clear()


@dataclass(frozen=True, slots=True)
class Page:
    """One page of open tables at one moment, rendered once for each language and time zone.

    Args:
        filters: what they were chosen by.
        number: from 1.
        tables: public open tables, the newest first, with seats.
        more: whether there are older ones on the next page.
        ratings: of those who sit there.
        here: the hosts who are online and show it.
    """

    filters: Filters
    number: int
    tables: Sequence[Match]
    more: bool
    ratings: Mapping[RatingKey, str]
    here: Collection[int]
    _rendered: dict[tuple[str | None, str, bool], Listing] = field(default_factory=dict)

    def listing(self, signed_in: bool, apart: Collection[int] = ()) -> Listing:
        """Return the tables, in the active language and time zone.

        Args:
            signed_in: add buttons to sit down at rated tables, too; a visitor sits down as a guest.
            apart: leave out the tables of these people.
        """
        key = (get_language(), timezone.get_current_timezone_name(), signed_in)
        if key not in self._rendered:
            entries = [
                _once(it, self.ratings, (signed_in, it.host_id in self.here), partial(self._entry, it, signed_in))
                for it in self.tables
            ]
            pages = render_to_string("matchmaking/pages.jinja", {"page": self}, using="boards")
            self._rendered[key] = Listing(entries, self.more, mark_safe(pages))  # noqa: S308  # its template escapes
        found = self._rendered[key]
        hidden = {f"table-{match.slug}" for match in self.tables if apart and is_of(match, apart)}
        return replace(found, entries=[it for it in found.entries if it.name not in hidden]) if hidden else found

    def _entry(self, match: Match, signed_in: bool) -> Entry:
        here = match.host_id in self.here
        context = {"match": match, "ratings": self.ratings, "signed_in": signed_in, "here": here}
        key = match.created_at.timestamp()
        return entry(f"table-{match.slug}", "matchmaking/table_row.jinja", key, context, "card table-row")


def is_of(match: Match, people: Collection[int]) -> bool:
    """Return whether one of these people hosts a table, or sits there."""
    return match.host_id in people or any(seat.user_id in people for seat in match.seats.all())


_RUNNING = "running-"


@dataclass(frozen=True, slots=True)
class Running:
    """The public matches of several players at one moment, the latest begun first."""

    matches: Sequence[Match]
    ratings: Mapping[RatingKey, str]
    pictures: Mapping[int, SafeString]
    _rendered: dict[str | None, Listing] = field(default_factory=dict)

    def listing(self) -> Listing:
        """Return the matches to watch, in the active language."""
        language = get_language()
        if language not in self._rendered:
            more = len(self.matches) >= MOST_RUNNING
            entries = [_once(it, self.ratings, (), partial(self._entry, it)) for it in self.matches]
            self._rendered[language] = Listing(entries, more)
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
    """Return a page as of this monotonic time or later, shared between readers.

    Args:
        number: from 1.
        not_before: monotonic time.
        filters: what to list.
        user: who looks; needed for `Filters.joinable`, which visitors do not have.
    """
    known = user is not None and user.is_authenticated
    filters = filters if known else replace(filters, joinable="")

    def load() -> Page:
        last = number * PAGE
        found = listed_tables(filters, last + 1, reader_of(user) if filters.joinable else None)
        listed = with_people(Match.objects.filter(pk__in=found[last - PAGE : last]))
        tables = list(listed.select_related("host__sighting").order_by("-created_at", "-pk"))
        here = frozenset(table.host.pk for table in tables if table.host is not None and is_shown_here(table.host))
        return Page(filters, number, tables, len(found) > last, ratings_beside(tables), here)

    return shared((filters, number, user.pk if filters.joinable else None), not_before, load)


def lists_for(user: Any, number: int, filters: Filters, not_before: float) -> tuple[str, dict[str, Listing]]:
    """Return a reader's own tables and the lists of the lobby, in the active language; see `lobby_page`."""
    known = user.is_authenticated
    page, running = lobby_page(number, not_before, filters, user), running_matches(not_before)
    own = own_tables(user) if known else ""
    return own, {"tables": page.listing(known, blocked_with(user)), "running": running.listing()}


def running_matches(not_before: float) -> Running:
    """Return the matches to watch as of this monotonic time or later, shared between readers."""

    def load() -> Running:
        public = Match.objects.filter(visibility=Match.Visibility.PUBLIC)
        running = public.filter(status=Match.Status.RUNNING, seat_count__gt=1).order_by("-started_at", "-pk")
        matches = list(with_people(running)[:MOST_RUNNING])
        return Running(matches, ratings_beside(matches), thumbnails(matches))

    return shared("running", not_before, load)


def open_tables(not_before: float) -> int:
    """Return how many tables the lobby lists, as of this monotonic time or later, shared between readers."""
    return shared("open", not_before, number_listed)


def own_tables(user: Any) -> str:
    """Return the rendered list of tables where a user sits, to which they are invited, and of friends; "" for none.

    Planned tables to which they come or are invited are in it, too.
    """
    now = timezone.now()
    mine = Match.objects.filter(pk__in=_TABLES.within([user.pk], now)).order_by("created_at", "pk")
    asked = ExpressionWrapper(Q(pk__in=_ASKED.within([user.pk], now)), BooleanField())
    found = [it for it in with_people(mine.annotate(asked=asked)) if not is_expired(it)]
    if not found:
        return ""
    ahead = sorted((it for it in found if it.is_planned), key=lambda it: (it.opens_at or _LAST, it.pk))
    prefetch_related_objects(ahead, Prefetch("promises", Promise.objects.select_related("user")))
    lists: dict[str, list[Match]] = {"seated": [], "invited": [], "of_friends": []}
    for table in found:
        if table.is_open:
            sits = seat_of(user, table) is not None
            lists["seated" if sits else "invited" if vars(table)["asked"] else "of_friends"].append(table)
    shown = {**lists, "planned": ahead, "user": user, "ratings": ratings_beside(found)}
    return render_to_string("matchmaking/own.jinja", shown, using="boards")


def _tables_of(people: Collection[int], now: datetime) -> QuerySet[Any, Any]:
    """Return the query for the tables among the reader's own in the lobby."""
    (user,) = people
    seats = Seat.objects.filter(match__status=Match.Status.OPEN, user=user, ended_at=None).order_by()
    promises = Promise.objects.filter(match__status=Match.Status.PLANNED, user=user).order_by()
    for_friends = Match.objects.filter(status=Match.Status.OPEN, visibility=Match.Visibility.FRIENDS)
    hosts = User.objects.filter(is_friend_of(user)).values("pk")
    return seats.values("match").union(
        promises.values("match"), _asked(people, now), for_friends.filter(host__in=hosts).values("pk")
    )


def _asked(people: Collection[int], now: datetime) -> QuerySet[Any, Any]:
    """Return the query for the tables to which a user is invited: not by people from whom they are kept apart."""
    (user,) = people
    blocks = Block.objects.filter(Q(by=user, blocked=OuterRef("by")) | Q(by=OuterRef("by"), blocked=user))
    removals = Removal.objects.filter(user=user, match=OuterRef("match"))
    answerable = Invitation.objects.answerable(now).filter(~Exists(blocks), ~Exists(removals), user=user)
    return answerable.values("match")


_TABLES, _ASKED = Prepared(_tables_of), Prepared(_asked)


def seat_of(user: Any, match: Match) -> Seat | None:
    """Return a user's seat in a match loaded `with_people`, None if they have none."""
    return next((seat for seat in match.seats.all() if seat.user_id == user.pk), None)


def with_people(matches: MatchQuerySet) -> MatchQuerySet:
    """Load matches with their seats and players."""
    seats = Prefetch("seats", Seat.objects.select_related("user"))
    return matches.select_related("host").defer("state", "server_seed").prefetch_related(seats)


# --- somebody's own matches -------------------------------------------------------------------------------------------

RECENT = 10
_LAST = datetime.max.replace(tzinfo=UTC)
"""Sorts what has no moment behind everything that has one."""


@dataclass(frozen=True, slots=True)
class OwnMatches:
    """The lists of the page "My matches".

    Args:
        waiting: it is the user's turn; those that have waited longest first.
        running: it is somebody else's turn; the latest action first.
        seated, invited: open tables at which they sit, and to which they are invited.
        recent: ended, the latest first.
    """

    waiting: list[Match]
    running: list[Match]
    seated: list[Match]
    invited: list[Match]
    recent: list[Match]


def matches_of(user: Any, recent: int = RECENT) -> OwnMatches:
    """Return a user's matches, all loaded at once.

    Args:
        user: whose matches.
        recent: how many that have ended.
    """
    keys = _MATCHES.within([user.pk], timezone.now(), recent=recent)
    found = list(with_people(Match.objects.filter(pk__in=keys)).order_by("created_at", "pk"))
    mine = {it: seat for it in found if (seat := seat_of(user, it)) is not None}
    waiting = [it for it, seat in mine.items() if it.is_running and seat.to_move]
    running = [it for it in mine if it.is_running and it not in waiting]
    tables = [it for it in found if it.status == Match.Status.OPEN and not is_expired(it)]
    over = sorted((it for it in mine if it.has_ended), key=lambda it: (it.ended_at or _LAST, it.pk), reverse=True)
    return OwnMatches(
        waiting=sorted(waiting, key=lambda it: (mine[it].deadline or _LAST, it.moved_at or _LAST, it.pk)),
        running=sorted(running, key=lambda it: (it.moved_at or _LAST, it.pk), reverse=True),
        seated=[it for it in tables if it in mine],
        invited=[it for it in tables if it not in mine],
        recent=over[:recent],
    )


def _matches_of(people: Collection[int], now: datetime, *, recent: int) -> QuerySet[Any, Any]:
    """Return the query for the keys of a user's matches, of those that have ended so many."""
    (user,) = people
    seats = Seat.objects.filter(user=user).order_by()
    # Looked up by id once more: SQLite allows a limit in a subquery, but not in a part of a union.
    ended = seats.filter(ended_at__isnull=False).order_by("-ended_at", "-match")[:recent]
    latest = Seat.objects.filter(pk__in=ended.values("pk")).order_by()
    return seats.filter(ended_at=None).values("match").union(latest.values("match"), _asked(people, now))


_MATCHES = Prepared(_matches_of)


def listings_of(user: Any, mine: OwnMatches) -> Mapping[str, Listing]:
    """Return the lists as the page shows them, by the name of the list."""
    lists = {field.name: getattr(mine, field.name) for field in fields(mine)}
    everything = [match for matches in lists.values() for match in matches]
    ratings, pictures = ratings_beside(everything), thumbnails(everything)

    def own_entry(match: Match, name: str) -> Entry:
        own = seat_of(user, match)
        context = {
            "user": user,
            "list": name,
            "match": match,
            "ratings": ratings,
            "picture": pictures.get(match.pk, ""),
            "clock": shown_clock(match, own) if own is not None and own.to_move else None,
        }
        kind = "card match-row accent" if name == "waiting" else "card match-row"
        return entry(f"my-{name}-{match.slug}", "matchmaking/mine_row.jinja", 0, context, kind)

    return {name: Listing([own_entry(match, name) for match in matches]) for name, matches in lists.items()}


def versions_of(user: Any) -> dict[int, int]:
    """Return the versions of a user's matches by key, in one query: while they are equal, no list has changed."""
    begun = [Match.Status.OPEN, Match.Status.RUNNING]
    seats = Seat.objects.filter(user=user).values("match")
    invited = Match.objects.filter(pk__in=Invitation.objects.answerable().filter(user=user).values("match"))
    own = Match.objects.filter(pk__in=seats, status__in=begun)
    return dict(own.values_list("pk", "version").union(invited.values_list("pk", "version")))


# --- people who are here, and their tables ----------------------------------------------------------------------------


def running_live() -> MatchQuerySet:
    """Return the running live matches of several people."""
    return Match.objects.filter(status=Match.Status.RUNNING, speed=Speed.LIVE, seat_count__gt=1)


def listed_for(circle: relations.Circle) -> Q:
    """Return the condition on matches that are listed for somebody: public ones, and those for friends of theirs.

    Args:
        circle: the people around them.
    """
    return Q(visibility=Match.Visibility.PUBLIC) | Q(visibility=Match.Visibility.FRIENDS, host__in=circle.friends)


def open_to(reader: Any, hosts_or_guests: Iterable[int], circle: relations.Circle) -> list[Match]:
    """Return the open tables where these people sit and the reader could sit down, the newest first.

    Args:
        reader: who looks.
        hosts_or_guests: the keys of these people.
        circle: the people around the reader.
    """
    tables = fresh_tables().filter(listed_for(circle), previous=None, seats__user__in=set(hosts_or_guests))
    found = list(with_people(tables.distinct()).prefetch_related("promises").order_by("-created_at", "-pk"))
    if not found:
        return []
    seeker = reader_of(reader, circle)
    return [match for match in found if could_sit(match, seeker)]


def tables_of_friends(reader: Any, circle: relations.Circle) -> list[Match]:
    """Return the open tables where friends sit, or people whom the reader follows.

    Args:
        reader: who looks.
        circle: the people around them.
    """
    return open_to(reader, circle.friends | circle.followed, circle)


@dataclass(frozen=True, slots=True)
class Crowd:
    """How many people are here and show it.

    Args:
        online: with a page open within the last minute, guests included.
        by_game: of these, how many play a live match with others, each counted in the one that began last.
    """

    online: int
    by_game: Mapping[str, int]

    @property
    def playing(self) -> list[tuple[Title, int]]:
        """Return the games that somebody plays, and how many do."""
        return [(title, self.by_game[slug]) for slug, title in titles().items() if slug in self.by_game]


FRESH = 10
"""How many seconds old the numbers of a `crowd` may be."""


def crowd(not_before: float) -> Crowd:
    """Return how many people are here and show it, as of this monotonic time or later, shared between readers."""

    def load() -> Crowd:
        here = people_here()
        seats = Seat.objects.filter(user__in=here.values("user"), left=None, match__in=running_live())
        game_of = dict(seats.order_by("match__started_at").values_list("user", "match__game"))
        return Crowd(here.count(), Counter(game_of.values()))

    return shared("crowd", not_before, load)
