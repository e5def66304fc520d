"""What the puzzles of 3D cardChess ask, in words."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext, ngettext

from games.engine.insight import Plan
from games.titles.card_chess.board.wording import cards_named
from games.titles.card_chess.rules.view import View
from games.titles.tasks import Task


class _Piles:
    """What the kinds share."""

    def in_short(self, view: View, line: Plan) -> str:
        """Return the cards from pile to pile, without a reply."""
        return cards_named(line[0].cards)


class _Points(_Piles):
    def asked(self, view: View) -> str:
        return gettext(
            "Win as many points as you can be sure of in this turn, whichever unseen cards your opponent plays. The "
            "points of all cards in the piles you take count; realms do not."
        )

    def gain(self, worth: int) -> str:
        return ngettext("%(count)s sure point", "%(count)s sure points", worth) % {"count": worth}


class _Captures(_Piles):
    def asked(self, view: View) -> str:
        return gettext(
            "Which of your cards capture, whichever unseen cards your opponent plays? Be sure of as many piles as you "
            "can; their points do not matter."
        )

    def gain(self, worth: int) -> str:
        return ngettext("%(count)s sure pile", "%(count)s sure piles", worth) % {"count": worth}


class _Denial(_Piles):
    def asked(self, view: View) -> str:
        return gettext(
            "Keep your opponent from winning points in this turn: whichever unseen cards they play, they should win as "
            "few as possible. The points of all cards in the piles they take count; realms do not."
        )

    def gain(self, worth: int) -> str:
        text = ngettext(
            "at most %(count)s point for your opponent", "at most %(count)s points for your opponent", -worth
        )
        return text % {"count": -worth}


TASKS: Mapping[str, Task] = {"points": _Points(), "captures": _Captures(), "denial": _Denial()}
