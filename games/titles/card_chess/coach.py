"""What a newcomer is told on the board: the aim, what a card does, and how one wins (`games.titles.coach`)."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.titles.coach import CoachMark

COACH: Final = (
    CoachMark(
        "aim",
        "#columns",
        _(
            "Capture these cards: blue takes green, green takes blue. "
            "Everybody plays a card on each of them, in secret."
        ),
    ),
    CoachMark(
        "card",
        "#hand",
        _(
            "Choose a card to see what it captures: its square must fit, and it must be at least as strong. "
            "One card stays in your hand."
        ),
    ),
    CoachMark(
        "win",
        "#players",
        _(
            "The strongest card that captures takes the whole pile and its points, the dots. "
            "Most points win a gold card."
        ),
    ),
)
