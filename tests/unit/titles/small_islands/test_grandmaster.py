"""Grandmaster's play: whole matches, and nothing hidden is seen."""

from __future__ import annotations

from functools import cache

import pytest

from games.engine import runner
from games.engine.bots import Dice
from games.engine.protocol import Options, Seat, complete_options
from games.titles.small_islands import GAME
from games.titles.small_islands.beliefs import beliefs
from games.titles.small_islands.insight import ponder
from games.titles.small_islands.rules.components import OBJECTIVES
from games.titles.small_islands.rules.notation import Action, Land
from games.titles.small_islands.rules.state import State
from tests.unit.titles.small_islands.positions import SEED

Decision = tuple[State, Seat, tuple[Action, ...]]
"""A position, the seat to move, and what it weighs, the best first."""


@cache
def match(seats: int, **options: str) -> tuple[tuple[Decision, ...], bool]:
    """Return the decisions of a match that Grandmaster plays on every seat with few futures, and whether it ended."""
    chosen: Options = complete_options(GAME, seats, options)
    play, decisions = runner.begin(GAME, seats, chosen, SEED), list[Decision]()
    while play.outcome is None and len(decisions) < 200:
        seat = min(play.to_move)
        weighed = ponder(GAME.view_for(play.state, seat), seat, Dice(play.number), 8)
        decisions.append((play.state, seat, tuple(each.plan[0] for each in weighed)))
        play = runner.act(GAME, play.position, seat, decisions[-1][2][0], SEED)
    return tuple(decisions), play.outcome is not None


SETTINGS = [(2, {}), (2, {"mode": "advanced"}), (4, {"start": "by_hand"}), (1, {"alexis": "night"})]


@pytest.mark.parametrize(("seats", "options"), SETTINGS)
def test_whole_matches_are_played_by_the_rules(seats: int, options: dict[str, str]) -> None:
    decisions, over = match(seats, **options)
    assert over
    for state, seat, actions in decisions[::5]:
        assert len(set(actions)) == len(actions)
        for action in actions:
            GAME.apply(state, seat, action, Dice(0))


def test_what_cannot_be_told_apart_is_answered_alike() -> None:
    for number, (state, seat, _) in enumerate(match(2)[0][::4]):
        other = GAME.imagine(GAME.view_for(state, seat), Dice(99))
        first, second = (ponder(GAME.view_for(each, seat), seat, Dice(number), 16) for each in (state, other))
        assert first == second
        assert all(0 <= each.value <= 1 for each in first)


def test_landing_is_weighed_as_soon_as_it_is_possible() -> None:
    landings = [isinstance(action, Land) for state, _, actions in match(2)[0] for action in actions if may_land(state)]
    assert any(landings)


def may_land(state: State) -> bool:
    return state.table.phase == "explore" and not state.table.navigation


def test_what_the_others_may_hold_adds_up_and_is_nothing_that_one_holds_oneself() -> None:
    for state, seat, _ in match(4, start="by_hand")[0]:
        if state.table.phase in {"choose", "explore"} and state.hands[seat]:
            view = GAME.view_for(state, seat)
            held = beliefs(view)
            assert set(held) == set(range(4)) - {seat}
            own = {OBJECTIVES[card] for card in view.dealt[0]}
            for chances in held.values():
                assert sum(chances.values()) == pytest.approx(1)
                assert own.isdisjoint(chances)
