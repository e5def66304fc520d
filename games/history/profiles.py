"""Profiles: ratings with their history, numbers by game and number of players, form, and records against opponents.

Numbers and lists count only the matches the reader can find (public ones and their own), so nothing on the page reveals
a private match to others. A rating covers all rated matches; its chart shows all changes, but names only matches the
reader can find.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models import Count, Exists, F, OuterRef, Q
from django.utils.translation import gettext as _

from accounts.models import User
from games.history.archive import Row, findable_by
from games.history.endings import TIED, Result
from games.play.models import Match, Seat, Speed
from games.ratings.charts import Chart, chart_of
from games.ratings.leaderboards import solo_text
from games.ratings.models import Rating, RatingChange, SoloBest, points
from games.titles import Title, titles

CHANGES = 20
"""Rows of the table beside the chart."""

LATEST = 1_000
"""Numbers and charts cover this many of the latest matches, which bounds the cost of the page."""


@dataclass(frozen=True, slots=True)
class OwnPool:
    """A pool in which a person has a rating."""

    title: Title
    speed: Speed
    rating: Rating

    @property
    def key(self) -> str:
        """Return its name in addresses, "<game>.<speed>"."""
        return f"{self.title.slug}.{self.speed.value}"


@dataclass(frozen=True, slots=True)
class PoolHistory:
    """The history of a rating, with the latest changes and their matches (None if the reader cannot find it)."""

    pool: OwnPool
    chart: Chart
    highest: int
    lowest: int
    latest: Sequence[tuple[RatingChange, Match | None]]


@dataclass(slots=True)
class Tally:
    """Counts of results: of all matches, of a game with one number of players, or of a game on one seat."""

    title: Title | None
    seats: int | None = None
    seat: int | None = None
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
    """Totals of what a game counts in a person's matches, with their labels."""

    title: Title
    totals: Sequence[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class BestAlone:
    """A person's best public solo result in a game."""

    title: Title
    best: SoloBest
    text: str


def pools_of(person: Any) -> list[OwnPool]:
    """Return the pools in which a person has a rating, in the order of games."""
    rows = {(row.game, row.speed): row for row in Rating.objects.filter(user=person, games__gt=0)}
    return [
        OwnPool(title, speed, rows[slug, speed.value])
        for slug, title in titles().items()
        for speed in Speed
        if (slug, speed.value) in rows
    ]


def chosen_of(pools: Sequence[OwnPool], key: str) -> OwnPool | None:
    """Return the pool that an address names, else the one with the most matches, None without any."""
    named = next((pool for pool in pools if pool.key == key), None)
    return named or max(pools, key=lambda pool: pool.rating.games, default=None)


def history_of(reader: Any, pool: OwnPool) -> PoolHistory | None:
    """Return the history of a rating over its `LATEST` changes, None if there are none."""
    row = pool.rating
    stored = RatingChange.objects.filter(user=row.user_id, game=row.game, speed=row.speed)
    changes = list(stored.order_by("-id")[:LATEST])[::-1]
    name = _("Rating in %(game)s, %(speed)s") % {"game": pool.title.game.name, "speed": pool.speed.label}
    chart = chart_of(changes, f"chart-{pool.title.slug}-{pool.speed.value}", name)
    if chart is None:
        return None
    latest = changes[: -CHANGES - 1 : -1]
    numbers = [change.match_id for change in latest]
    found = Match.objects.filter(findable_by(reader), pk__in=numbers).only("slug").in_bulk()
    ratings = [points(change.after) for change in changes]
    named = [(change, found.get(change.match_id)) for change in latest]
    return PoolHistory(pool, chart, max(ratings), min(ratings), named)


@dataclass(frozen=True, slots=True)
class Statistics:
    """A person's results: all matches with others, by game and number of players, and by game and seat."""

    total: Tally
    by_players: Sequence[Tally]
    by_seat: Sequence[Tally]

    @property
    def matches(self) -> int:
        return sum(tally.matches for tally in self.by_players)


def statistics(reader: Any, person: Any) -> Statistics:
    """Return the results of a person's `LATEST` finished matches that the reader can find.

    Solo matches are counted by number of players only.
    """
    total = Tally(None)
    by_players, by_seat = dict[tuple[str, int], Tally](), dict[tuple[str, int], Tally]()
    results = latest_seats(reader, person).annotate(tied=TIED).order_by()
    rows = results.values_list("match__game", "match__seat_count", "number", "place", "tied")
    for game, seats, seat, place, tied, number in rows.annotate(matches=Count("pk")):
        if game not in titles():
            continue
        by_players.setdefault((game, seats), Tally(titles()[game], seats=seats)).count(place, tied, number)
        if seats > 1:
            by_seat.setdefault((game, seat), Tally(titles()[game], seat=seat)).count(place, tied, number)
            total.count(place, tied, number)
    return Statistics(total, _in_order(by_players), _in_order(by_seat))


def _in_order(tallies: Mapping[tuple[str, int], Tally]) -> list[Tally]:
    order = list(titles())
    return [tallies[key] for key in sorted(tallies, key=lambda key: (order.index(key[0]), key[1]))]


def counts_of(reader: Any, person: Any) -> list[Counted]:
    """Return the totals of what games count in a person's `LATEST` finished matches, in the order of games."""
    sums: dict[str, Counter[str]] = {}
    for game, counts in latest_seats(reader, person).exclude(counts={}).values_list("match__game", "counts").iterator():
        sums.setdefault(game, Counter()).update(counts)
    return [
        Counted(title, [(str(label), sums[slug][key]) for key, label in title.board.COUNTED])
        for slug, title in titles().items()
        if slug in sums
    ]


def latest_seats(reader: Any, person: Any) -> models.QuerySet[Seat]:
    """Return a person's seats in their `LATEST` finished matches without bots that the reader can find."""
    people = Match.objects.filter(findable_by(reader), has_bots=False)
    fitting = people.filter(pk=OuterRef("match"), status=Match.Status.OVER)
    seats = Seat.objects.filter(Exists(fitting), user=person, ended_at__isnull=False, place__isnull=False)
    return Seat.objects.filter(pk__in=seats.order_by("-ended_at", "-match").values("pk")[:LATEST]).order_by()


def best_alone(person: Any) -> list[BestAlone]:
    """Return a person's best public solo results, in the order of games."""
    rows = {row.game: row for row in SoloBest.objects.filter(user=person).select_related("match")}
    return [
        BestAlone(title, rows[slug], solo_text(rows[slug].match)) for slug, title in titles().items() if slug in rows
    ]


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
    """Return the form in a person's latest matches, given the newest first."""
    return Form([row for row in latest[:FORM] if row.result is not None][::-1])


@dataclass(frozen=True, slots=True)
class Against:
    """How often somebody finished ahead of, level with and behind one opponent."""

    opponent: User
    won: int
    drawn: int
    lost: int

    @property
    def matches(self) -> int:
        return self.won + self.drawn + self.lost


def opponents_of(reader: Any, person: Any) -> list[Against]:
    """Return the opponents a person has met most often in their latest matches, the most frequent first."""
    # Both seats come from one join, so a match counts once for each opponent.
    others = latest_seats(reader, person).annotate(
        opponent=F("match__seats__user"), their_place=F("match__seats__place")
    )
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


def record_between(reader: Any, person: Any) -> Against | None:
    """Return how the reader's latest matches with a person went for the reader, None if there are none.

    It starts from the reader's matches, however many the person has.
    """
    if not reader.is_authenticated or reader.pk == person.pk:
        return None
    mine = dict(latest_seats(reader, reader).values_list("match", "place"))
    met = Seat.objects.filter(match__in=list(mine), user=person, place__isnull=False).values_list("match", "place")
    ahead = [(theirs or 0) - (mine[match] or 0) for match, theirs in met]
    if not ahead:
        return None
    return Against(person, sum(it > 0 for it in ahead), ahead.count(0), sum(it < 0 for it in ahead))
