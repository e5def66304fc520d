"""The log of a match: what happened, in words, showing each viewer only what they may know."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils import translation
from django.utils.translation import gettext as _

from games.engine.protocol import Viewer
from games.engine.runner import LEAVING, TIMEOUT
from games.play.access import ViewedMatch
from games.play.models import Action
from games.play.records import standing_actions
from games.play.reducer import positions
from games.titles import titles


@dataclass(frozen=True, slots=True)
class LogLine:
    """One event in words: `number` is the position it led to."""

    number: int
    seat: int
    text: str
    at: Any
    by_bot: bool


def log_lines(
    viewed: ViewedMatch, viewer: Viewer, before: int | None = None, limit: int = positions.TAIL
) -> list[LogLine]:
    """Return the latest lines of the log this viewer may read: the latest action first, its lines as they happened.

    Args:
        before: only actions with smaller numbers; None for the newest.
        limit: how many actions at most (an action may have several lines).
    """
    found = standing_actions(viewed.match).order_by("-number")
    if before is not None:
        found = found.filter(number__lt=before)
    return [line for action in found[:limit] for line in _lines(viewed, action, viewer)]


class ActionKey(NamedTuple):
    """What the words for an action depend on, besides their reader."""

    number: int
    seat: int
    text: str
    events: str
    by_bot: bool
    seal: str


def key_of(action: Action) -> ActionKey:
    return ActionKey(action.number, action.seat, action.text, action.events, action.by_bot, action.seal)


def _lines(viewed: ViewedMatch, action: Action, viewer: Viewer) -> list[LogLine]:
    texts = lines_of(viewed.match.game, key_of(action), viewer, viewed.viewer, viewed.names, translation.get_language())
    return [LogLine(action.number, action.seat, text, action.at, action.by_bot) for text in texts]


@lru_cache(maxsize=20_000)
def lines_of(  # noqa: PLR0917  # everything the sentences depend on
    game: str, action: ActionKey, viewer: Viewer, reader: Viewer, names: tuple[str, ...], language: str | None
) -> tuple[str, ...]:
    """Return the sentences for an action, in the order in which it happened, in the active language.

    Cached, because every move of a match shows the same ones again.

    Args:
        game: slug of the title.
        action: what was done.
        viewer: whose knowledge is shown; in a replay this can be a seat other than the reader's own.
        reader: the seat of the person reading, who is called "you".
        names: the players' names by seat.
        language: the active one; it keeps the cached sentences apart.
    """
    if action.text in LEAVING:
        return (_leaving(action, reader, names),)
    title = titles()[game]
    told = (event for event in positions.read_events(game, action.events) if event.is_seen_by(viewer))
    return tuple(line for event in told if (line := title.board.line(event, names, reader)))


def _leaving(action: ActionKey, reader: Viewer, names: tuple[str, ...]) -> str:
    if action.seat == reader:
        return _("You ran out of time.") if action.text == TIMEOUT else _("You resign.")
    words = _("%(name)s ran out of time.") if action.text == TIMEOUT else _("%(name)s resigns.")
    return words % {"name": names[action.seat]}
