"""What a person has played: ratings with their history, and numbers by game and number of players.

Numbers and lists are made from the matches the reader can find (public ones and the reader's own), so nothing on the
page reveals a private match to those who were not there. A rating is one number over all rated matches; its chart
shows how it moved, but names only matches the reader can find.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models import Count, Exists, OuterRef, Q
from django.utils.translation import gettext as _

from games.history.results import TIED
from games.play.models import Match, Seat, Speed
from games.ratings.charts import Chart, chart_of
from games.ratings.leaderboards import solo_text
from games.ratings.models import Rating, RatingChange, SoloBest
from games.titles import Title, titles

CHANGES = 20
"""Rows of the table beside the chart."""

LATEST = 1_000
"""Numbers and charts cover this many of the latest matches, so that the page costs no more for veterans."""


@dataclass(frozen=True, slots=True)
class PoolHistory:
    """A person's rating in one pool, its history, and the latest changes (match None: the reader cannot see it)."""

    title: Title
    speed: Speed
    rating: Rating
    chart: Chart | None
    latest: Sequence[tuple[RatingChange, Match | None]]


@dataclass(slots=True)
class Tally:
    """How many matches ended in which way, with one number of players (`seats` None: with any)."""

    title: Title | None
    seats: int | None
    won: int = 0
    shared: int = 0
    lost: int = 0

    @property
    def matches(self) -> int:
        return self.won + self.shared + self.lost

    @property
    def rate(self) -> int:
        """Return the share of matches won, in per cent; a shared first place counts half."""
        return round((100 * self.won + 50 * self.shared) / self.matches) if self.matches else 0

    def count(self, place: int, tied: bool, number: int) -> None:
        if place > 1:
            self.lost += number
        elif tied:
            self.shared += number
        else:
            self.won += number


@dataclass(frozen=True, slots=True)
class Counted:
    """What a game counted in a person's matches: pairs of label and total."""

    title: Title
    totals: Sequence[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class BestAlone:
    """A person's best public solo result in a game."""

    title: Title
    best: SoloBest
    text: str


def findable_by(reader: Any) -> Q:
    """Return the condition on matches a reader can find in lists; usable with `pk=OuterRef(...)`."""
    public = Q(visibility=Match.Visibility.PUBLIC)
    if not reader.is_authenticated:
        return public
    return public | Q(Exists(Seat.objects.filter(match=OuterRef("pk"), user=reader)))


def rating_histories(reader: Any, person: Any) -> list[PoolHistory]:
    """Return a person's pools with chart and latest changes, in the order of games."""
    rows = {(row.game, row.speed): row for row in Rating.objects.filter(user=person, games__gt=0)}
    return [
        _history(reader, title, speed, rows[slug, speed.value])
        for slug, title in titles().items()
        for speed in Speed
        if (slug, speed.value) in rows
    ]


def _history(reader: Any, title: Title, speed: Speed, row: Rating) -> PoolHistory:
    stored = RatingChange.objects.filter(user=row.user_id, game=row.game, speed=row.speed)
    changes = list(stored.order_by("-id")[:LATEST])[::-1]
    latest = changes[: -CHANGES - 1 : -1]
    numbers = [change.match_id for change in latest]
    found = Match.objects.filter(findable_by(reader), pk__in=numbers).only("slug").in_bulk()
    name = _("Rating in %(game)s, %(speed)s") % {"game": title.game.name, "speed": speed.label}
    chart = chart_of(changes, f"chart-{title.slug}-{speed.value}", name)
    return PoolHistory(title, speed, row, chart, [(change, found.get(change.match_id)) for change in latest])


def statistics(reader: Any, person: Any) -> tuple[Tally, list[Tally]]:
    """Return the sum over matches with others, and one tally for each game and number of players that was played.

    Covers the `LATEST` finished matches that the reader can find.
    """
    total, tallies = Tally(None, None), dict[tuple[str, int], Tally]()
    for game, seats, place, tied, number in _results(reader, person):
        if game not in titles():
            continue
        tally = tallies.setdefault((game, seats), Tally(titles()[game], seats))
        tally.count(place, tied, number)
        if seats > 1:
            total.count(place, tied, number)
    order = list(titles())
    return total, [tallies[key] for key in sorted(tallies, key=lambda key: (order.index(key[0]), key[1]))]


def counts_of(reader: Any, person: Any) -> list[Counted]:
    """Return what the games counted in a person's `LATEST` finished matches, in the order of games."""
    sums: dict[str, Counter[str]] = {}
    for game, counts in _finished(reader, person).exclude(counts={}).values_list("match__game", "counts").iterator():
        sums.setdefault(game, Counter()).update(counts)
    return [
        Counted(title, [(str(label), sums[slug][key]) for key, label in title.board.COUNTED])
        for slug, title in titles().items()
        if slug in sums
    ]


def _finished(reader: Any, person: Any) -> models.QuerySet[Seat]:
    """Return a person's seats in the latest finished matches that the reader can find."""
    fitting = Match.objects.filter(findable_by(reader), pk=OuterRef("match"), status=Match.Status.OVER)
    seats = Seat.objects.filter(Exists(fitting), user=person, ended_at__isnull=False, place__isnull=False)
    return Seat.objects.filter(pk__in=seats.order_by("-ended_at", "-match").values("pk")[:LATEST]).order_by()


def _results(reader: Any, person: Any) -> Iterable[tuple[str, int, int, bool, int]]:
    seats = _finished(reader, person).annotate(tied=TIED)
    grouped = seats.order_by().values_list("match__game", "match__seat_count", "place", "tied")
    return grouped.annotate(number=Count("pk"))


def best_alone(person: Any) -> list[BestAlone]:
    """Return a person's best public solo results, in the order of games."""
    rows = {row.game: row for row in SoloBest.objects.filter(user=person).select_related("match")}
    return [
        BestAlone(title, rows[slug], solo_text(rows[slug].match)) for slug, title in titles().items() if slug in rows
    ]
