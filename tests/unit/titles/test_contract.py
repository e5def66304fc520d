"""Every registered game keeps the contract, with every number of seats and its combinations of options."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TypeAlias

import pytest

from games.engine.contract.playouts import Chooser, option_combinations, random_match
from games.engine.contract.testing import GAME_CHECKS, MATCH_CHECKS, GameCheck
from games.engine.protocol import OptionError, OptionValue, complete_options
from games.titles import games

SEED = bytes(range(32))
Setting: TypeAlias = tuple[str, int, tuple[tuple[str, OptionValue], ...]]

SETTINGS: list[Setting] = [
    (slug, seats, tuple(options.items()))
    for slug, game in games().items()
    for seats in game.seats
    for options in option_combinations(game, seats)
]


def name_of(value: object) -> str:
    if isinstance(value, tuple):
        slug, seats, options = value
        return "-".join([slug, str(seats), *(f"{name}={chosen}" for name, chosen in options)])
    return getattr(value, "__name__", str(value))


@pytest.mark.parametrize("check", GAME_CHECKS, ids=name_of)
@pytest.mark.parametrize("slug", games())
def test_every_game_keeps_the_contract(slug: str, check: GameCheck) -> None:
    assert check(games()[slug]) is None  # type: ignore[func-returns-value]  # a check returns None or raises


@pytest.mark.parametrize("setting", SETTINGS, ids=name_of)
def test_every_match_keeps_the_contract(setting: Setting, subtests: pytest.Subtests) -> None:
    slug, seats, options = setting
    match = random_match(games()[slug], seats, dict(options), SEED, Chooser(SEED))
    for check in MATCH_CHECKS:
        with subtests.test(check.__name__):
            check(games()[slug], match)


@pytest.mark.parametrize("slug", games())
def test_seats_and_options_that_are_not_offered_are_refused(slug: str) -> None:
    game = games()[slug]
    for seats in (min(game.seats) - 1, max(game.seats) + 1):
        with pytest.raises(OptionError):
            complete_options(game, seats, {})
    with pytest.raises(OptionError):
        complete_options(game, max(game.seats), {"no-such-option": True})


PRINT_A_MATCH = """
import sys
from games.engine import codec
from games.engine.contract.playouts import Chooser, option_combinations, random_plays
from games.titles import games
game = games()[sys.argv[1]]
seats, seed = max(game.seats), bytes(range(32))
for play in random_plays(game, seats, option_combinations(game, seats)[0], seed, Chooser(seed)):
    print(play.text, codec.encode(play.state), codec.encode_events(play.events), play.outcome)
"""


@pytest.mark.parametrize("slug", games())
def test_a_match_is_the_same_under_any_hash_seed(slug: str) -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", PRINT_A_MATCH, slug],
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(printed) == 1
    assert len(printed.pop()) > 100
