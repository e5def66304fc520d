"""What the rules refuse: stable codes, each with a sentence for people."""

from __future__ import annotations

from collections.abc import Mapping

from games.engine.protocol import RuleViolation

REFUSALS: Mapping[str, str] = {
    "match-over": "The match is over.",
    "not-your-turn": "It is not your turn.",
    "not-now": "You cannot do that in this part of the round.",
    "wrong-mode": "Objectives are chosen as cards in normal mode, as missions and rewards in advanced mode.",
    "card-not-dealt": "You can keep and put aside only cards that you hold.",
    "same-card": "The card you put aside must not be the one you keep.",
    "start-tile-placed": "This start tile is already on the table.",
    "cell-taken": "There is already a tile there.",
    "beyond-the-edge": "No tile may cross the edge of the table.",
    "first-elsewhere": "The first start tile goes on 0, 0.",
    "not-beside": "A tile must share a side with one in play.",
    "coast-broken": "The landscape must continue on all sides and corners.",
    "slot-empty": "There is no face-up tile in this slot.",
    "tile-not-at-hand": "You can place only a tile from your hand or the one you take.",
    "a-tile-fits": "You can put a tile back only when none of your three can be placed.",
    "token-used": "You have already used this bonus token.",
    "no-tile-there": "There is no tile there.",
    "token-on-ship": "A token cannot go on a ship.",
    "no-such-region": "There is no such land. Name the part on channel tiles, and only on those.",
    "same-resource": "A bonus token covers a resource other than the one it shows.",
    "resource-not-there": "That resource is not there to be covered.",
    "no-coast-slot": "A Port needs a coast slot on the tile.",
    "port-there-already": "There is already a Port there.",
    "two-ports-already": "This tile already has two Ports.",
    "navigation-not-empty": "You can land only when the Navigation stack is empty.",
    "no-such-ship": "You have no such ship left.",
    "too-few-houses": "You do not have that many Houses in hand.",
    "no-house-symbol": "There is no house symbol there.",
    "house-symbol-taken": "There is already a House on this symbol.",
    "island-too-small": "A House can be placed only on an island of at least two tiles.",
    "mission-not-fulfilled": "This island does not fulfil your mission.",
    "house-there-already": "You already have a House on this island.",
    "same-island": "Place only one House on each island.",
}
"""Every code but "notation" with its sentence."""


def refuse(code: str) -> RuleViolation:
    """Return the refusal with this code."""
    return RuleViolation(code, REFUSALS[code])
