"""The secret actions of a match with their seals, including those that were taken back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.engine.runner import LEAVING
from games.play.models import Action, Match


@dataclass(frozen=True, slots=True)
class SealedAction:
    """An action that was asked for in secret.

    `turn` is the number inside its seal: that of the action which ended the turn before, 0 in the first turn.
    """

    action: Action
    turn: int


def sealed_actions(match: Match) -> Iterator[SealedAction]:
    """Yield every action asked for in secret in the order of time, also those that were taken back."""
    turn = 0
    for action in Action.objects.filter(match=match).order_by("pk"):
        if action.seal:
            yield SealedAction(action, turn)
        if _ends_turn(action):
            turn = action.number


def _ends_turn(action: Action) -> bool:
    """Say whether a new turn begins after an action; leaving a sealed turn does not end it."""
    return not action.withdrawn and action.text not in LEAVING and (action.reveals or not action.seal)
