"""Tune a weight by self-play: `python -m tests.benchmarks.tune GAME MODULE NAME VALUE ... --matches M`.

Each value plays M matches for two against the one in the code, deals and seats shared fairly. The bots plan without a
search: that is quick, and what is tuned guides the search too.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from ast import literal_eval
from importlib import import_module
from types import ModuleType
from typing import Any

from games.engine.contract.playouts import option_combinations
from games.engine.dice import dice_from
from games.engine.protocol import AnyGame, Chance, Seat
from games.titles import bots, games, titles
from games.titles.bots import Bot, pairings, play_match, strengths


def planning_with(module: ModuleType, name: str, value: Any) -> Bot:
    """Return a bot that takes the first candidate, a module holding this value under this name."""

    def choose(game: AnyGame, view: Any, seat: Seat, chance: Chance, seconds: float) -> Any:
        if getattr(module, name) != value:
            setattr(module, name, value)
            for each in vars(module).values():
                if hasattr(each, "cache_clear"):
                    each.cache_clear()
        insight, dice = titles()[game.slug].insight, dice_from(chance)
        return insight.candidates(insight.suppose(view, dice), seat, dice)[0][0]

    return choose


def main(asked: Namespace) -> None:
    """Print for each value which share of its matches it wins."""
    game = games()[asked.game]
    module = import_module(f"games.titles.{asked.game.replace('-', '_')}.{asked.module}")
    bots.as_it_is = planning_with(module, asked.name, getattr(module, asked.name))  # type: ignore[attr-defined]  # found by name
    for value in map(literal_eval, asked.values):
        bots.tried = planning_with(module, asked.name, value)  # type: ignore[attr-defined]  # likewise
        matches = pairings(game.slug, option_combinations(game, 2)[0], ["tried", "as_it_is"], asked.matches, 60.0)
        found = strengths([play_match(match) for match in matches])["tried"]
        print(f"{asked.name} = {value}: {found.share:.1%} ± {found.margin:.1%}", flush=True)


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("module", help="of the title, e.g. planning")
    parser.add_argument("name", help="of the weight, e.g. _TEMPO")
    parser.add_argument("values", nargs="+")
    parser.add_argument("--matches", type=int, default=200)
    main(parser.parse_args())
