"""What a match did to a rating, as a small drawing: the way it went lately, and the last step of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.ratings.models import RatingChange

WIDTH, HEIGHT, EDGE = 120, 44, 6
MOST = 20
"""Matches that are drawn, the one it is about being the last."""


@dataclass(frozen=True, slots=True)
class Spark:
    """What the template draws: the way until the match, what the match changed, and where that ends."""

    way: str
    step: str
    end: tuple[float, float]
    change: RatingChange
    width: int = WIDTH
    height: int = HEIGHT

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
    earlier = pool.filter(pk__lt=change.pk).order_by("-pk")[: MOST - 1] if change.user_id else ()
    befores = [*reversed([other.before for other in earlier]), change.before]
    spots = _spots([*befores, change.after])
    return Spark(_path(spots[:-1]), _path(spots[-2:]), spots[-1], change)


def _spots(ratings: Sequence[int]) -> list[tuple[float, float]]:
    low, high = min(ratings), max(ratings)
    across, down = WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE
    return [
        (
            round(EDGE + across * index / (len(ratings) - 1), 1),
            round(EDGE + down * (0.5 if high == low else (high - rating) / (high - low)), 1),
        )
        for index, rating in enumerate(ratings)
    ]


def _path(spots: Sequence[tuple[float, float]]) -> str:
    return "M" + " L".join(f"{x:g} {y:g}" for x, y in spots)
