"""How matches between people went: the form of the latest ones, and the record against each opponent.

Like everything on a profile, both are made from the matches the reader can find.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from accounts.models import User
from games.history.archive import Row
from games.history.profiles import latest_seats
from games.history.results import Result
from games.play.models import Seat

FORM = 20
"""Matches in a person's form."""

FREQUENT = 5
"""Opponents on a profile."""


@dataclass(frozen=True, slots=True)
class Form:
    """The results of a person's latest matches, the oldest first."""

    rows: Sequence[Row]

    def count(self, result: Result) -> int:
        return sum(row.result == result for row in self.rows)

    @property
    def won(self) -> int:
        return self.count(Result.WON)

    @property
    def shared(self) -> int:
        return self.count(Result.SHARED)

    @property
    def lost(self) -> int:
        return self.count(Result.LOST)


def form_of(latest: Sequence[Row]) -> Form:
    """Return the form shown by a person's latest matches, which come the newest first."""
    return Form([row for row in latest[:FORM] if row.result is not None][::-1])


@dataclass(frozen=True, slots=True)
class Against:
    """How often somebody finished before, level with and behind one opponent."""

    opponent: User
    won: int
    drawn: int
    lost: int

    @property
    def matches(self) -> int:
        return self.won + self.drawn + self.lost


def opponents_of(reader: Any, person: Any) -> list[Against]:
    """Return whom a person has met most often in their latest matches, the most frequent first."""
    return _against(latest_seats(reader, person))


def between(reader: Any, person: Any) -> Against | None:
    """Return how the reader's latest matches with a person went, seen from the reader; None if there are none.

    It begins with the reader's matches, however many the person has.
    """
    if not reader.is_authenticated or reader.pk == person.pk:
        return None
    mine = dict(latest_seats(reader, reader).values_list("match", "place"))
    met = Seat.objects.filter(match__in=list(mine), user=person, place__isnull=False).values_list("match", "place")
    ahead = [(theirs or 0) - (mine[match] or 0) for match, theirs in met]
    if not ahead:
        return None
    return Against(person, sum(it > 0 for it in ahead), ahead.count(0), sum(it < 0 for it in ahead))


def _against(seats: QuerySet[Seat]) -> list[Against]:
    """Compare the places in each match. Both seats come from one join, so a match counts once for each opponent."""
    others = seats.annotate(opponent=F("match__seats__user"), their_place=F("match__seats__place"))
    grouped = (
        others.filter(~Q(opponent=F("user")), opponent__isnull=False, their_place__isnull=False)
        .values("opponent")
        .annotate(
            won=Count("pk", filter=Q(place__lt=F("their_place"))),
            drawn=Count("pk", filter=Q(place=F("their_place"))),
            lost=Count("pk", filter=Q(place__gt=F("their_place"))),
            matches=Count("pk"),
        )
        .order_by("-matches", "opponent")[:FREQUENT]
    )
    found = list(grouped)
    people = User.objects.filter(is_active=True).in_bulk([row["opponent"] for row in found])
    return [
        Against(people[row["opponent"]], row["won"], row["drawn"], row["lost"])
        for row in found
        if row["opponent"] in people
    ]
