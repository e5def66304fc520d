"""What programs know of playing Small Islands: what an objective is worth and promises, and reasons."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.engine.contract.playouts import Chooser, random_match
from games.engine.dice import Dice
from games.engine.protocol import Seat
from games.titles.small_islands import GAME
from games.titles.small_islands.advice import explain
from games.titles.small_islands.insight import candidates, features, promise, suppose, worth
from games.titles.small_islands.rules.components import OBJECTIVES, SHIPS, is_discovery
from games.titles.small_islands.rules.notation import Choose, Explore, Land
from games.titles.small_islands.rules.reward import prospects
from games.titles.small_islands.rules.state import NAVIGATION, State
from tests.unit.titles.small_islands.positions import SEED, begin, house, position, tiles


def states(seats: int) -> list[State]:
    return [play.state for play in random_match(GAME, seats, {}, SEED, Chooser(SEED)).sample()]


@pytest.mark.parametrize("seats", [2, 4])
def test_an_objective_is_worth_what_its_best_islands_would_pay(seats: int) -> None:
    for state in states(seats):
        for objective in OBJECTIVES.values():
            gains = sorted((each.points for each in prospects(state.table, 0, objective)), reverse=True)
            now = worth(state.table, 0, objective)
            if not is_discovery(objective.reward):
                assert now == sum(gains[: state.table.houses_in_hand(0)])
            assert promise(state.table, 0, objective) >= now


def test_others_are_supposed_to_keep_what_promises_them_most_and_the_view_stays_as_it_is() -> None:
    for state in states(3):
        if state.table.phase != "over":
            view = GAME.view_for(state, Seat(0))
            assert GAME.view_for(suppose(view, Dice(4)), Seat(0)) == view


def test_each_choice_of_objectives_is_considered_once() -> None:
    plans = candidates(begin(), Seat(0), Dice(1))
    assert {type(action) for (action,) in plans} == {Choose}
    assert len({action.keep for (action,) in plans}) == len(plans) == 3


def test_landing_is_considered_when_it_is_possible() -> None:
    exploring = position()
    assert not any(isinstance(action, Land) for (action,) in candidates(exploring, Seat(0), Dice(1)))
    empty = replace(exploring, table=replace(exploring.table, navigation=0))
    assert any(isinstance(action, Land) for (action,) in candidates(empty, Seat(0), Dice(1)))


def test_a_placement_that_raises_what_the_objective_brings_says_so() -> None:
    state = position()
    view = GAME.view_for(state, Seat(0))
    objective = view.objective
    assert objective is not None
    for (action,) in candidates(state, Seat(0), Dice(1)):
        assert isinstance(action, Explore)
        after = GAME.apply(state, Seat(0), action, Dice(2)).state.table
        told, gain = explain(view, action), worth(after, 0, objective) - worth(state.table, 0, objective)
        assert told.startswith("Your objective would then score ") == (gain != 0)
        assert told != "" or gain == 0


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"houses": (house(0, "1,0"),)}, "This objective would score nothing yet. You already have a House on Burano."),
        ({"board": tiles("grey 0,0 0")}, "No island fulfills this objective yet."),
    ],
)
def test_of_an_objective_that_scores_nothing_the_true_reason_is_told(changes: Any, told: str) -> None:
    state = position(phase="choose", chosen=(False, False), **changes)
    view = GAME.view_for(state, Seat(0))
    assert explain(view, Choose((4,), (1,))) == told


def test_with_four_what_the_last_objective_promises_counts_apart() -> None:
    counted = {False: 0.0, True: 0.0}
    for play in random_match(GAME, 4, {}, SEED, Chooser(SEED)).plays:
        is_last = play.state.table.round == SHIPS or play.state.reserve < NAVIGATION or bool(play.state.table.end)
        for seat in features(play.state):
            counted[is_last] += seat["objective"]
            assert seat["last objective"] == seat["objective"] * is_last
    assert all(counted.values())
