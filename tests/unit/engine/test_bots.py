"""The search of the bots, on small games whose best play is known."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from games.engine import runner
from games.engine.bots import LEVELS, MASTER, Budget, Level, Search, SoFar, choose, utilities
from games.engine.dice import Dice, dice_from
from games.engine.fair import FairChance
from games.engine.insight import Effort, NoInsight
from games.engine.protocol import AnyGame, Chance, Seat
from tests.unit.engine.toys import Heap, Nim, Sealed

SEED = bytes(range(32))
MINUTE = 60.0


def searching(game: AnyGame, view: Any) -> Search:
    return Search(game, NoInsight(game), view, Seat(0), dice_from(FairChance(SEED, 0)))


def choice(level: Level, search: Search, turn: bytes = SEED) -> Any:
    """Return the first action of a turn."""
    return choose(level, search, SoFar(search.view, (), turn), MINUTE)


@pytest.mark.parametrize(
    ("places", "values"),
    [((1, 2), [1.0, 0.0]), ((1, 1), [0.5, 0.5]), ((1, 2, 2), [1.0, 0.25, 0.25]), ((2,), [0.0]), ((1,), [1.0])],
)
def test_a_place_is_worth_the_share_of_opponents_left_behind(places: tuple[int, ...], values: list[float]) -> None:
    assert utilities(places) == values


def test_dice_repeat_themselves_for_the_same_seed_and_stay_within_bounds() -> None:
    one, other = Dice(7), Dice(7)
    assert one.many_below("a", 6, 50) == other.many_below("b", 6, 50)
    assert one.shuffle("c", range(20)) == other.shuffle("c", range(20))
    assert {one.below("d", 3) for _ in range(60)} == {0, 1, 2}
    assert dice_from(FairChance(SEED, 0)).fraction() == dice_from(FairChance(SEED, 0)).fraction()


def test_a_bot_takes_a_legal_action_and_the_same_for_the_same_chance() -> None:
    game: AnyGame = Sealed()
    start = runner.begin(game, 2, {}, SEED)
    view = game.view_for(start.state, Seat(0))
    for level in LEVELS.values():
        taken = {choice(level, searching(game, view)) for _ in range(3)}
        assert len(taken) == 1
        assert taken <= set(game.legal_actions(start.state, Seat(0)))


def test_a_search_stops_when_its_seconds_are_over() -> None:
    game: AnyGame = Sealed()
    view = game.view_for(runner.begin(game, 2, {}, SEED).state, Seat(0))
    found = searching(game, view).run(Budget(10**9, 0.0, 2))
    assert sum(each.visits for each in found) == 8


class _Ordered(NoInsight):
    """Knows which turns come first, and needs no search."""

    EFFORT = Effort(iterations=1, horizon=0, slips=0.5, pondered=1)
    TURNS = ((4, 14), (3, 13), (2, 12), (1, 11), (0, 10))

    def candidates(self, state: Any, seat: Seat, chance: Chance) -> Any:
        return self.TURNS


@pytest.mark.parametrize("more", [0, 1])
def test_lower_levels_slip_in_as_many_turns_as_the_game_allows_and_carry_out_what_they_planned(more: int) -> None:
    """A slip is one of the two best turns that are not overlooked, as a whole; after anything else there is none."""
    game: AnyGame = Sealed()
    view = game.view_for(runner.begin(game, 2, {}, SEED).state, Seat(0))
    insight = _Ordered(game)
    insight.EFFORT = replace(insight.EFFORT, overlooks=more)
    search = Search(game, insight, view, Seat(0), Dice(1))
    for level in LEVELS.values():
        begun = Counter[int]()
        for seed in (sha256(bytes([number])).digest() for number in range(256)):
            first = choice(level, search, seed)
            begun[first] += 1
            for done in range(5):
                expected = first + 10 if first != 4 and done == first else 4
                assert choose(level, search, SoFar(view, (done,), seed), MINUTE) == expected
        share = level.slips / 2
        assert begun[4] / 256 == pytest.approx(1 - share, abs=0.08)
        slips, overlooked = [0.0, 0.0, 0.0, 0.0], level.overlooks - 1 + more
        slips[overlooked : overlooked + 2] = [share / 2, share / 2]
        assert [begun[other] / 256 for other in (3, 2, 1, 0)] == pytest.approx(slips, abs=0.08)


class _Peeking(NoInsight):
    """What nobody may use: it is asked about states, and would notice a true one."""

    def __init__(self, game: AnyGame, truth: Any) -> None:
        super().__init__(game)
        self.truth, self.saw_it = truth, False

    def evaluate(self, state: Any, seat: Seat) -> float:
        self.saw_it = self.saw_it or state is self.truth
        return super().evaluate(state, seat)


def test_a_search_is_never_handed_the_true_state() -> None:
    game: AnyGame = Sealed()
    start = runner.begin(game, 2, {}, SEED)
    insight = _Peeking(game, start.state)
    choice(MASTER, Search(game, insight, game.view_for(start.state, Seat(0)), Seat(0), Dice(1)))
    assert not insight.saw_it


@pytest.mark.parametrize("left", [left for left in range(1, 12) if left % 4])
def test_the_strongest_level_leaves_its_opponent_four_eight_or_twelve_at_nim(left: int) -> None:
    game: AnyGame = Nim()
    view = Heap(left, 0, 2)
    assert choice(MASTER, searching(game, view)) == left % 4
