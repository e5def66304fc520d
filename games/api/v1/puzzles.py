"""The puzzle of a day, and your tries."""

from __future__ import annotations

from datetime import date
from http import HTTPStatus
from typing import Any

import msgspec
from django.http import Http404
from django.utils.translation import gettext as _
from ninja import Field, Router, Schema

from games.api.answers import answers
from games.api.authentication import CallerRequest, for_everybody, needs
from games.api.models import Scope
from games.api.problems import Problem
from games.puzzles import daily, services
from games.puzzles.daily import Daily
from games.puzzles.services import Tried

router = Router(tags=["puzzles"])


class OneTry(Schema):
    """An answer: its actions, and what they bring."""

    line: list[str]
    worth: int


class Solution(Schema):
    """The best answer, told once your tries are over: its actions, what it brings, and the next best one."""

    line: list[str]
    best: int
    second: int
    examined: int


class OwnTries(Schema):
    """Your tries on a puzzle."""

    tries: list[OneTry]
    left: int
    solved: bool
    solution: Solution | None


class PuzzleOfDay(Schema):
    """A puzzle.

    Attributes:
        task: what is asked, in words.
        seat: whose turn it is, and who is asked.
        view: what that seat knows (`games/{game}` has its JSON Schema).
        mine: your tries; null without a token for puzzles.
    """

    game: str
    date: date
    kind: str
    task: str
    seat: int
    view: Any
    mine: OwnTries | None


class Answer(Schema):
    """An answer: the actions of a turn, in the game’s notation."""

    line: list[str] = Field(..., min_length=1, max_length=12)


@router.get("puzzles/{game}/{day}", response=answers(PuzzleOfDay, 410), **for_everybody())
def puzzle(request: CallerRequest, game: str, day: date) -> Any:
    """Return the puzzle of a day."""
    caller = request.auth
    scheduled = _scheduled(game, day)
    knows = caller.known is not None and Scope.PUZZLES in caller.scopes
    found, tried = services.tried(request, scheduled) if knows else (scheduled, None)
    _check_there(found)
    return {
        "game": game,
        "date": day,
        "kind": found.puzzle.kind,
        "task": str(found.task.asked(found.view)),
        "seat": found.puzzle.seat,
        "view": msgspec.to_builtins(found.view, order="deterministic"),
        "mine": None if tried is None else _mine(found, tried),
    }


@router.post("puzzles/{game}/{day}/tries", response=answers(OwnTries, 410), **needs(Scope.PUZZLES))
def answer(request: CallerRequest, game: str, day: date, body: Answer) -> Any:
    """Answer a puzzle; three tries are yours, and the same answer again costs none.

    It is refused, and costs nothing, while it is not a whole answer.
    """
    found, before = services.tried(request, _scheduled(game, day))
    _check_there(found)
    after = before if before.is_over else services.answer(request, found, body.line)
    if after is None:
        text = _("The turn is not over with these actions.")
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "incomplete", text)
    if not services.has_tried(after, found, body.line):
        text = _("You have no tries left on this puzzle.")
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "puzzle-over", text)
    return _mine(found, after)


def _scheduled(game: str, day: date) -> Daily:
    found = daily.puzzle_of(game, day)
    if found is None:
        raise Http404
    return found


def _check_there(found: Daily) -> None:
    if not found.is_there:
        raise Problem(HTTPStatus.GONE, "gone", _("This puzzle has been withdrawn."))


def _mine(found: Daily, tried: Tried) -> dict[str, Any]:
    puzzle = found.puzzle
    solution = {
        "line": list(puzzle.solution),
        "best": puzzle.best,
        "second": puzzle.second,
        "examined": puzzle.examined,
    }
    return {
        "tries": [{"line": list(it.line), "worth": it.worth} for it in tried.tries],
        "left": tried.left,
        "solved": tried.solved,
        "solution": solution if tried.is_over else None,
    }
