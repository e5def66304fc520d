"""Drawings of ratings, made on the server as small SVG styled by classes, so that they follow the theme."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from accounts import moments
from games.ratings.models import RatingChange, points

WIDTH, HEIGHT = 480, 200
LEFT, RIGHT, TOP, BOTTOM = 46, 10, 12, 26
MOST_POINTS = 240
"""A longer history is drawn with every n-th point and the last."""

STEPS = (10, 20, 50, 100, 200, 500, 1000)
MOST_LINES = 5
A_DAY = 86_400
BEFORE = 0.03
"""Share of the width before the first match, so that its change is a slope and not a wall."""


@dataclass(frozen=True, slots=True)
class Point:
    """A rating at a moment, and where to draw it."""

    at: datetime
    rating: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Line:
    """A horizontal line with its rating in points."""

    label: str
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """The rating chart, with all coordinates within WIDTH x HEIGHT.

    `key` is unique in the page; the ids of the title and the description are made from it.
    """

    key: str
    title: str
    description: str
    points: tuple[Point, ...]
    lines: tuple[Line, ...]
    first: datetime
    last: datetime

    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    baseline: int = HEIGHT - BOTTOM

    @property
    def path(self) -> str:
        """Return the curve: `M x y L x y …`."""
        return _path([(point.x, point.y) for point in self.points])

    @property
    def area(self) -> str:
        """Return the area below the curve."""
        first, last = self.points[0], self.points[-1]
        return f"{self.path} L{last.x:g} {self.baseline} L{first.x:g} {self.baseline}Z"

    def svg(self) -> SafeString:
        """Return the drawing, without style attributes."""
        drawn = render_to_string("ratings/chart.jinja", {"chart": self}, using="boards")
        return mark_safe(drawn)  # noqa: S308  # its template escapes


def chart_of(changes: Sequence[RatingChange], key: str, title: str) -> Chart | None:
    """Return the chart of a user's changes in one pool, None if there are none.

    Args:
        changes: of one user and one pool, the oldest first.
        key: for ids, unique in the page.
        title: for screen readers.
    """
    if not changes:
        return None
    every = -(-len(changes) // MOST_POINTS)
    kept = [change for index, change in enumerate(changes) if (len(changes) - 1 - index) % every == 0]
    values = [(change.at, change.after) for change in kept]
    values.insert(0, (changes[0].at, changes[0].before))
    bottom, top, step = scale([rating for _at, rating in values])
    xs = _spread([at for at, _rating in values])
    drawn = tuple(Point(at, rating, x, _y(rating, bottom, top)) for (at, rating), x in zip(values, xs, strict=True))
    lines = tuple(Line(str(level // 1000), _y(level, bottom, top)) for level in range(bottom, top + 1, step))
    return Chart(key, title, _describe(changes), drawn, lines, changes[0].at, changes[-1].at)


def scale(ratings: Sequence[int]) -> tuple[int, int, int]:
    """Return the lowest and highest level of the axis and the step between lines, in thousandths.

    There are at most `MOST_LINES` + 1 lines, all on round numbers; a flat history gets a line above and below.

    >>> scale([1_500_000, 1_516_000])
    (1500000, 1520000, 10000)
    >>> scale([1_500_000])
    (1490000, 1510000, 10000)
    """
    low, high = min(ratings), max(ratings)
    for step in (1000 * width for width in STEPS):
        bottom, top = low // step * step, -(-high // step) * step
        if (top - bottom) // step <= MOST_LINES:
            break
    if bottom == top:
        return bottom - step, top + step, step
    return bottom, top, step


def _spread(moments: Sequence[datetime]) -> list[float]:
    """Return x for each moment: by time, or evenly spaced if all fall on one day."""
    span = (moments[-1] - moments[0]).total_seconds()
    if span < A_DAY:
        shares = [index / (len(moments) - 1) for index in range(len(moments))]
    else:
        passed = [(moment - moments[0]).total_seconds() / span for moment in moments[1:]]
        shares = [0.0, *(BEFORE + (1 - BEFORE) * share for share in passed)]
    return [round(LEFT + min(max(share, 0), 1) * (WIDTH - LEFT - RIGHT), 1) for share in shares]


def _y(rating: int, bottom: int, top: int) -> float:
    return round(HEIGHT - BOTTOM - (rating - bottom) / (top - bottom) * (HEIGHT - BOTTOM - TOP), 1)


def _describe(changes: Sequence[RatingChange]) -> str:
    last = changes[-1]
    ratings = [change.after for change in changes]
    return _("From %(first)s on %(begin)s to %(last)s on %(end)s; lowest %(low)s, highest %(high)s.") % {
        "first": points(changes[0].before),
        "begin": moments.in_words(changes[0].at, "date"),
        "last": points(last.after),
        "end": moments.in_words(last.at, "date"),
        "low": points(min(ratings)),
        "high": points(max(ratings)),
    }


SPARK_WIDTH, SPARK_HEIGHT, SPARK_EDGE = 120, 44, 6
SPARK_MATCHES = 20
"""Matches that are drawn, the last of which is the one it is about."""


@dataclass(frozen=True, slots=True)
class Spark:
    """A small drawing of what a match did to a rating: the curve before it, its own step, and where that ends."""

    way: str
    step: str
    end: tuple[float, float]
    change: RatingChange
    width: int = SPARK_WIDTH
    height: int = SPARK_HEIGHT

    @property
    def direction(self) -> str:
        """Return "up", "down" or "level"."""
        return "up" if self.change.gain > 0 else "down" if self.change.gain < 0 else "level"

    def svg(self) -> SafeString:
        """Return the drawing, styled by classes only."""
        return render_to_string("ratings/spark.svg", {"spark": self})


def spark_of(change: RatingChange) -> Spark:
    """Return the drawing of a change, after those that led to it."""
    pool = RatingChange.objects.filter(user=change.user_id, game=change.game, speed=change.speed)
    earlier = pool.filter(pk__lt=change.pk).order_by("-pk")[: SPARK_MATCHES - 1] if change.user_id else ()
    befores = [*reversed([other.before for other in earlier]), change.before]
    spots = _spots([*befores, change.after])
    return Spark(_path(spots[:-1]), _path(spots[-2:]), spots[-1], change)


def _spots(ratings: Sequence[int]) -> list[tuple[float, float]]:
    low, high = min(ratings), max(ratings)
    across, down = SPARK_WIDTH - 2 * SPARK_EDGE, SPARK_HEIGHT - 2 * SPARK_EDGE
    return [
        (
            round(SPARK_EDGE + across * index / (len(ratings) - 1), 1),
            round(SPARK_EDGE + down * (0.5 if high == low else (high - rating) / (high - low)), 1),
        )
        for index, rating in enumerate(ratings)
    ]


def _path(spots: Sequence[tuple[float, float]]) -> str:
    return "M" + " L".join(f"{x:g} {y:g}" for x, y in spots)
