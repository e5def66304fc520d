"""What reviews keep about a person (`accounts.personal_data`)."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.personal_data import Part, Row
from games.review.models import Review


def _reviews(user: User) -> Iterable[Row]:
    rows = Review.objects.filter(asked_by=user).select_related("match").order_by("pk")
    return [{"match": row.match.slug, "game": row.match.game, "at": row.asked_at} for row in rows]


PARTS = (Part("reviews", _("Reviews you asked for"), _reviews, ("review.Review.asked_by",)),)

KEPT = {"review.Review.asked_by": "a review belongs to its match; it names nobody"}
