"""Playing a puzzle: the position that a line of actions leads to, and its board, as the seat that is asked sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from games.engine.insight import Plan
from games.engine.protocol import RuleViolation, Step
from games.play.boards.apart import Apart
from games.puzzles.days import Daily

_MOST_ACTIONS, _LONGEST_ACTION = 12, 80


@dataclass(frozen=True, slots=True)
class Shown:
    """A position of a puzzle: its board, and what the actions that led to it were, in sentences."""

    html: str
    told: Sequence[str]


def parsed(puzzle: Daily, texts: Sequence[str]) -> Plan:
    """Return the actions that texts stand for.

    Raises:
        RuleViolation: one is not an action, or there are too many.
    """
    if len(texts) > _MOST_ACTIONS or any(len(text) > _LONGEST_ACTION for text in texts):
        raise RuleViolation("notation", _("That is more than one turn."))
    return tuple(puzzle.game.parse(text) for text in texts)


def worth(puzzle: Daily, line: Plan) -> int | None:
    """Return what an answer brings, None while it is not complete.

    Raises:
        RuleViolation: it is not legal, or not what is asked.
    """
    found = puzzle.maker.worth(puzzle.view, line)
    _steps(puzzle, line)
    return found


def board(puzzle: Daily, line: Plan, active: bool) -> Shown:
    """Return the board after some actions; `active` if the reader is to go on.

    Raises:
        RuleViolation: the actions are not legal.
    """
    steps = _steps(puzzle, line)
    apart, last = _apart(puzzle), steps[-1] if steps else None
    scene = apart.scene(
        last.state if last else puzzle.state,
        last.events if last else (),
        active=active,
        ended=last is not None and not active,
    )
    return Shown(apart.html(scene), [apart.told(step.events) for step in steps])


def told(puzzle: Daily, texts: Sequence[str]) -> str:
    """Return in sentences what an answer does."""
    return " ".join(_apart(puzzle).told(step.events) for step in _steps(puzzle, parsed(puzzle, texts)))


def _steps(puzzle: Daily, line: Plan) -> Sequence[Step[Any]]:
    return puzzle.maker.shown(puzzle.state, puzzle.seat, line)


def _apart(puzzle: Daily) -> Apart:
    names = tuple(_("You") if seat == puzzle.seat else _("Opponent") for seat in range(puzzle.puzzle.seats))
    return Apart(puzzle.title, puzzle.seat, names)
