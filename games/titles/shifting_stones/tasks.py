"""What the puzzles of Shifting Stones ask, in words."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext, ngettext

from games.engine.insight import Plan
from games.titles.phrases import points_text
from games.titles.shifting_stones.board.wording import pattern_text
from games.titles.shifting_stones.puzzles import TOO_FEW, goal, scored_in
from games.titles.shifting_stones.rules.state import HAND
from games.titles.shifting_stones.rules.view import View
from games.titles.tasks import Task


class _Turn:
    """What the kinds share."""

    def in_short(self, view: View, line: Plan) -> str:
        """Return the patterns that are scored."""
        return "; ".join(map(pattern_text, scored_in(line))) or gettext("no card scored")


class _Points(_Turn):
    def asked(self, view: View) -> str:
        return gettext(
            "Score as many points as you can in this one turn, then end it. "
            "The bonus for the most 1-point cards does not count."
        )

    def gain(self, worth: int) -> str:
        return points_text(worth)


class _Fewest(_Turn):
    def asked(self, view: View) -> str:
        points = goal(view)
        text = ngettext(
            "Score %(count)s point in this one turn with as few cards as you can, then end it. "
            "The bonus for the most 1-point cards does not count.",
            "Score %(count)s points in this one turn with as few cards as you can, then end it. "
            "The bonus for the most 1-point cards does not count.",
            points,
        )
        return text % {"count": points}

    def gain(self, worth: int) -> str:
        if worth == TOO_FEW:
            return gettext("too few points")
        return ngettext("%(count)s card", "%(count)s cards", HAND - worth) % {"count": HAND - worth}


TASKS: Mapping[str, Task] = {"points": _Points(), "fewest": _Fewest()}
