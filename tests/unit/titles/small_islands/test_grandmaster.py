"""Grandmaster's play: whole matches, nothing hidden is seen, the last turn is exact, and differences in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest

from games.engine import runner
from games.engine.dice import Dice
from games.engine.protocol import Options, Seat, complete_options
from games.titles.small_islands import GAME
from games.titles.small_islands.advice import compare
from games.titles.small_islands.board.wording import NAMES, island_name
from games.titles.small_islands.insight import last_turn, ponder
from games.titles.small_islands.insight.grandmaster import beliefs
from games.titles.small_islands.rules.components import OBJECTIVES, is_discovery
from games.titles.small_islands.rules.notation import Action, Land, Settle
from games.titles.small_islands.rules.state import STRANDED, State
from tests.unit.titles.small_islands.positions import SEED, begin

Decision = tuple[State, Seat, tuple[Action, ...]]
"""A position, the seat to move, and what it weighs, the best first."""


@cache
def match(seats: int, **options: str) -> tuple[tuple[Decision, ...], bool]:
    """Return the decisions of a match that Grandmaster plays on every seat with few futures, and whether it ended."""
    chosen: Options = complete_options(GAME, seats, options)
    play, decisions = runner.begin(GAME, seats, chosen, SEED), list[Decision]()
    while play.outcome is None and len(decisions) < 200:
        seat = min(play.to_move)
        weighed = ponder(GAME.view_for(play.state, seat), seat, Dice(play.number), 6)
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


# --- the last turn ----------------------------------------------------------------------------------------------------


def last_rewards() -> list[State]:
    """Return positions in which seat 0 settles last and the match then ends, for every objective."""
    found, (state, _, _) = [], match(2)[0][-8]
    for card in OBJECTIVES:
        table = replace(state.table, phase="reward", turn=0, starter=1, end=STRANDED, revealed=((), (1,)))
        kept = ((card,), (1,))
        found.append(replace(state, table=table, kept=kept))
    return found


def test_no_settlement_ends_a_match_better_than_the_one_that_is_known_to_be_best() -> None:
    exact = 0
    for state in last_rewards():
        plan = last_turn(GAME.view_for(state, Seat(0)), Seat(0))
        draws = is_discovery(OBJECTIVES[state.kept[0][0]].reward)
        assert plan is not None or draws
        if plan is not None:
            assert result(state, plan[0]) == min(result(state, action) for action in settlements(state))
            exact += bool(plan[0].sites)
    assert exact > 6


def settlements(state: State) -> Iterator[Settle]:
    """Yield every set of sites that seat 0 may settle, in one of its orders."""
    view = GAME.view_for(state, Seat(0))
    open_to = [prospect.sites for prospect in view.prospects if prospect.refusal is None]
    for count in range(min(state.table.houses_in_hand(0), len(open_to)) + 1):
        for islands in combinations(open_to, count):
            yield from map(Settle, product(*islands))


def result(state: State, action: Action) -> tuple[int, int]:
    """Return the place of seat 0 and its score, a lower pair being better."""
    outcome = GAME.outcome(GAME.apply(state, Seat(0), action, Dice(1)).state)
    assert outcome is not None
    return outcome.places[0], -outcome.scores[0]


@pytest.mark.parametrize("changes", [{"starter": 0}, {"end": None}, {"phase": "explore"}])
def test_a_turn_after_which_others_act_is_not_the_last(changes: dict[str, Any]) -> None:
    state = last_rewards()[0]
    assert last_turn(GAME.view_for(state, Seat(0)), Seat(0)) is not None
    early = replace(begin(), table=replace(state.table, board=begin().table.board, houses=(), tokens=(), **changes))
    early = replace(early, table=replace(early.table, discoveries=()), kept=state.kept)
    assert last_turn(GAME.view_for(early, Seat(0)), Seat(0)) is None


# --- in words ---------------------------------------------------------------------------------------------------------

SCORED = re.compile(r"then score (\d+) points? .*instead of (\d+) points?(?:: (.*) alone scores (\d+))?")


def test_differences_are_told_in_one_sentence() -> None:
    told = set()
    for state, seat, actions in match(2)[0]:
        view = GAME.view_for(state, seat)
        for action in actions[1:]:
            text = compare(view, (action,), (actions[0],))
            assert text == "" or (text.endswith(".") and "%(" not in text)
            told.add(text)
            if text.startswith(("Land at once, while", "With your next tile", "Land at once: to keep exploring may")):
                gain, other = map(int, re.findall(r"-?\d+", text))
                assert gain > other
            if scored := re.search(
                r"then score (\d+) points? .*instead of (\d+) points?(?:: (.*) alone scores (\d+))?", text
            ):
                points, before, island, alone = scored.groups()
                assert int(points) > int(before)
                assert island is None or (island.split()[0] in NAMES and 0 < int(alone) < int(points))
            assert compare(GAME.view_for(state, None), (action,), (actions[0],)) == ""
        assert compare(view, (actions[0],), (actions[0],)) == ""
    assert len(told) > 8
    assert {"an island", "better places"}.isdisjoint(re.findall("an island|better places", " ".join(told)))


def test_a_house_that_was_forgotten_is_named_with_its_points() -> None:
    for state in last_rewards():
        view = GAME.view_for(state, Seat(0))
        best = last_turn(view, Seat(0))
        if best is not None and len(best[0].sites) == 2:
            forgot = Settle(best[0].sites[:1])
            text = compare(view, (forgot,), best)
            island = view.table.islands.of(best[0].sites[1])
            assert text.endswith(f"with a House on {island_name(view.table.board, island)}.")
            return
    pytest.fail("No position with two Houses was found.")
