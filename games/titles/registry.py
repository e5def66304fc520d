"""The titles: every game with its board and whatever else its folder holds.

Mistakes in a title are found here, when the site starts, and not at the last action of a match.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, cast

from games.engine.codec import decoder
from games.engine.insight import Insight, NoInsight
from games.engine.lessons import EXERCISE, LESSON, Course, Lesson, LessonError, Rule, as_it_is, read_lesson, read_rules
from games.engine.protocol import AnyGame, missing_from
from games.engine.puzzles import Puzzle, PuzzleMaker
from games.titles.advice import Advice, NoAdvice
from games.titles.board import Board, CoachMark, Scene
from games.titles.tasks import Task
from games.titles.tensors import Tensors

if TYPE_CHECKING:  # it needs Django, which rules do not
    from games.titles.regions import Page

_FUNCTIONS: Final = tuple(name for name, value in vars(Board).items() if inspect.isfunction(value) and name[0] != "_")
_TEXTS: Final = ("TEMPLATE", "PITCH", "SPRITE", "THUMBNAIL_SPRITE", "MOTION", "SCORE")
_KINDS: Final = {"OPEN": bool, **dict.fromkeys(_TEXTS, str)}
_ATTRIBUTES: Final = tuple(Board.__annotations__)
_INSIGHT: Final = (*Insight.__annotations__, *(name for name in vars(Insight) if not name.startswith("_")))
_ADVICE: Final = tuple(name for name in vars(Advice) if not name.startswith("_"))
_KEY: Final = re.compile(r"[a-z]+")  # of a coach mark
_NONE: Final[Mapping[str, Any]] = MappingProxyType({})


class TitleError(Exception):
    """A title is incomplete; the text names the title and what is missing or wrong."""


@dataclass(frozen=True)
class Title:
    """A game with everything its folder holds; each part is loaded when it is first asked for.

    Args:
        package: of the title, for example "games.titles.shifting_stones".
        game: its rules.
    """

    package: str
    game: AnyGame

    @property
    def slug(self) -> str:
        return self.game.slug

    @property
    def folder(self) -> str:
        """The name of its folder, and of those for its templates and static files."""
        return self.package.rpartition(".")[2]

    @cached_property
    def path(self) -> Path:
        return Path(cast("str", importlib.import_module(self.package).__file__)).parent

    @cached_property
    def board(self) -> Board:
        """What its module `board` defines, with defaults for the rest."""
        from games.titles.defaults import DefaultBoard, one_region  # noqa: PLC0415  # needs Django, which rules do not

        own = self._module("board")
        usual = DefaultBoard(self.game, self.folder, frozenset(_files(self.path / "templates")))
        board = SimpleNamespace(**{key: getattr(own, key, getattr(usual, key)) for key in (*_ATTRIBUTES, *_FUNCTIONS)})
        if not hasattr(own, "own_regions"):
            board.own_regions = lambda scene: one_region(board.TEMPLATE, board.context(scene))
        return cast("Board", board)

    @property
    def has_secret_turns(self) -> bool:
        """Whether some of its turns are sealed: then its board has words for them."""
        return hasattr(self._module("board"), "secret")

    def page_of(self, scene: Scene) -> Page:
        """Return a board that is shown apart from the page of a match."""
        from games.titles.regions import Page, Shared  # noqa: PLC0415  # as above

        return Page(self.board.own_regions(scene), Shared(self.board.regions(scene)))

    @cached_property
    def art(self) -> str:
        """The folder of its pictures below `static/`; empty if it brings none (see `games.titles.art`)."""
        return f"{self.folder}/art" if (self.path / "static" / self.folder / "art").is_dir() else ""

    @cached_property
    def insight(self) -> Insight:
        """What is known of playing it well: its module `insight`, with `NoInsight` for the rest."""
        own, usual = self._module("insight"), NoInsight(self.game)
        known = {name: getattr(own, name, getattr(usual, name)) for name in _INSIGHT}
        return cast("Insight", SimpleNamespace(**known))

    @cached_property
    def tensors(self) -> Tensors | None:
        """What tells it in numbers to programs that learn: its module `tensors`, None without one."""
        return cast("Tensors | None", self._module("tensors"))

    @cached_property
    def advice(self) -> Advice:
        """What is said of actions: its module `advice`, with `NoAdvice` for the rest."""
        own, usual = self._module("advice"), NoAdvice()
        return cast("Advice", SimpleNamespace(**{name: getattr(own, name, getattr(usual, name)) for name in _ADVICE}))

    @cached_property
    def coach(self) -> Sequence[CoachMark]:
        """What a newcomer is told on the board, in this order: `COACH` of its module `teaching`."""
        return getattr(self._module("teaching"), "COACH", ())

    @cached_property
    def lessons(self) -> Mapping[str, Lesson]:
        """Its lessons and exercises by name, in the order in which they are offered: the files `lessons/<name>.json`.

        Raises:
            LessonError: a file is not a lesson; the text names it.
        """
        found: dict[str, Lesson] = {}
        for path in (self.path / "lessons").glob("*.json"):
            if path.name == "rules.json":
                continue
            try:
                found[path.stem] = read_lesson(path.read_bytes())
            except LessonError as error:
                raise LessonError(f"{self.folder}/lessons/{path.name}: {error}") from error
        kinds = (LESSON, EXERCISE)
        return dict(sorted(found.items(), key=lambda it: (kinds.index(it[1].kind), it[1].grade, it[1].order, it[0])))

    @cached_property
    def rules_taught(self) -> Mapping[str, Rule]:
        """The rules that its lessons and exercises are to cover, by name: the file `lessons/rules.json`."""
        path = self.path / "lessons" / "rules.json"
        return read_rules(path.read_bytes()) if path.exists() else _NONE

    def course(self, lesson: Lesson) -> Course:
        """Return a lesson ready to be played.

        The title's module `teaching` may define `GOALS`, the goals that steps name, and `arrange`, which makes the rest
        of a position fit the fields that a lesson gives.
        """
        own = self._module("teaching")
        return Course(self.game, lesson, getattr(own, "GOALS", _NONE), getattr(own, "arrange", as_it_is))

    @cached_property
    def puzzle_kinds(self) -> Mapping[str, PuzzleMaker]:
        """The kinds of puzzles that it has: `KINDS` of its module `puzzles`."""
        return getattr(self._module("puzzles"), "KINDS", _NONE)

    @cached_property
    def puzzle_tasks(self) -> Mapping[str, Task]:
        """The words for each of these kinds: `TASKS` of its module `tasks`."""
        return getattr(self._module("tasks"), "TASKS", _NONE)

    @cached_property
    def puzzle_folder(self) -> Path:
        """Where puzzles lie, a file for each year, and their schedule."""
        return self.path / "daily"

    @cached_property
    def puzzles(self) -> Mapping[int, Puzzle]:
        """The puzzles that can be asked, by id: those of its present rules and kinds."""
        lines = (line for path in sorted(self.puzzle_folder.glob("*.jsonl")) for line in path.read_bytes().splitlines())
        found = (decoder(Puzzle).decode(line) for line in lines)
        return {
            puzzle.id: puzzle
            for puzzle in found
            if puzzle.version == self.game.version and puzzle.kind in self.puzzle_kinds
        }

    @property
    def puzzle_schedule(self) -> Path:
        """A file with a day and the id of its puzzle in each line; those of days that have been never change."""
        return self.puzzle_folder / "schedule.txt"

    @cached_property
    def puzzle_days(self) -> Mapping[date, int]:
        """The id of each day's puzzle: the first one in the schedule that is there, the last one if none is."""
        found: dict[date, int] = {}
        lines = self.puzzle_schedule.read_text().splitlines() if self.puzzle_schedule.exists() else ()
        for day, number in map(str.split, lines):
            if found.get(date.fromisoformat(day)) not in self.puzzles:
                found[date.fromisoformat(day)] = int(number)
        return found

    def check(self) -> None:
        """Raise a `TitleError` if `board` or `COACH` do not fit, name a missing file, or if pictures are missing."""
        from games.titles.art import missing_art  # noqa: PLC0415  # needs Django, which rules do not

        if missing := missing_art(self.path / "static", self.folder):
            raise TitleError(f"{self.package}: static/{self.folder}/art lacks {', '.join(missing)}.")
        for problem in self._problems():
            raise TitleError(f"{self.package}.board: {problem}")
        for problem in _problems_of_marks(self.coach):
            raise TitleError(f"{self.package}.teaching: {problem}")

    def _module(self, name: str) -> Any:
        """Return an optional module of the title, None if there is none, as where the title itself is one module."""
        name = f"{self.package}.{name}"
        is_folder = hasattr(importlib.import_module(self.package), "__path__")
        return importlib.import_module(name) if is_folder and find_spec(name) else None

    def _problems(self) -> Iterator[str]:
        """Yield what is wrong with the board."""
        from django.utils.functional import Promise  # noqa: PLC0415  # rules are loaded without Django

        board = self.board
        for key in _ATTRIBUTES:
            kind, value = _KINDS.get(key, tuple), getattr(board, key)
            if not isinstance(str(value) if isinstance(value, Promise) else value, kind):  # translated later
                yield f"{key} must be a {kind.__name__}, not {value!r}."
        for key in _FUNCTIONS:
            yield from _problems_of_function(key, getattr(board, key))
        sections = (template for template, _ in board.RULES)
        templates = (board.TEMPLATE, board.SPRITE, board.THUMBNAIL_SPRITE, *sections)
        static = (*board.STYLES, *board.UNSCRIPTED, *board.SCRIPTS, *board.RULES_STYLES, board.MOTION)
        for kind_of_file, named in (("templates", templates), ("static", static)):
            there = frozenset(_files(self.path / kind_of_file))
            for path in named:
                if path.startswith(f"{self.folder}/") and path not in there:  # files of the site are not checked
                    yield f"there is no {kind_of_file}/{path}."


def _files(folder: Path) -> Iterator[str]:
    return (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _problems_of_function(key: str, function: Any) -> Iterator[str]:
    wanted = list(inspect.signature(getattr(Board, key)).parameters)[1:]
    if not callable(function):
        yield f"{key} must be a function, not {function!r}."
        return
    try:
        inspect.signature(function).bind(*wanted)
    except TypeError as error:
        yield f"{key} is called with ({', '.join(wanted)}): {error}."


def _problems_of_marks(marks: Iterable[CoachMark]) -> Iterator[str]:
    keys: set[str] = set()
    for mark in marks:
        if not _KEY.fullmatch(mark.key) or mark.key in keys:
            yield f"{mark.key!r} must be a word in small letters that no other mark has."
        keys.add(mark.key)
        if not mark.target or not mark.text:
            yield f"{mark.key!r} lacks a target or a text."


def apps() -> list[str]:
    """Return the packages of all titles, which are Django apps, sorted."""
    found = pkgutil.iter_modules([str(Path(__file__).parent)])
    return sorted(f"games.titles.{module.name}" for module in found if module.ispkg)


def load(package: str) -> Title:
    """Return a title, of which nothing but the rules is loaded.

    Raises:
        TitleError: the package has no `GAME`, or the game lacks something of `games.engine.protocol.Game`.
    """
    game = getattr(importlib.import_module(package), "GAME", None)
    if game is None:
        raise TitleError(f"{package} has no GAME: put `GAME = YourRules()` into its __init__.py.")
    if missing := missing_from(game):
        raise TitleError(f"{package}: the game lacks {', '.join(missing)} (see games.engine.protocol.Game).")
    return Title(package, game)


@cache
def _found() -> Mapping[str, Title]:
    found: dict[str, Title] = {}
    for title in map(load, apps()):
        if other := found.get(title.slug):
            raise TitleError(f"{other.package} and {title.package} have the same slug, {title.slug}.")
        found[title.slug] = title
    return found


@cache
def games() -> Mapping[str, AnyGame]:
    """Return every game's rules by slug, without loading what only pages need.

    Raises:
        TitleError: a game is incomplete, or two have the same slug.
    """
    return {slug: title.game for slug, title in _found().items()}


def title_of(slug: str) -> Title:
    """Return one title, unchecked: what only pages need is not loaded before it is asked for.

    Raises:
        TitleError: a game is incomplete, or two have the same slug.
    """
    return _found()[slug]


@cache
def titles() -> Mapping[str, Title]:
    """Return every title by slug, checked, in the order of their names.

    Raises:
        TitleError: a title is incomplete.
    """
    for title in _found().values():
        title.check()
    return dict(sorted(_found().items(), key=lambda item: item[1].game.name))


@cache
def rules_of(slug: str, version: int | None) -> AnyGame:
    """Return a game's rules as they were in a version; the current ones when it is None or its title kept none.

    >>> rules_of("small-islands", 1).version
    1
    """
    earlier = (game for name in apps() for game in getattr(importlib.import_module(name), "EARLIER", ()))
    return next((game for game in earlier if (game.slug, game.version) == (slug, version)), games()[slug])
