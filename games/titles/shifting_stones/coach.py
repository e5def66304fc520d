"""What a newcomer is told on the board during a first match (`games.titles.coach`)."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.titles.coach import CoachMark

COACH: Final = (
    CoachMark(
        "aim",
        "#hand",
        _("Each card shows a pattern. Make the stones show it, and you score the card."),
    ),
    CoachMark(
        "cost",
        "#verbs",
        _(
            "Discard a card, any will do, to shift two neighbours (they change places) or to flip a stone."
            " Scoring is free."
        ),
    ),
    CoachMark(
        "win",
        "#players [data-fact=scored]",
        _(
            "The match ends with the round in which somebody has scored this many cards."
            " Most points win; most 1-point cards bring 3 more."
        ),
    ),
)
"""The aim, what a card costs, and how one wins."""
