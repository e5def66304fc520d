"""Every game is an environment of PettingZoo by PettingZoo's own tests."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from tessera_games import games
from tessera_games.engine.protocol import OptionError
from tessera_games.pettingzoo import env

# PettingZoo warns of a dict with an action mask, and of an empty one, everywhere but in its own card and board games.
pytestmark = [
    pytest.mark.filterwarnings("error"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


@pytest.mark.parametrize("slug", sorted(games()))
def test_an_environment_passes_the_tests_of_pettingzoo(slug: str) -> None:
    api_test(env(slug), num_cycles=100)
    seed_test(partial(env, slug), num_cycles=10)


@pytest.mark.parametrize(("slug", "seats"), [("card-chess", 4), ("shifting-stones", 5), ("small-islands", 3)])
def test_a_match_goes_on_to_its_end_and_pays_by_place(slug: str, seats: int) -> None:
    match, paid, dice = env(slug, seats), dict[str, float](), np.random.default_rng(7)
    match.reset(seed=7)
    for agent in match.agent_iter():
        seen, reward, over, _, _ = match.last()
        paid[agent] = reward
        match.step(None if over else int(dice.choice(np.flatnonzero(seen["action_mask"]))))
    assert len(paid) == seats
    assert sum(paid.values()) == pytest.approx(0)
    assert max(paid.values()) > 0
    assert min(paid.values()) >= -1


def test_what_others_choose_in_secret_is_not_seen() -> None:
    match = env("card-chess")

    def seen_after(choice: int) -> Any:
        match.reset(seed=3)
        for _ in range(3):
            mask = match.observe("player_0")["action_mask"]
            match.step(int(np.flatnonzero(mask)[choice]))
        assert match.agent_selection == "player_1"
        return match.observe("player_1")

    first, last = seen_after(0), seen_after(-1)
    assert np.array_equal(first["observation"], last["observation"])
    assert np.array_equal(first["action_mask"], last["action_mask"])


def test_only_what_exists_can_be_made() -> None:
    with pytest.raises(LookupError, match="no game “chess”"):
        env("chess")
    with pytest.raises(OptionError, match="is not for 9 players"):
        env("card-chess", 9)
    with pytest.raises(OptionError, match="Alexis"):
        env("small-islands", 1)
    env("small-islands", 1, {"alexis": "night"}).reset()
