"""The games, one folder each, found by discovery. Titles never import each other.

A title is a package beside this file with

- `GAME` in its `__init__.py`: the rules (see `games.engine.protocol.Game`), importable without Django; beside it
  perhaps `EARLIER`, the rules of earlier versions, so that matches that began with them continue and can be checked;
- `templates/<folder>/board.jinja`: what viewers see of a match.

That is enough for a game in which one seat moves at a time and nothing is hidden (`games.engine.open_game`). Its
template gets `view`, `scene` and `legal`, the texts of the legal actions, and offers them as buttons
`<button form="act" name="action" value="...">`. For anything else a module `board.py` defines any part of the
`Board` protocol (`games.titles.board`), with its files below `static/<folder>/` and `templates/<folder>/`.
Optional modules say how a program plays it well (`insight`) and why an action is good (`advice`), make its puzzles
(`puzzles`) and say what they ask (`tasks`), help its lessons and say what a newcomer is told on the board (`teaching`),
and tell it in numbers to programs that learn (`tensors`); `Title` (`games.titles.registry`) has all of them.
"""

from __future__ import annotations

from games.titles.board import Board, Doubt, Fact, Mark, Number, Scene, SoloResult
from games.titles.registry import Title, TitleError, apps, games, rules_of, title_of, titles

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
    "rules_of",
    "title_of",
    "titles",
]
