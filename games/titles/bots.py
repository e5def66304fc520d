"""Bots for every title: the three levels, each a function that plays any game from what its seat may know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import thread_time
from typing import Any, TypeAlias

from games.engine.bots.dice import Dice, dice_from
from games.engine.bots.levels import COMPANION, MASTER, NOVICE, Level
from games.engine.bots.levels import choose as choose_at
from games.engine.bots.search import Search, utilities
from games.engine.insight import NoInsight
from games.engine.protocol import AnyGame, Chance, Seat
from games.titles.insights import insight_of

Bot: TypeAlias = Callable[[AnyGame, Any, Seat, Chance, float], Any]
"""Given a game, the view of a seat that is to move, this seat, chance of its own and seconds, return an action."""


def _bot(level: Level) -> Bot:
    def choose(game: AnyGame, view: Any, seat: Seat, chance: Chance, seconds: float) -> Any:
        return choose_at(level, Search(game, insight_of(game.slug), view, seat, dice_from(chance)), seconds)

    return choose


novice, companion, master = _bot(NOVICE), _bot(COMPANION), _bot(MASTER)
tenfold = _bot(replace(MASTER, name="tenfold", effort=10.0))
hundredfold = _bot(replace(MASTER, name="hundredfold", effort=100.0))
"""Master with more of its budget, to measure what that would bring. One future is not a search, ten of them are."""


def greedy(game: AnyGame, view: Any, seat: Seat, chance: Chance, seconds: float) -> Any:
    """Take the action after which one's own standing is best at once, in a world that fits the view."""
    dice = dice_from(chance)
    state = game.imagine(view, dice)
    actions = dice.shuffle("greedy", list(game.legal_actions(state, seat)))
    return max(actions, key=lambda action: game.standing(game.apply(state, seat, action, dice).state)[seat])


_SAMPLED, _PLAYED_ON = 60, 40


def flat(game: AnyGame, view: Any, seat: Seat, chance: Chance, seconds: float) -> Any:
    """Try actions in turn while there is time, playing on at random each time in a world that fits the view.

    Time is that of a processor, so that other programs take none of it. Take the action after which things went best on
    average: Monte Carlo without a tree, and without any insight. Of very many actions some are tried, and play is cut
    off and judged by the standing after some more.
    """
    dice, end = dice_from(chance), thread_time() + seconds
    legal = list(game.legal_actions(game.imagine(view, dice), seat))
    actions = dice.shuffle("flat", legal)[:_SAMPLED] if len(legal) > 1 else legal
    total, tries = [0.0] * len(actions), 0
    while len(actions) > 1 and thread_time() < end:
        tried = tries % len(actions)
        total[tried] += _luck(game, game.imagine(view, dice), seat, actions[tried], dice)
        tries += 1
    means = [each / max(1, (tries - number - 1) // len(actions) + 1) for number, each in enumerate(total)]
    return actions[means.index(max(means))]


def _luck(game: AnyGame, state: Any, seat: Seat, action: Any, dice: Dice) -> float:
    """Return how a seat stands after an action and some more that are random."""
    usual = NoInsight(game)
    state = game.apply(state, seat, action, dice).state
    for _ in range(_PLAYED_ON):
        movers = sorted(game.to_move(state))
        if not movers:
            break
        state = game.apply(state, movers[0], usual.policy(state, movers[0], dice), dice).state
    outcome = game.outcome(state)
    return usual.evaluate(state, seat) if outcome is None else utilities(outcome.places)[seat]
