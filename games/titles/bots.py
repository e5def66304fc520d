"""Bots for every title: the three levels, each a function that plays any game from what its seat may know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from games.engine.bots.dice import dice_from
from games.engine.bots.levels import COMPANION, MASTER, NOVICE, Level
from games.engine.bots.levels import choose as choose_at
from games.engine.bots.search import Search
from games.engine.protocol import AnyGame, Chance, Seat
from games.titles.insights import insight_of

Bot: TypeAlias = Callable[[AnyGame, Any, Seat, Chance, float], Any]
"""Given a game, the view of a seat that is to move, this seat, chance of its own and seconds, return an action."""


def _bot(level: Level) -> Bot:
    def choose(game: AnyGame, view: Any, seat: Seat, chance: Chance, seconds: float) -> Any:
        return choose_at(level, Search(game, insight_of(game.slug), view, seat, dice_from(chance)), seconds)

    return choose


novice, companion, master = _bot(NOVICE), _bot(COMPANION), _bot(MASTER)


def greedy(game: AnyGame, view: Any, seat: Seat, chance: Chance, seconds: float) -> Any:
    """Take the action after which one's own standing is best at once, in a world that fits the view."""
    dice = dice_from(chance)
    state = game.imagine(view, dice)
    actions = dice.shuffle("greedy", list(game.legal_actions(state, seat)))
    return max(actions, key=lambda action: game.standing(game.apply(state, seat, action, dice).state)[seat])
