"""The one line about events in the lobby and at home, and the line in the match of a heat; the list of all events."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, Final

from django.db.models import Case, Count, F, FilteredRelation, Max, Min, OuterRef, Q, QuerySet, Subquery, When
from django.utils import timezone

from accounts.questions import NOBODY, Prepared, moment_read
from games.clubs.models import Club
from games.events import formats, services, words
from games.events.access import may_know
from games.events.models import Entry, Event, Heat
from games.events.rounds import may_be_of_event
from games.play.models import Match
from games.titles import Title, titles

_GOES_ON: Final = (Event.State.OPEN, Event.State.RUNNING)


# --- in the lobby and at home -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Told(words.Described):
    """What the line says of an event that its reader is in.

    Args:
        event: with no more than it needs.
        entry: the reader's, as the event.
    """

    event: Event
    entry: Entry

    @property
    def must_confirm(self) -> bool:
        """Return whether its reader is asked whether they still want to play."""
        return self.event.asks_to_confirm(self.entry, timezone.now())

    @property
    def round(self) -> int:
        """Return which of their heats somebody is at."""
        return min(self.entry.over + 1, self.entry.drawn)

    @property
    def has_rounds(self) -> bool:
        """Return whether all rounds are drawn, so that it is known how many there are."""
        at_once = {formats.Format.LEAGUE, formats.Format.ROBIN}
        return self.entry.drawn > 0 and self.event.played_format in at_once


@dataclass(frozen=True, slots=True)
class OneLine:
    """The line about events.

    Args:
        told: of the event that concerns the reader most; None if they are in none.
        others: how many others they are in.
        starts_at: when the next leagues and ladders start that they can enter, if they are in none; None without any.
        evening: the live evening that they can enter, if they are in none.
        runs: whether there is something that they can enter at any time.
    """

    told: Told | None
    others: int
    starts_at: datetime | None
    evening: words.Named | None
    runs: bool


def _events_of(people: Collection[int]) -> QuerySet[Any, Any]:
    theirs = FilteredRelation("entries", condition=Q(entries__user__in=people))
    found = Event.objects.filter(state__in=_GOES_ON).annotate(mine=theirs)
    return (
        found.filter(Q(season__isnull=False) | Q(mine__isnull=False))
        .order_by("starts_at", "pk")
        .values_list(
            *("slug", "game", "format", "played_as", "state", "speed", "starts_at"),
            *(f"mine__{name}" for name in ("state", "confirmed_at", "place", "drawn", "over")),
        )
    )


_EVENTS_OF: Final = Prepared(_events_of)


def one_line(reader: Any) -> OneLine:
    """Return what concerns somebody most: confirming, then what runs, then what starts, then what they can enter."""
    told, starts, evening, runs = list[Told](), list[datetime](), None, False
    for slug, game, format_, played_as, state, speed, starts_at, own, confirmed_at, place, drawn, over in _EVENTS_OF.of(
        [reader.pk or NOBODY]
    ):
        event = Event(slug=slug, game=game, format=format_, played_as=played_as, state=state, speed=speed)
        event.starts_at = moment_read(starts_at)
        if own is not None and own != Entry.State.OUT:
            entry = Entry(state=own, confirmed_at=moment_read(confirmed_at), place=place, drawn=drawn, over=over)
            told.append(Told(event, entry))
        elif event.is_open and event.is_live:
            evening = evening or words.Named(event)
        elif event.is_open:
            starts.append(event.starts_at)
        else:
            runs = runs or event.played_format is formats.Format.LADDER
    told.sort(key=lambda each: (not each.must_confirm, not each.event.is_running, each.event.starts_at))
    return OneLine(told[0] if told else None, max(len(told) - 1, 0), min(starts, default=None), evening, runs)


# --- in a match -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OfHeat(words.Described):
    """The event of a match, and its round."""

    event: Event
    round: int


def heat_of(match: Match, reader: Any) -> OfHeat | None:
    """Return of which event a match is a heat; None for others, mostly without a query.

    None as well where the event is of a club that has become private since, and the reader does not belong to it.
    """
    if not may_be_of_event(match):
        return None
    heat = Heat.objects.filter(match=match).select_related("event").defer("event__drawn").first()
    if heat is None or not may_know(heat.event, reader):
        return None
    if heat.event.played_format is not formats.Format.LEAGUE:
        return OfHeat(heat.event, heat.round)
    same = heat.event.heats.filter(number=heat.number)  # drawn anew, if somebody took a place that had become free
    return OfHeat(heat.event, same.aggregate(first=Min("round"))["first"])


# --- all events -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Listed(words.Described):
    """An event in the list, and the state of its reader's entry; empty without one.

    Args:
        event: with nothing secret.
        people: how many take part.
        round: the earliest that is played, the latest if none is; None before the first.
        mine: see above.
    """

    event: Event
    people: int
    round: int | None
    mine: str

    @property
    def at_a_time(self) -> int:
        return services.suggested_at_a_time(self.event)

    @property
    def most_at_a_time(self) -> range:
        return services.at_a_time_of(self.event)

    @property
    def takes_part(self) -> bool:
        return self.mine in {Entry.State.IN, Entry.State.PAUSED}

    @property
    def may_enter(self) -> bool:
        """Return whether anybody can enter; of what runs, the page of the event says whether somebody still can."""
        return not self.takes_part and (self.event.is_open or self.event.played_format is formats.Format.LADDER)


@dataclass(frozen=True, slots=True)
class All:
    """The site's own events that people can enter or follow now.

    Args:
        evenings: the live ones, the first one first.
        games: of each game the others.
    """

    evenings: Sequence[Listed]
    games: Sequence[tuple[Title, Sequence[Listed]]]


def listed(reader: Any) -> All:
    """Return the site's own events that people can enter or follow now."""
    people = Entry.objects.filter(event=OuterRef("pk")).exclude(state=Entry.State.OUT).order_by()
    heats = Heat.objects.filter(event=OuterRef("pk")).order_by().values("event")
    found = (
        Event.objects.filter(state__in=_GOES_ON, season__isnull=False)
        .defer("server_seed", "drawn")
        .annotate(
            mine=FilteredRelation("entries", condition=Q(entries__user=reader.pk or NOBODY)),
            own_state=F("mine__state"),
            people=Subquery(people.values("event").annotate(n=Count("pk")).values("n")),
            going=Subquery(heats.filter(over_at=None).annotate(n=Min("round")).values("n")),
            latest=Subquery(heats.annotate(n=Max("round")).values("n")),
        )
        .order_by("game", "format", "starts_at")
    )
    rows = [Listed(it, it.people or 0, it.going or it.latest, it.own_state or "") for it in found]
    by_game: Mapping[str, list[Listed]] = {
        game: [row for row in there if not row.event.is_evening]
        for game, there in groupby(rows, lambda row: row.event.game)
    }
    order = list(formats.Format)
    games = [
        (title, sorted(by_game.get(game, []), key=lambda it: order.index(formats.Format(it.event.format))))
        for game, title in titles().items()
    ]
    evenings = sorted((row for row in rows if row.event.is_evening), key=lambda row: row.event.starts_at)
    return All(evenings, games)


OF_CLUB: Final = 20
"""How many events the page of a club lists."""


def of_club(club: Club) -> Sequence[Event]:
    """Return the events of a club, those that go on first, then those that were over lately."""
    order = Case(When(state__in=_GOES_ON, then=0), default=1)
    found = club.events.defer("server_seed", "drawn").annotate(is_past=order)
    return list(found.order_by("is_past", "-starts_at")[:OF_CLUB])


_LATELY: Final = timedelta(weeks=26)
_MOST: Final = 12


def ended() -> Sequence[Event]:
    """Return the events that were over lately."""
    since = timezone.now() - _LATELY
    over = Event.objects.filter(state=Event.State.OVER, season__isnull=False, starts_at__gt=since)
    return list(over.defer("server_seed", "drawn").order_by("-starts_at", "game")[:_MOST])
