"""The seals of a match: proof that nobody, the site included, changed a secret action after seeing another's."""

from __future__ import annotations

from dataclasses import dataclass

from games.play.course.positions import may_be_read
from games.play.matches.sealed import SealedAction, sealed_actions
from games.play.matches.viewed import ViewedMatch


@dataclass(frozen=True, slots=True)
class SealShown:
    """A sealed action as its reader is allowed to see it; `text` and `salt` (hex) are empty while it is secret.

    `turn` is the number inside the seal: that of the action which ended the turn before. What was sealed and taken
    back (`withdrawn`) remains its player's secret for ever.
    """

    number: int
    turn: int
    seat: int
    name: str
    seal: str
    text: str
    salt: str
    withdrawn: bool


def seals_of(viewed: ViewedMatch) -> list[SealShown]:
    """Return every seal of a match that has begun, in the order of time."""
    return [_shown(viewed, sealed) for sealed in sealed_actions(viewed.match)]


def _shown(viewed: ViewedMatch, sealed: SealedAction) -> SealShown:
    action, text, salt = sealed.action, "", ""
    if not action.withdrawn and may_be_read(viewed.match, action, viewed.viewer):
        text, salt = action.text, bytes(action.salt).hex()
    name = viewed.names[action.seat]
    return SealShown(action.number, sealed.turn, action.seat, name, action.seal, text, salt, action.withdrawn)
