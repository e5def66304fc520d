"""The games, one folder each, found by discovery. Titles never import each other.

A title is a package beside this file with

- `GAME` in its `__init__.py`: the rules (see `games.engine.protocol.Game`), importable without Django; beside it
  perhaps `EARLIER`, the rules of earlier versions, so that matches that began with them continue and can be checked;
- `templates/<folder>/board.jinja`: what viewers see of a match.

That is enough for a small game in which nothing is hidden (`games.engine.open_game` is a start for its rules). Its
template gets `view`, `scene` and `legal`, the texts of the legal actions, and offers them as buttons
`<button form="act" name="action" value="...">`. For anything else a module `board.py` defines any part of the
`Board` protocol (`games.titles.board`), with its files below `static/<folder>/` and `templates/<folder>/`.
An optional module `insight.py` says how a program plays it well (`games.engine.insight`).
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import cast

from games.engine.protocol import AnyGame
from games.titles.board import Board, Doubt, Fact, Mark, Number, Scene, SoloResult
from games.titles.loading import Title, TitleError, folders, load_game, load_title

__all__ = [
    "Board",
    "Doubt",
    "Fact",
    "Mark",
    "Number",
    "Scene",
    "SoloResult",
    "Title",
    "TitleError",
    "apps",
    "games",
    "package_of",
    "rules_of",
    "titles",
]


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
    return folders(__path__, __name__)
