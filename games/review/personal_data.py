"""What reviews keep about a person (`accounts.personal_data`)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from accounts.personal_data import Part

PARTS = (
    Part.of_columns(
        "reviews",
        _("Reviews you asked for"),
        "review.Review.asked_by",
        match="match__slug",
        game="match__game",
        at="asked_at",
    ),
)

KEPT = {"review.Review.asked_by": "a review belongs to its match; it names nobody"}
