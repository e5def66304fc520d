"""The seals of a match: proof that nobody, the site included, changed a secret action after seeing another's."""

from __future__ import annotations

from dataclasses import dataclass

from games.play.access import Table
from games.play.positions import may_be_read, plays, standing_actions


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
    match, names = table.match, table.names
    turns = [play.position.turn for play in plays(match, table.seats)]
    shown = []
    for action, turn in zip(standing_actions(match), turns, strict=False):
        if action.seal:
            text, salt = "", ""
            if may_be_read(match, action, table.viewer):
                text, salt = action.text, bytes(action.salt).hex()
            shown.append(SealShown(action.number, turn, action.seat, names[action.seat], action.seal, text, salt))
    return shown
