"""What the page of an event shows its reader: at first as a whole, then the parts of it that change (`consumers`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any, Final, TypeAlias

from django.conf import settings
from django.db.models import Count, F, Max, Q
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString

from games.events import access, formats, services, words
from games.events.formats.league import current
from games.events.formats.points import shares
from games.events.models import Entry, Event, Heat
from games.events.rounds import as_drawn, plan_of, players_of
from games.play.boards.pictures import thumbnails
from games.play.models import Match, Ruling

_ROUND_BY_ROUND: Final = {formats.Format.SWISS, formats.Format.KNOCKOUT}

BOARDS: Final = 6
"""How many running matches are shown with their boards."""
ROUNDS: Final = 10
"""How many rounds are listed; a ladder has one each night."""
ROUND_DIGITS: Final = 5
"""How many digits the number of a round has at most."""

BOARDS_PART: Final = "event-boards"
PARTS: Final = ("event-now", "event-people", BOARDS_PART, "event-rounds")
"""The ids of the parts of the page that change while it is open; each has a template of its own."""

Version: TypeAlias = tuple[Any, ...]
"""What tells whether an event has changed."""

_ENDLESS: Final = {formats.Format.LADDER, formats.Format.ARENA}
"""Formats with round after round, of which a page loads only those that it lists, and what still runs."""


def version_of(event: Event) -> Version:
    """Return what is another value after anything that the page of an event, just loaded, tells."""
    asks = event.is_open and event.confirm_from <= timezone.now()
    people = event.entries.aggregate(
        entered=Count("pk"),
        paused=Count("pk", Q(state=Entry.State.PAUSED)),
        out=Count("pk", Q(state=Entry.State.OUT)),
        confirmed=Max("confirmed_at"),
        filled=Max("filler"),
    )
    return event.state, event.played_as, event.next_at, asks, *people.values(), *_counts(event)


def _counts(event: Event) -> tuple[Any, ...]:
    """Return what is another value after anything has happened in the heats of an event, by two queries.

    The first three are how many heats there are, how many of them are over, and the latest round.
    """
    heats = event.heats.aggregate(
        heats=Count("pk"), over=Count("over_at"), rounds=Max("round"), begun=Count("begun_at"), last=Max("over_at")
    )
    ruled = Ruling.objects.filter(match__heat__event=event).aggregate(rulings=Count("pk"), at=Max("at"))
    return *heats.values(), *ruled.values()


@dataclass(frozen=True, slots=True)
class _Asked:
    """Everything that the standings of an event follow from; its heats as `_counts`."""

    event: int
    plan: formats.Plan
    players: tuple[formats.Player, ...]
    counts: tuple[Any, ...]


@lru_cache(maxsize=128)
def _standings(asked: _Asked) -> Sequence[formats.Row]:
    """Compute the standings from all heats, once until something happens: a ladder has more of them every night."""
    heats = [as_drawn(heat) for heat in Heat.objects.filter(event=asked.event)]
    return tuple(formats.standings(asked.plan, asked.players, heats))


def next_round_at(event: Event, now: datetime) -> datetime | None:
    """Return when people are paired next in an event; None if it is over, or if that is not at a time."""
    if event.has_ended:
        return None
    if event.is_open:
        return event.starts_at
    plan = plan_of(event, ())
    return formats.next_at(plan, (), (), now) if plan.format is formats.Format.LADDER else None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the standings."""

    row: formats.Row
    entry: Entry
    is_mine: bool

    @property
    def points(self) -> str:
        return words.points_in_words(self.row.points)


@dataclass(frozen=True, slots=True)
class Sat:
    """Somebody in a heat, with the points they got; none before it is over, or if it does not count."""

    entry: Entry
    points: str


@dataclass(frozen=True, slots=True)
class Meeting:
    """A heat in a list; `slug` is the address of its match, empty without one."""

    heat: Heat
    people: Sequence[Sat]
    slug: str

    @property
    def is_over(self) -> bool:
        return self.heat.over_at is not None

    @property
    def is_running(self) -> bool:
        return self.heat.begun_at is not None and not self.is_over

    @property
    def counts(self) -> bool:
        return self.heat.places is not None


@dataclass(frozen=True, slots=True)
class Round:
    """A round with its heats."""

    number: int
    meetings: Sequence[Meeting]

    @property
    def is_over(self) -> bool:
        return all(meeting.is_over for meeting in self.meetings)


@dataclass(frozen=True, slots=True)
class Board:
    """A running match with a picture of its position."""

    match: Match
    picture: SafeString | None


class EventPage(words.Described):
    """An event as its reader sees it.

    Args:
        event: whichever.
        reader: a user, also a guest or a visitor.
        before: rounds before this one are listed; None for the latest.
    """

    def __init__(self, event: Event, reader: Any, before: int | None = None) -> None:
        self.event, self.reader, self.before, self._now = event, reader, before, timezone.now()
        self._plan = plan_of(event, ())  # who is kept apart changes nothing here

    @cached_property
    def entries(self) -> list[Entry]:
        return list(self.event.entries.select_related("user"))

    @cached_property
    def mine(self) -> Entry | None:
        key = self.reader.pk
        return next((entry for entry in self.entries if key and entry.user_id == key), None)

    @cached_property
    def _people(self) -> Mapping[int, Entry]:
        return {entry.number: entry for entry in self.entries}

    @cached_property
    def _players(self) -> list[formats.Player]:
        return players_of(self.entries)

    @cached_property
    def _counts(self) -> tuple[Any, ...]:
        return _counts(self.event)

    @cached_property
    def _heats(self) -> list[Heat]:
        """Return the heats, each with the address of its match as `slug`; of an endless event those that are shown."""
        heats = self.event.heats.annotate(slug=F("match__slug"))
        if self._plan.format in _ENDLESS:
            latest = min(self.before - 1 if self.before else self._latest, self._latest)
            heats = heats.filter(Q(round__gt=latest - ROUNDS, round__lte=latest) | Q(over_at=None))
        return list(heats)

    @cached_property
    def _drawn(self) -> list[formats.Heat]:
        return [as_drawn(heat) for heat in self._heats]

    @property
    def _latest(self) -> int:
        """Return the latest round, 0 before the first."""
        return self._counts[2] or 0

    # --- what it is ---------------------------------------------------------------------------------------------------

    @cached_property
    def after(self) -> Event | None:
        """Return the next season, if there is one."""
        return Event.objects.filter(before=self.event).defer("server_seed", "drawn").first()

    @property
    def seed(self) -> str:
        """Return the seed in hex once the event is over; empty before."""
        return bytes(self.event.server_seed).hex() if self.event.state == Event.State.OVER else ""

    @property
    def nonce(self) -> str:
        """Return in hex what the reader's browser added; empty if nothing."""
        return bytes(self.mine.nonce).hex() if self.mine else ""

    @property
    def is_ladder(self) -> bool:
        return self._plan.format is formats.Format.LADDER

    @property
    def is_smaller(self) -> bool:
        """Return whether too few people had come for the format that was announced."""
        return bool(self.event.played_as)

    @property
    def missing(self) -> int:
        """Return how many people an arena waits for until it opens, once its time has come or is near."""
        return 0 if self.event.has_ended else formats.missing(self._plan, self._players, self._drawn)

    @property
    def round_ends_at(self) -> datetime | None:
        """Return when the round that is played is over at the latest, if another one follows it then."""
        if not (self.event.is_running and self.event.round_length) or self._plan.format not in _ROUND_BY_ROUND:
            return None
        latest = max(self._drawn, key=lambda heat: heat.round, default=None)
        is_last = latest is not None and latest.round == self._plan.rounds
        return latest.drawn_at + self.event.round_length if latest is not None and not is_last else None

    @property
    def ends_sooner(self) -> bool:
        """Return whether it can be over before its end."""
        return self._plan.format in {*_ROUND_BY_ROUND, formats.Format.ROBIN}

    @property
    def plan(self) -> list[tuple[str, str]]:
        """Return what an event of this format has besides, each as a name and a value in words."""
        return words.plan_in_words(self.event)

    @property
    def taking_part(self) -> list[Entry]:
        return [entry for entry in self.entries if not entry.is_out]

    @property
    def next_round_at(self) -> datetime | None:
        """Return when people are paired next, if that is at a time."""
        return next_round_at(self.event, self._now)

    # --- what its reader can do ---------------------------------------------------------------------------------------

    @property
    def takes_part(self) -> bool:
        return self.mine is not None and not self.mine.is_out

    @property
    def may_enter(self) -> bool:
        """Return whether somebody who does not take part can."""
        if self.takes_part or self.event.has_ended or not self.is_for_reader:
            return False
        return formats.may_join(self._plan, self._players, self._drawn, self._now)

    @cached_property
    def is_for_reader(self) -> bool:
        return access.is_for(self.event, self.reader)

    @cached_property
    def organises(self) -> bool:
        """Return whether its reader can change and cancel it, before it starts."""
        return self.event.is_open and access.organises(self.event, self.reader)

    @property
    def may_change(self) -> bool:
        return self.takes_part and not self.event.has_ended

    @property
    def may_confirm(self) -> bool:
        return self.mine is not None and self.event.asks_to_confirm(self.mine, self._now)

    @property
    def cost_of_leaving(self) -> str:
        return words.cost_of_leaving(self.event)

    # --- who stands where ---------------------------------------------------------------------------------------------

    @cached_property
    def lines(self) -> list[Line]:
        mine = self.mine.number if self.mine else None
        rows = _standings(_Asked(self.event.pk, self._plan, tuple(self._players), self._counts))
        return [Line(row, self._people[row.person], row.person == mine) for row in rows]

    @property
    def divisions(self) -> list[tuple[int, list[Line]]]:
        return [(number, list(there)) for number, there in groupby(self.lines, lambda line: line.row.division)]

    @property
    def my_line(self) -> Line | None:
        return next((line for line in self.lines if line.is_mine), None)

    @cached_property
    def podium(self) -> list[Line]:
        """Return the first three, of the best division, once the event is over."""
        if self.event.state != Event.State.OVER:
            return []
        return [line for line in self.lines if line.row.division == 1 and line.row.heats][:3]

    @property
    def address(self) -> str:
        """Return the whole address of the page, to pass on."""
        return f"{settings.SITE_URL}{self.event.get_absolute_url()}"

    @property
    def result(self) -> str:
        """Return how the event ended in a text to pass on, without its address; empty if nobody has played."""
        return words.result_in_words(self.event, [(line.row.place, line.entry.name) for line in self.podium])

    # --- who meets whom -----------------------------------------------------------------------------------------------

    @cached_property
    def all_rounds(self) -> list[Round]:
        """Return the rounds, the first one first; a heat that was drawn anew stands in the round of the earlier one."""
        heats = self._heats
        round_of = {(heat.round, heat.number): heat.round for heat in heats}
        if self._plan.format is formats.Format.LEAGUE:
            kept = {(heat.round, heat.number) for heat in current(self._drawn)}
            first = dict[int, int]()
            for heat in heats:
                first.setdefault(heat.number, heat.round)
            heats = [heat for heat in heats if (heat.round, heat.number) in kept]
            round_of = {(heat.round, heat.number): first[heat.number] for heat in heats}
        found = defaultdict[int, list[Meeting]](list)
        for heat in heats:
            found[round_of[heat.round, heat.number]].append(self._meeting(heat))
        return [Round(number, found[number]) for number in sorted(found)]

    @property
    def rounds(self) -> list[Round]:
        """Return the rounds that are listed, the latest first."""
        known = [it for it in self.all_rounds if self.before is None or it.number < self.before]
        return known[::-1][:ROUNDS]

    @property
    def older(self) -> int | None:
        """Return before which round there are others to list."""
        shown = self.rounds
        return shown[-1].number if shown and shown[-1].number > 1 else None

    @property
    def round(self) -> int | None:
        """Return the round that is played; None before the first."""
        going = [each.number for each in self.all_rounds if not each.is_over]
        if going or self._plan.format in _ENDLESS:
            return min(going, default=self._latest or None)
        return self.all_rounds[-1].number if self.all_rounds else None

    @property
    def last_round(self) -> int | None:
        """Return how many rounds there are, if that is known."""
        if self._plan.rounds is not None:
            return self._plan.rounds
        at_once = {formats.Format.LEAGUE, formats.Format.ROBIN}
        return len(self.all_rounds) if self._plan.format in at_once else None

    @property
    def my_meetings(self) -> list[Meeting]:
        """Return the reader's heats that are not over, those that have begun first."""
        if self.mine is None:
            return []
        theirs = [it for each in self.all_rounds for it in each.meetings if self.mine.number in it.heat.people]
        return sorted((it for it in theirs if not it.is_over), key=lambda it: not it.is_running)

    @property
    def filler(self) -> Match | None:
        """Return the match against a bot that the reader has while nobody is free."""
        found = self.mine.filler if self.mine is not None else None
        return found if found is not None and found.is_running else None

    @cached_property
    def boards(self) -> list[Board]:
        """Return the matches that run, those with the latest actions first."""
        if not self.event.is_running:
            return []
        found = Match.objects.filter(heat__event=self.event, status=Match.Status.RUNNING, heat__over_at=None)
        if not self.is_for_reader:  # some may have begun when the club was private
            found = found.filter(visibility=Match.Visibility.PUBLIC)
        matches = list(found.prefetch_related("seats__user").order_by("-moved_at")[:BOARDS])
        pictures = thumbnails(matches)
        return [Board(match, pictures.get(match.pk)) for match in matches]

    def _meeting(self, heat: Heat) -> Meeting:
        got = [words.points_in_words(each) for each in shares(heat.places)] if heat.places is not None else []
        people = [Sat(self._people[number], got[seat] if got else "") for seat, number in enumerate(heat.people)]
        return Meeting(heat, people, heat.slug or "")  # type: ignore[attr-defined]  # annotated where they are loaded


# --- its parts --------------------------------------------------------------------------------------------------------


def context_of(page: EventPage) -> dict[str, Any]:
    """Return what the templates of a page and of its parts need."""
    return {
        "page": page,
        "event": page.event,
        "title": page.event.title,
        "user": page.reader,
        "at_a_time": services.suggested_at_a_time(page.event),
        "most_at_a_time": services.at_a_time_of(page.event),
    }


def drawn_parts(page: EventPage, parts: Collection[str] = PARTS) -> dict[str, str]:
    """Return parts of a page as its reader may see them, by their ids, in the order of `PARTS`."""
    context = context_of(page)
    return {part: render_to_string(f"events/{part}.html", context) for part in PARTS if part in parts}


def partials(drawn: Mapping[str, str]) -> str:
    """Return parts as what puts them into an open page: htmx's partials."""
    return "".join(f'<hx-partial id="{part}" hx-swap="outerMorph">{html}</hx-partial>' for part, html in drawn.items())
