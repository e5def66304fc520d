"""The seals of a match: proof that nobody, the site included, changed a secret action after seeing another's."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.runner import LEAVING
from games.play.access import Table
from games.play.models import Action
from games.play.positions import may_be_read, standing_actions


@dataclass(frozen=True, slots=True)
class SealShown:
    """A sealed action as its reader may know it; `text` and `salt` (hex) are empty while it is secret.

    `turn` is the number that stands in the seal: of the action that ended the previous turn.
    """

    number: int
    turn: int
    seat: int
    name: str
    seal: str
    text: str
    salt: str


def seals_of(table: Table) -> list[SealShown]:
    """Return every seal of a match that has begun, in the order of the actions."""
    shown, turn = [], 0
    for action in standing_actions(table.match):
        if action.seal:
            shown.append(_shown(table, action, turn))
        if action.text not in LEAVING and (
            action.reveals or not action.seal
        ):  # who leaves a sealed turn goes on with it
            turn = action.number
    return shown


def _shown(table: Table, action: Action, turn: int) -> SealShown:
    text, salt = "", ""
    if may_be_read(table.match, action, table.viewer):
        text, salt = action.text, bytes(action.salt).hex()
    return SealShown(action.number, turn, action.seat, table.names[action.seat], action.seal, text, salt)
