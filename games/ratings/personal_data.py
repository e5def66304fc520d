"""What ratings keep about a person (`accounts.personal_data`)."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.personal_data import Part, Row
from games.ratings.models import Rating, RatingChange


def _ratings(user: User) -> Iterable[Row]:
    return [
        {"game": row.game, "speed": row.speed, "rating": row.rating / 1000, "matches": row.games, "at": row.updated}
        for row in Rating.objects.filter(user=user).order_by("game", "speed")
    ]


def _history(user: User) -> Iterable[Row]:
    rows = RatingChange.objects.filter(user=user).select_related("match").order_by("-pk")
    return [
        {
            "match": row.match.slug,
            "game": row.game,
            "speed": row.speed,
            "place": row.place,
            "before": row.before / 1000,
            "after": row.after / 1000,
            "at": row.at,
        }
        for row in rows
    ]


PARTS = (
    Part("ratings", _("Ratings"), _ratings, ("ratings.Rating.user",)),
    Part("rating_history", _("Rating history"), _history, ("ratings.RatingChange.user",)),
    Part.of_columns(
        "solo_bests",
        _("Best solo results"),
        "ratings.SoloBest.user",
        "game",
        game="game",
        match="match__slug",
        rank="rank",
        at="at",
    ),
)

KEPT = {"ratings.RatingChange.user": "ratings of opponents were computed from it; the row names nobody"}
