"""What the rules refuse: stable codes, each with a sentence for people."""

from __future__ import annotations

from collections.abc import Mapping

from games.engine.protocol import RuleViolation

REFUSALS: Mapping[str, str] = {
    "match-over": "The match is over.",
    "not-your-turn": "It is not your turn.",
    "not-now": "This cannot be done in this part of the round.",
    "wrong-mode": "Objectives are chosen as cards in normal mode, as missions and rewards in advanced mode.",
    "card-not-dealt": "You can keep and put aside only cards that you hold.",
    "same-card": "The card put aside must be another than the one you keep.",
    "start-tile-placed": "This start tile lies on the table already.",
    "cell-taken": "A tile lies there already.",
    "beyond-the-edge": "No tile crosses the edge of the table.",
    "not-beside": "A tile must lie side by side with one in play; the first lies on 0,0.",
    "coast-broken": "The landscape must continue on all sides and corners.",
    "slot-empty": "No tile lies face up in this slot.",
    "tile-not-at-hand": "You can place only a tile of your hand or the one you take.",
    "a-tile-fits": "You can put a tile back only when none of your three can be placed.",
    "token-used": "You have used this bonus token already.",
    "no-tile-there": "No tile lies there.",
    "token-on-ship": "No token lies on a ship.",
    "no-such-region": "There is no such land: the part is named in a channel tile, and nowhere else.",
    "same-resource": "A bonus token covers a resource other than the one it shows.",
    "resource-not-there": "There is no such resource to cover.",
    "no-coast-slot": "A Port can stand only where the tile has a coast slot.",
    "port-there-already": "A Port stands there already.",
    "two-ports-already": "There are two Ports on this tile already.",
    "navigation-not-empty": "You can land only when the Navigation stack is empty.",
    "no-such-ship": "You have no such ship left to place.",
    "too-few-houses": "You do not have so many Houses in hand.",
    "no-house-symbol": "There is no house symbol.",
    "house-symbol-taken": "A House stands on this symbol already.",
    "island-too-small": "A House can be placed only on an island of at least two tiles.",
    "mission-not-fulfilled": "This island does not fulfil your mission.",
    "house-there-already": "You have a House on this island already.",
    "same-island": "Place only one House on each island.",
}
"""Every code but "notation" with its sentence."""


def refuse(code: str) -> RuleViolation:
    """Return the refusal with this code."""
    return RuleViolation(code, REFUSALS[code])
