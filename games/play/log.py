"""The log of a match: what happened in words, each viewer told only what they may know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from games.engine.codec import decode_events
from games.engine.protocol import Viewer
from games.engine.runner import LEAVING, TIMEOUT
from games.play import positions
from games.play.access import Table
from games.play.models import Action
from games.titles import titles


@dataclass(frozen=True, slots=True)
class LogLine:
    """One event in words: `number` is the position it led to, `part` counts the lines of one action from 1."""

    number: int
    part: int
    seat: int
    text: str
    at: Any
    by_bot: bool


def log_lines(table: Table, viewer: Viewer, before: int | None = None, limit: int = positions.TAIL) -> list[LogLine]:
    """Return the latest lines of the log this viewer may read, the latest first.

    Args:
        before: only actions with smaller numbers; None for the newest.
        limit: how many actions at most (an action may have several lines).
    """
    actions = positions.standing_actions(table.match).order_by("-number")
    if before is not None:
        actions = actions.filter(number__lt=before)
    return lines_of(table, actions[:limit], viewer)


def lines_of(table: Table, actions: Sequence[Action], viewer: Viewer) -> list[LogLine]:
    """Return the lines of some actions, in their order; of each action the last line first."""
    return [line for action in actions for line in _lines(table, action, viewer)]


def _lines(table: Table, action: Action, viewer: Viewer) -> list[LogLine]:
    if action.text in LEAVING:
        texts: tuple[str, ...] = (_leaving(table.names[action.seat], action.text),)
    else:
        texts = _told(table.match.game, action.events, viewer, table.names, translation.get_language())
    parts = reversed(list(enumerate(texts, start=1)))
    return [LogLine(action.number, part, action.seat, text, action.at, action.by_bot) for part, text in parts]


@lru_cache(maxsize=20_000)
def _told(game: str, events: str, viewer: Viewer, names: tuple[str, ...], language: str | None) -> tuple[str, ...]:
    """Return the sentences for stored events; remembered, as the same ones are told at every move of a match."""
    title = titles()[game]
    told = (event for event in decode_events(events, title.game.event_types) if event.is_seen_by(viewer))
    return tuple(line for event in told if (line := title.board.line(event, names)))


def _leaving(name: str, text: str) -> str:
    if text == TIMEOUT:
        return _("%(name)s ran out of time.") % {"name": name}
    return _("%(name)s resigns.") % {"name": name}
