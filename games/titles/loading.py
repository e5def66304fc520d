"""Find the titles, check that each is complete, and fill in what it can leave out.

Mistakes in a title are found here, when the site starts, and not at the last action of a match.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Final, cast

from games.engine.protocol import AnyGame, missing_from
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
