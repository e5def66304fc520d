"""Every game is a game of OpenSpiel by OpenSpiel's own tests."""

from __future__ import annotations

import unittest
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import generate_playthrough, sample_some_states
from tessera_games import games
from tessera_games.openspiel import name_of

SEALED = {"card-chess", "small-islands"}
NAMES = sorted(map(name_of, games()))


@pytest.mark.parametrize("slug", sorted(games()))
def test_matches_at_random_keep_what_openspiel_asks_of_a_game(slug: str) -> None:
    """Among it: states that are copied, written and read again, and returns within the bounds that were promised."""
    for players in (games()[slug].seats[0], 3):
        game = pyspiel.load_game(f"{name_of(slug)}(players={players},worlds=16)")
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", NAMES)
def test_the_checks_of_the_interface_pass(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sampled = sample_some_states.sample_some_states
    monkeypatch.setattr(sample_some_states, "sample_some_states", lambda game, max_states: sampled(game, max_states=12))
    loaded = pyspiel.load_game(f"{name}(worlds=4)")
    case = type("Checks", (api_test.EnforceAPIOnPartialTreeBase,), {"game": loaded, "game_name": name})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5
    assert [text for _, text in (*result.errors, *result.failures)] == []


@pytest.mark.parametrize("slug", sorted(games()))
def test_a_playthrough_is_the_same_when_it_is_played_again(slug: str, tmp_path: Path) -> None:
    """With as few seats as there can be, as writing a playthrough takes long."""
    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["test"])
    path, setting = tmp_path / "playthrough.txt", f"players={games()[slug].seats[0]},worlds=4"
    written = generate_playthrough.playthrough(f"{name_of(slug)}({setting})", None, seed=1)
    path.write_text(written, encoding="utf-8")
    recorded, again = generate_playthrough.replay(str(path))
    assert "IsTerminal() = True" in recorded
    assert recorded == again


@pytest.mark.parametrize("slug", sorted(games()))
def test_seats_choose_at_the_same_time_where_turns_are_sealed(slug: str) -> None:
    state = begun(slug)
    assert state.is_simultaneous_node() == (slug in SEALED)
    if slug in SEALED:
        assert all(state.legal_actions(player) for player in range(2))


def test_a_turn_of_card_chess_is_three_nodes_in_which_nobody_sees_what_the_other_chooses() -> None:
    state = begun("card-chess")
    for _ in range(3):
        assert state.is_simultaneous_node()
        choices = state.legal_actions(1)
        other = state.clone()
        own = state.legal_actions(0)[0]
        state.apply_actions([own, choices[0]])
        other.apply_actions([own, choices[-1]])
        if state.move_number() < 4:
            assert state.observation_string(0) == other.observation_string(0)
            assert np.array_equal(state.observation_tensor(0), other.observation_tensor(0))


def begun(slug: str) -> Any:
    state = pyspiel.load_game(name_of(slug)).new_initial_state()
    state.apply_action(7)
    return state
