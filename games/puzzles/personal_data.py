"""What puzzles keep about a person (`accounts.personal_data`)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from accounts.personal_data import Part

PARTS = (
    Part.of_columns(
        "puzzles",
        _("Puzzles"),
        "puzzles.Attempt.user",
        game="game",
        day="day",
        puzzle="puzzle",
        kind="kind",
        tries="tries",
        done="solved_on",
    ),
)
