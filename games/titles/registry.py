"""The titles: every game with its board, what it knows about playing well, its lessons and its puzzles.

Mistakes in a title are found here, when the site starts, and not at the last action of a match.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import Any, Final, cast

import msgspec

from games.engine import runner
from games.engine.insight import Insight, NoInsight, Plan, Policy, choose
from games.engine.lessons import EXERCISE, LESSON, Course, Lesson, LessonError, Rule, as_it_is, read_lesson, read_rules
from games.engine.protocol import AnyGame, Seat, missing_from
from games.engine.puzzles import Puzzle, PuzzleMaker, Solved
from games.titles.board import Board

_FUNCTIONS: Final = tuple(name for name, value in vars(Board).items() if inspect.isfunction(value) and name[0] != "_")
_TEXTS: Final = ("TEMPLATE", "SPRITE", "THUMBNAIL_SPRITE", "MOTION", "SCORE")
_KINDS: Final = {"OPEN": bool, **dict.fromkeys(_TEXTS, str)}
_ATTRIBUTES: Final = tuple(Board.__annotations__)


class TitleError(Exception):
    """A title is incomplete; the text names the title and what is missing or wrong."""


@dataclass(frozen=True, slots=True)
class Title:
    """A game together with how it is shown.

    Args:
        art: the folder of its pictures below `static/`; empty if it brings none (see `games.titles.art`).
    """

    slug: str
    game: AnyGame
    board: Board
    art: str = ""


@cache
def titles() -> Mapping[str, Title]:
    """Return every title by slug, in the order of their names.

    Raises:
        TitleError: a title is incomplete.
    """
    return {title.slug: title for title in sorted(map(load_title, apps()), key=lambda title: title.game.name)}


@cache
def games() -> Mapping[str, AnyGame]:
    """Return every game's rules by slug, without loading what only pages need.

    Raises:
        TitleError: a game is incomplete, or two have the same slug.
    """
    found = {name: load_game(name) for name in apps()}
    slugs = {game.slug: name for name, game in found.items()}
    for name, game in found.items():
        if slugs[game.slug] != name:
            raise TitleError(f"{name} and {slugs[game.slug]} have the same slug, {game.slug}.")
    return {game.slug: game for game in found.values()}


@cache
def rules_of(slug: str, version: int | None) -> AnyGame:
    """Return a game's rules as they were in a version; the current ones when it is None or its title kept none.

    >>> rules_of("small-islands", 1).version
    1
    """
    earlier = (game for name in apps() for game in _earlier(name))
    return next((game for game in earlier if (game.slug, game.version) == (slug, version)), games()[slug])


def _earlier(name: str) -> Sequence[AnyGame]:
    return cast("Sequence[AnyGame]", getattr(importlib.import_module(name), "EARLIER", ()))


@cache
def package_of(slug: str) -> str:
    """Return the package of a title.

    Raises:
        KeyError: there is no such game.
    """
    return {importlib.import_module(name).GAME.slug: name for name in apps()}[slug]


def apps() -> list[str]:
    """Return the Django apps of all titles."""
    return folders([str(Path(__file__).parent)], "games.titles")


def folders(path: list[str], package: str) -> list[str]:
    """Return the names of the packages of all titles, sorted."""
    return sorted(f"{package}.{module.name}" for module in pkgutil.iter_modules(path) if module.ispkg)


def load_game(name: str) -> AnyGame:
    """Return the rules of a title, without what only pages need.

    Raises:
        TitleError: the package has no `GAME`, or the game lacks something of `games.engine.protocol.Game`.
    """
    game = getattr(importlib.import_module(name), "GAME", None)
    if game is None:
        raise TitleError(f"{name} has no GAME: put `GAME = YourRules()` into its __init__.py.")
    if missing := missing_from(game):
        raise TitleError(f"{name}: the game lacks {', '.join(missing)} (see games.engine.protocol.Game).")
    return cast("AnyGame", game)


def load_title(name: str) -> Title:
    """Return a title with its complete board.

    Raises:
        TitleError: see `load_game`; or the module `board` has a function that takes other arguments, an attribute of
            another kind, or names a file that is not there; or some of its pictures are missing.
    """
    game = load_game(name)
    title = Title(game.slug, game, _board(name, game), _art(name))
    for problem in _problems(name, title.board):
        raise TitleError(f"{name}.board: {problem}")
    return title


def _art(name: str) -> str:
    """Return the folder of a title's pictures, empty if there are none."""
    from games.titles.art import missing_art  # noqa: PLC0415  needs Django, which rules do not

    folder = name.rpartition(".")[2]
    if missing := missing_art(_place(name) / "static", folder):
        raise TitleError(f"{name}: static/{folder}/art lacks {', '.join(missing)}.")
    return f"{folder}/art" if (_place(name) / "static" / folder / "art").is_dir() else ""


def _board(name: str, game: AnyGame) -> Board:
    """Return what the title's module `board` defines, with defaults for the rest."""
    from games.titles.defaults import DefaultBoard  # noqa: PLC0415  # needs Django, which rules do not

    own = importlib.import_module(f"{name}.board") if find_spec(f"{name}.board") else ModuleType(name)
    usual = DefaultBoard(game, name.rpartition(".")[2], frozenset(_files(_place(name) / "templates")))
    return cast("Board", SimpleNamespace(**{key: _either(own, usual, key) for key in (*_ATTRIBUTES, *_FUNCTIONS)}))


def _either(own: ModuleType, usual: object, key: str) -> Any:
    return getattr(own, key) if hasattr(own, key) else getattr(usual, key)


def _place(name: str) -> Path:
    return Path(cast("str", importlib.import_module(name).__file__)).parent


def _files(folder: Path) -> Iterator[str]:
    return (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _problems(name: str, board: Board) -> Iterator[str]:
    """Yield what is wrong with a board."""
    from django.utils.functional import Promise  # noqa: PLC0415  # rules are loaded without Django

    for key in _ATTRIBUTES:
        kind = _KINDS.get(key, tuple)
        value = getattr(board, key)
        if not isinstance(str(value) if isinstance(value, Promise) else value, kind):  # one is translated later
            yield f"{key} must be a {kind.__name__}, not {value!r}."
    for key in _FUNCTIONS:
        yield from _problems_of_function(key, getattr(board, key))
    sections = (template for template, _ in board.RULES)
    yield from _missing_files(name, "templates", (board.TEMPLATE, board.SPRITE, board.THUMBNAIL_SPRITE, *sections))
    yield from _missing_files(name, "static", (*board.STYLES, *board.SCRIPTS, *board.RULES_STYLES, board.MOTION))


def _problems_of_function(key: str, function: Any) -> Iterator[str]:
    wanted = list(inspect.signature(getattr(Board, key)).parameters)[1:]
    if not callable(function):
        yield f"{key} must be a function, not {function!r}."
        return
    try:
        inspect.signature(function).bind(*wanted)
    except TypeError as error:
        yield f"{key} is called with ({', '.join(wanted)}): {error}."


def _missing_files(name: str, kind: str, paths: tuple[str, ...]) -> Iterator[str]:
    """Yield the files of this title that are named but missing; files of the site are not checked."""
    there = frozenset(_files(_place(name) / kind))
    folder = name.rpartition(".")[2]
    for path in paths:
        if path.startswith(f"{folder}/") and path not in there:
            yield f"there is no {kind}/{path}."


FOLDER: Final = "lessons"
RULES: Final = "rules.json"
_NONE: Final[Mapping[str, Any]] = MappingProxyType({})


@cache
def lessons_of(slug: str) -> Mapping[str, Lesson]:
    """Return the lessons and exercises of a game by name, in the order in which they are offered.

    Raises:
        LessonError: a file is not a lesson; the text names it.
    """
    found = {path.stem: _read(path) for path in _lessons(slug).glob("*.json") if path.name != RULES}
    return dict(sorted(found.items(), key=lambda pair: _order(*pair)))


def _order(name: str, lesson: Lesson) -> tuple[int, int, int, str]:
    return ((LESSON, EXERCISE).index(lesson.kind), lesson.grade, lesson.order, name)


def _read(path: Path) -> Lesson:
    try:
        return read_lesson(path.read_bytes())
    except LessonError as error:
        raise LessonError(f"{path.parent.parent.name}/{path.parent.name}/{path.name}: {error}") from error


@cache
def rules_taught(slug: str) -> Mapping[str, Rule]:
    """Return the rules that a game's lessons and exercises are to cover, by name."""
    path = _lessons(slug) / RULES
    return read_rules(path.read_bytes()) if path.exists() else _NONE


def course_of(slug: str, name: str) -> Course | None:
    """Return a lesson ready to be played, None if the game has no lesson of this name."""
    lesson = lessons_of(slug).get(name) if slug in games() else None
    return None if lesson is None else course(slug, lesson)


def course(slug: str, lesson: Lesson) -> Course:
    """Return a lesson of a game ready to be played, with what the title's module `teaching` knows."""
    own = _teaching(slug)
    return Course(games()[slug], lesson, getattr(own, "GOALS", _NONE), getattr(own, "arrange", as_it_is))


@cache
def with_lessons() -> tuple[AnyGame, ...]:
    """Return the games that have lessons, by name."""
    found = (game for slug, game in games().items() if lessons_of(slug))
    return tuple(sorted(found, key=lambda game: game.name))


def _teaching(slug: str) -> Any:
    """Return the module `teaching` of a title, None if it has none."""
    name = f"{package_of(slug)}.teaching"
    return importlib.import_module(name) if find_spec(name) else None


def _lessons(slug: str) -> Path:
    return Path(cast("str", importlib.import_module(package_of(slug)).__file__)).parent / FOLDER


_PARTS: Final = ("EFFORT", *(name for name in vars(Insight) if not name.startswith("_")))


@cache
def insight_of(slug: str) -> Insight:
    """Return what is known of playing this game; what its title does not say is as in `NoInsight`.

    Raises:
        KeyError: there is no such game.
    """
    own, usual = _insight(slug), NoInsight(games()[slug])
    known = {name: getattr(own, name, None) or getattr(usual, name) for name in _PARTS}
    return cast("Insight", SimpleNamespace(**known))


def policy_of(slug: str) -> Policy:
    """Return how a quick, sensible program plays this game; otherwise as `insight_of`."""
    return insight_of(slug).policy


def _insight(slug: str) -> Any:
    """Return the module `insight` of a title, None if it has none."""
    folder = package_of(slug)
    return None if find_spec(f"{folder}.insight") is None else importlib.import_module(f"{folder}.insight")


FILE: Final = "puzzles.jsonl"
_SEATS: Final = 2
_KEPT: Final = 256
_EARLIEST: Final = 20
_LATEST: Final = 40
"""The search begins after up to so many actions, and ends after so many: the way there is stored with a puzzle."""
_LEAST: Final = 3
"""Puzzles that bring less are not worth the trouble."""


@cache
def maker_of(slug: str) -> PuzzleMaker | None:
    """Return how a game makes puzzles, None if it does not.

    Raises:
        KeyError: there is no such game.
    """
    name = f"{package_of(slug)}.puzzles"
    return cast("PuzzleMaker", importlib.import_module(name)) if find_spec(name) else None


def file_of(slug: str) -> Path:
    """Return where the puzzles of a game are kept."""
    return Path(cast("str", importlib.import_module(package_of(slug)).__file__)).parent / FILE


@cache
def puzzles_of(slug: str) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game that can be asked, in the order of the file: those of its present rules."""
    path = file_of(slug)
    if maker_of(slug) is None or not path.exists():
        return ()
    lines = path.read_text(encoding="utf-8").splitlines()
    found = (msgspec.json.decode(line, type=Puzzle) for line in lines)
    return tuple(puzzle for puzzle in found if puzzle.version == games()[slug].version)


@lru_cache(maxsize=1)
def with_puzzles() -> tuple[str, ...]:
    """Return the games that have puzzles, by name."""
    found = [game for slug, game in games().items() if puzzles_of(slug)]
    return tuple(game.slug for game in sorted(found, key=lambda game: game.name))


def puzzle_line(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of the file."""
    return msgspec.json.encode(puzzle).decode()


@lru_cache(maxsize=_KEPT)
def puzzle_position_of(slug: str, number: int) -> Any:
    """Return the state in which a puzzle is asked."""
    return puzzle_position(games()[slug], puzzles_of(slug)[number])


def puzzle_position(game: AnyGame, puzzle: Puzzle) -> Any:
    """Return the state in which a puzzle is asked, by playing its match again.

    Raises:
        RuleViolation: an action of the match is refused.
    """
    seed = bytes.fromhex(puzzle.seed)
    reached: runner.Play[Any] = runner.begin(game, puzzle.seats, puzzle.options, seed)
    for seat, text in puzzle.actions:
        reached = runner.play(game, reached.position, Seat(seat), text, seed)
    return reached.state


def solution_of(game: AnyGame, puzzle: Puzzle) -> Plan:
    """Return the actions of the solution."""
    return tuple(game.parse(text) for text in puzzle.solution)


# --- finding ----------------------------------------------------------------------------------------------------------


def found_in(game: AnyGame, maker: PuzzleMaker, number: int) -> Puzzle | None:
    """Return a puzzle from a match between bots, None if it has none; the same number gives the same one.

    The matches are searched from different moments on, so that puzzles come from all parts of a match.
    """
    seed = sha256(b"puzzle %d" % number).digest()
    for play, actions in _match(game, seed):
        if play.number > _LATEST:
            break
        seats = sorted(play.to_move) if play.number >= number % _EARLIEST else ()
        found = (_puzzle(game, maker, play, seat, seed, actions) for seat in seats)
        if puzzle := next(filter(None, found), None):
            return puzzle
    return None


def _match(game: AnyGame, seed: bytes) -> Iterator[tuple[runner.Play[Any], Sequence[tuple[int, str]]]]:
    """Play a match between bots; yield each position with the actions that led to it."""
    policy, actions = policy_of(game.slug), list[tuple[int, str]]()
    reached: runner.Play[Any] = runner.begin(game, _SEATS, {}, seed)
    while reached.to_move:
        yield reached, actions
        seat = min(reached.to_move)
        own = sha256(b"%d %d" % (seat, reached.number) + seed).digest()
        reached = runner.act(game, reached.position, seat, choose(game, policy, reached.state, seat, own), seed)
        actions.append((seat, reached.text))


def _puzzle(  # noqa: PLR0917  # a position, and where it comes from
    game: AnyGame,
    maker: PuzzleMaker,
    play: runner.Play[Any],
    seat: Seat,
    seed: bytes,
    actions: Sequence[tuple[int, str]],
) -> Puzzle | None:
    """Return the puzzle of a position: one with a single best answer, which somebody greedy does not find."""
    view = game.view_for(play.state, seat)
    if not maker.suits(view):
        return None
    solved = maker.solve(view)
    if not is_hard(maker, view, solved):
        return None
    solution = tuple(game.notate(action) for action in solved.line)
    return Puzzle(
        _SEATS,
        {},
        seed.hex(),
        game.version,
        tuple(actions),
        seat,
        solution,
        solved.best,
        solved.second,
        solved.examined,
    )


def is_hard(maker: PuzzleMaker, view: Any, solved: Solved) -> bool:
    """Say whether a position makes a puzzle."""
    if not solved.unique or solved.best < _LEAST:
        return False
    return (maker.worth(view, maker.greedy(view)) or 0) < solved.best
