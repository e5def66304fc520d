"""Find what titles bring for teaching: the lessons in their folders `lessons`, and their optional modules `teaching`.

A lesson is a file `<name>.json` (see `games.engine.lessons` and docs/lessons.md); `rules.json` lists the rules that
lessons and exercises cover. The module can define `GOALS`, the goals that steps name, and `arrange`, which makes the
rest of a position fit the fields that a lesson gives.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, cast

from games.engine.lesson_course import Course, as_it_is
from games.engine.lessons import EXERCISE, LESSON, Lesson, LessonError, Rule, read, read_rules
from games.engine.protocol import AnyGame
from games.titles import games, package_of

FOLDER: Final = "lessons"
RULES: Final = "rules.json"
_NONE: Final[Mapping[str, Any]] = MappingProxyType({})


@cache
def lessons_of(slug: str) -> Mapping[str, Lesson]:
    """Return the lessons and exercises of a game by name, in the order in which they are offered.

    Raises:
        LessonError: a file is not a lesson; the text names it.
    """
    found = {path.stem: _read(path) for path in _folder(slug).glob("*.json") if path.name != RULES}
    return dict(sorted(found.items(), key=lambda pair: _place(*pair)))


def _place(name: str, lesson: Lesson) -> tuple[int, int, int, str]:
    return ((LESSON, EXERCISE).index(lesson.kind), lesson.grade, lesson.order, name)


def _read(path: Path) -> Lesson:
    try:
        return read(path.read_bytes())
    except LessonError as error:
        raise LessonError(f"{path.parent.parent.name}/{path.parent.name}/{path.name}: {error}") from error


@cache
def rules_taught(slug: str) -> Mapping[str, Rule]:
    """Return the rules that a game's lessons and exercises are to cover, by name."""
    path = _folder(slug) / RULES
    return read_rules(path.read_bytes()) if path.exists() else _NONE


def course_of(slug: str, name: str) -> Course | None:
    """Return a lesson ready to be played, None if the game has no lesson of this name."""
    lesson = lessons_of(slug).get(name) if slug in games() else None
    return None if lesson is None else course(slug, lesson)


def course(slug: str, lesson: Lesson) -> Course:
    """Return a lesson of a game ready to be played, with what the title's module `teaching` knows."""
    own = _module(slug)
    return Course(games()[slug], lesson, getattr(own, "GOALS", _NONE), getattr(own, "arrange", as_it_is))


@cache
def with_lessons() -> tuple[AnyGame, ...]:
    """Return the games that have lessons, by name."""
    found = (game for slug, game in games().items() if lessons_of(slug))
    return tuple(sorted(found, key=lambda game: game.name))


def _module(slug: str) -> Any:
    """Return the module `teaching` of a title, None if it has none."""
    name = f"{package_of(slug)}.teaching"
    return importlib.import_module(name) if find_spec(name) else None


def _folder(slug: str) -> Path:
    return Path(cast("str", importlib.import_module(package_of(slug)).__file__)).parent / FOLDER
