"""What a first match explains on its board: the aim, what a tile does, and how one wins."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.titles.coach import CoachMark

COACH: Final = (
    CoachMark(
        "aim",
        ".deck, #objective",
        _(
            "Your secret objective this round: place a House on an island that has what the upper line asks,"
            " and it scores what the lower line says."
        ),
    ),
    CoachMark(
        "tile",
        '[data-phase="explore"] #row',
        _("Take one of these tiles, then place it or one from your hand. Land must meet land, and sea must meet sea."),
    ),
    CoachMark(
        "win",
        '[data-phase="explore"] #stands',
        _("A ship ends each round; then your Houses score. After four ships, most points win."),
    ),
)
