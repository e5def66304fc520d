"""Why an action is good, and what a better one brings, in words: the interface of a title's optional module `advice`.

Hints and reviews show it to players. `NoAdvice` fills in what a module leaves out. What a program knows of playing well
is apart from it, without any words (`games.engine.insight`).
"""

from __future__ import annotations

from typing import Any, Protocol

from games.engine.insight import Plan


class Advice(Protocol):
    """What can be said of an action, in the reader's language and from a view alone."""

    def explain(self, view: Any, action: Any) -> str:
        """Return in one sentence, addressed to the viewer, why this action is good; empty if nothing can be said."""

    def compare(self, view: Any, played: Plan, better: Plan) -> str:
        """Return in one sentence what the better plan brings the viewer that the played one does not.

        For example "Card 17 for 2 more points." Empty if nothing can be said. Both plans are legal in the position
        that is viewed.
        """

    def same_advice(self, plan: Plan, later: Plan) -> bool:
        """Return whether a plan for one turn and another for the same player's next turn say the same to a reader.

        A review then says it once.
        """


class NoAdvice:
    """The defaults, for a game about which nothing can be said."""

    def explain(self, view: Any, action: Any) -> str:
        return ""

    def compare(self, view: Any, played: Plan, better: Plan) -> str:
        return ""

    def same_advice(self, plan: Plan, later: Plan) -> bool:
        return False
