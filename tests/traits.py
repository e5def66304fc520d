"""What a game has: tests of every game ask, because a small one needs only rules and a template."""

from __future__ import annotations

from functools import cache

from games.engine.contract.playouts import Chooser, option_combinations, random_match
from games.engine.contract.testing import hides_nothing
from games.titles import games, titles
from games.titles.advice import NoAdvice
from games.titles.board import anchor
from games.titles.defaults import DefaultBoard


@cache
def is_open(slug: str) -> bool:
    """Return whether a game hides nothing."""
    game = games()[slug]
    seats, seed = game.seats[-1], bytes(32)
    return hides_nothing(game, random_match(game, seats, option_combinations(game, seats)[0], seed, Chooser(seed)))


def has_reasons(slug: str) -> bool:
    """Return whether a title says why an action is good."""
    return getattr(titles()[slug].advice.explain, "__func__", None) is not NoAdvice.explain


def has_summary(slug: str) -> bool:
    """Return whether the rules of a title have sections, of which the first is their summary."""
    return any(anchor(template) == "short" for template, _heading in titles()[slug].board.RULES)


def has_motion(slug: str) -> bool:
    """Return whether a title sets its board in motion."""
    return bool(titles()[slug].board.MOTION)


def has_lines(slug: str) -> bool:
    """Return whether a title says in words what happens."""
    return getattr(titles()[slug].board.line, "__func__", None) is not DefaultBoard.line
