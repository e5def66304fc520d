"""What the puzzles of Small Islands ask, in words."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext

from games.engine.insight import Plan
from games.titles.phrases import points_text
from games.titles.small_islands.board.wording import cell_name, face_text
from games.titles.small_islands.rules.view import View
from games.titles.tasks import Task


class _Placing:
    def asked(self, view: View) -> str:
        return gettext(
            "Place one tile, without a token, so that your objective would score as many points as possible if the "
            "Reward phase came at once."
        )

    def gain(self, worth: int) -> str:
        return points_text(worth)

    def in_short(self, view: View, line: Plan) -> str:
        """Return where which tile is placed."""
        return f"{cell_name(line[0].cell)}: {face_text(str(line[0].tile))}"


class _House(_Placing):
    def asked(self, view: View) -> str:
        return gettext(
            "Place one tile, without a token, so that your best House would score as many points as possible if the "
            "Reward phase came at once. Your other Houses do not count."
        )


TASKS: Mapping[str, Task] = {"points": _Placing(), "house": _House()}
