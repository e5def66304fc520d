"""Somebody’s ratings: their pools, and how each has changed.

A rating covers all rated matches, and its chart shows all changes, but names only matches that the reader can find.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.questions import NOBODY, Prepared
from games.history.archive import findable_by
from games.play.models import Match, Speed
from games.ratings.charts import Chart, chart_of
from games.ratings.models import Rating, RatingChange, points
from games.titles import Title, titles

CHANGES = 20
"""Rows of the table beside the chart."""

LATEST = 1_000
"""A chart, as the numbers of a profile, covers this many of the latest matches, which bounds the cost of the page."""


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
    """The history of a rating; the latest changes have the `slug` of their match, None if the reader cannot find it."""

    pool: OwnPool
    chart: Chart
    highest: int
    lowest: int
    latest: Sequence[RatingChange]


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
    row, people = pool.rating, [pool.rating.user_id, reader.pk or NOBODY]
    changes = _CHANGES.instances(RatingChange, people, game=row.game, speed=row.speed, most=LATEST)[::-1]
    name = _("Rating in %(game)s, %(speed)s") % {"game": pool.title.game.name, "speed": pool.speed.label}
    chart = chart_of(changes, f"chart-{pool.title.slug}-{pool.speed.value}", name)
    if chart is None:
        return None
    ratings = [points(change.after) for change in changes]
    return PoolHistory(pool, chart, max(ratings), min(ratings), changes[: -CHANGES - 1 : -1])


def _changes(people: Collection[int], *, game: str, speed: str, most: int) -> QuerySet[Any, Any]:
    """Return the query for the latest changes of a rating of the first of two people, the latest first.

    Each has the `slug` of its match if the second can find it.
    """
    person, reader = people
    found = Match.objects.filter(findable_by(User(pk=reader)), pk=OuterRef("match"))
    changes = RatingChange.objects.filter(user=person, game=game, speed=speed).order_by("-id")
    return changes.annotate(slug=Subquery(found.values("slug")))[:most]


_CHANGES = Prepared(_changes)
