"""The page of planned tables: which ones a reader finds there, by day on their wall clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from accounts.relations import friends_of
from games.matchmaking.filters import Filters
from games.matchmaking.models import Invitation, Promise, Removal
from games.matchmaking.requirements import Reader, could_come, reader_of
from games.play.models import Match, MatchQuerySet, Speed

MOST = 100
"""Planned tables on the page."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A planned table as one reader sees it.

    Args:
        match: with `promises`.
        mine: whether a seat is kept for the reader.
        may_come: whether one could be.
    """

    match: Match
    mine: bool
    may_come: bool


@dataclass(frozen=True, slots=True)
class Day:
    """The planned tables of a day; for visitors, whose zone nobody knows, the day is None and all are together."""

    day: date | None
    tables: Sequence[Planned]

    @property
    def heading(self) -> str:
        """Return the day in words, "" for no day."""
        if self.day is None:
            return ""
        ahead = (self.day - timezone.localdate()).days
        near = {0: gettext("Today"), 1: gettext("Tomorrow")}.get(ahead, "")
        return ", ".join(filter(None, (near, date_format(self.day, "MONTH_DAY_FORMAT"))))


def days(user: Any, filters: Filters) -> list[Day]:
    """Return the planned tables that a reader can find and that fit, the next one first."""
    reader = reader_of(user) if user.is_authenticated else None
    shown = [_seen(match, reader) for match in _fitting(filters, user)[:MOST] if not _is_hidden(match, reader)]
    if reader is None:
        return [Day(None, shown)] if shown else []
    if filters.joinable:
        shown = [each for each in shown if each.may_come]
    return [Day(day, list(tables)) for day, tables in groupby(shown, key=_day)]


def _is_hidden(match: Match, reader: Reader | None) -> bool:
    """Return whether a block keeps the reader, who does not come, apart from somebody who does."""
    if reader is None or not reader.apart:
        return False
    people = {match.host_id, *(promise.user_id for promise in match.promises.all())}
    return bool(people & reader.apart) and reader.user.pk not in people


def _day(planned: Planned) -> date | None:
    opens_at = planned.match.opens_at
    return timezone.localtime(opens_at).date() if opens_at else None


def _seen(match: Match, reader: Reader | None) -> Planned:
    mine = reader is not None and any(it.user_id == reader.user.pk for it in match.promises.all())
    return Planned(match, mine, not mine and reader is not None and could_come(match, reader))


def _fitting(filters: Filters, user: Any) -> MatchQuerySet:
    tables = loaded(Match.objects.filter(found_by(user), status=Match.Status.PLANNED))
    wanted = {"game": filters.game, "speed": filters.speed, "rated": filters.rated, "seat_count": filters.seats}
    if filters.prompt:
        tables = tables.filter(Q(speed=Speed.LIVE) | Q(excludes_vacations=True))
    return tables.filter(**{name: value for name, value in wanted.items() if value is not None})


def found_by(user: Any) -> Q:
    """Return the condition on tables that somebody finds here: public ones, those of friends, and their own."""
    public = Q(visibility=Match.Visibility.PUBLIC)
    if not user.is_authenticated:
        return public
    return public | Q(visibility=Match.Visibility.FRIENDS, host__in=friends_of(user)) | _is_theirs(user)


def _is_theirs(user: Any) -> Q:
    theirs = {"match": OuterRef("pk"), "user": user}
    asked = Exists(Invitation.objects.filter(**theirs)) & ~Exists(Removal.objects.filter(**theirs))
    return Q(Exists(Promise.objects.filter(**theirs))) | Q(asked)


def own_plans(user: Any) -> list[Match]:
    """Return the planned tables to which somebody comes or is invited, the next one first."""
    return list(loaded(Match.objects.filter(_is_theirs(user), status=Match.Status.PLANNED)))


def loaded(tables: MatchQuerySet) -> MatchQuerySet:
    """Load planned tables with those who come."""
    promises = Prefetch("promises", Promise.objects.select_related("user"))
    return (
        tables.select_related("host")
        .defer("state", "server_seed")
        .prefetch_related(promises)
        .order_by("opens_at", "pk")
    )
