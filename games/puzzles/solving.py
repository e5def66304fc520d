"""Playing a puzzle: the position that a line of actions leads to, and its board, as the seat that is asked sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from games.engine.insight import Plan
from games.engine.protocol import RuleViolation, Step
from games.puzzles.days import Daily
from games.titles import Scene

SEPARATOR: Final = ";"
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


def split(line: str) -> list[str]:
    """Return the actions of an address."""
    return [text for text in line.split(SEPARATOR) if text]


def composed(puzzle: Daily, fields: Mapping[str, Sequence[str]]) -> str:
    """Return the action a submitted board form asks for.

    Raises:
        RuleViolation: something is missing.
    """
    action = fields.get("action")
    return action[0] if action else puzzle.title.board.compose(fields)


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
    title, seat = puzzle.title, puzzle.seat
    scene = Scene(
        view=puzzle.game.view_for(steps[-1].state if steps else puzzle.state, seat),
        viewer=seat,
        names=_names(puzzle),
        recent=_seen(puzzle, steps[-1]) if steps else (),
        active=active,
        ended=bool(steps) and not active,
    )
    html = render_to_string(title.board.TEMPLATE, dict(title.board.context(scene)), using="boards")
    return Shown(html, list(_told(puzzle, steps)))


def told(puzzle: Daily, texts: Sequence[str]) -> str:
    """Return in sentences what an answer does."""
    return " ".join(_told(puzzle, _steps(puzzle, parsed(puzzle, texts))))


def _steps(puzzle: Daily, line: Plan) -> Sequence[Step[Any]]:
    return puzzle.maker.shown(puzzle.state, puzzle.seat, line)


def _told(puzzle: Daily, steps: Sequence[Step[Any]]) -> Iterator[str]:
    """Yield for each step what happened."""
    names, say = _names(puzzle), puzzle.title.board.line
    for step in steps:
        yield " ".join(text for event in _seen(puzzle, step) if (text := say(event, names, puzzle.seat)))


def _seen(puzzle: Daily, step: Step[Any]) -> tuple[Any, ...]:
    return tuple(event for event in step.events if event.is_seen_by(puzzle.seat))


def _names(puzzle: Daily) -> tuple[str, ...]:
    return tuple(_("You") if seat == puzzle.seat else _("Opponent") for seat in range(puzzle.puzzle.seats))
