"""What a search does where the best play is known: hidden cards, secret choices, three seats with three aims."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.engine.bots import MASTER, Budget, Choices, Edge, Search, SoFar, choose
from games.engine.dice import Dice
from games.engine.insight import NoInsight
from games.engine.protocol import AnyGame, Seat
from tests.unit.engine.branches import Branches, Crosses, Dealt, Guess
from tests.unit.engine.pennies import Pennies, Unseen

MINUTE = 60.0


def searching(game: AnyGame, view: object, seat: int = 0) -> Search:
    return Search(game, NoInsight(game), view, Seat(seat), Dice(3))


def choice(game: AnyGame, view: object, seat: int = 0) -> Any:
    return choose(MASTER, searching(game, view, seat), SoFar(view, (), bytes(32)), MINUTE)


# --- noughts and crosses ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("taken", "best"), [("0341", "8"), ("034", "8"), ("04815", "7"), ("0", "4")])
def test_it_wins_at_once_stops_a_row_and_takes_the_middle(taken: str, best: str) -> None:
    assert choice(Crosses(), taken, len(taken) % 2) == best


@pytest.mark.parametrize("seed", range(8))
def test_it_never_loses_at_noughts_and_crosses(seed: int) -> None:
    game, other, state, mine = Crosses(), Random(seed), "", seed % 2
    while game.to_move(state):
        seat = Seat(len(state) % 2)
        legal = list(game.legal_actions(state, seat))
        if seat == mine:
            state += choice(game, state, seat)
        else:
            winning = [cell for cell in legal if game.has_line(state[seat::2] + cell)]
            state += (winning or [other.choice(legal)])[0]
    assert not game.has_line(state[1 - mine :: 2])


# --- hidden information -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("own", "says"), [(1, "h"), (2, "h"), (4, "l"), (5, "l")])
def test_it_goes_by_the_odds_of_what_it_cannot_see(own: int, says: str) -> None:
    found = searching(Guess(), Dealt((own, 0), "")).run(Budget(400, MINUTE, 5))
    right = {1: 1.0, 2: 0.75, 4: 0.75, 5: 1.0}[own]
    assert found[0].plan == (says,)
    assert found[0].value == pytest.approx(right, abs=0.08)


# --- choices in secret ------------------------------------------------------------------------------------------------


def test_choices_in_secret_are_mixed_where_no_choice_is_best() -> None:
    found = searching(Pennies(), Unseen(None, (False, False))).run(Budget(600, MINUTE, 0))
    shares = {each.plan[0]: each.visits / 600 for each in found}
    assert 0.35 < shares["h"] < 0.65
    assert found[0].value == pytest.approx(0.5, abs=0.1)


def test_it_cannot_see_what_another_has_chosen_already() -> None:
    found = searching(Pennies(), Unseen(None, (False, True))).run(Budget(600, MINUTE, 0))
    assert found[0].value == pytest.approx(0.5, abs=0.1)


# --- three seats ------------------------------------------------------------------------------------------------------


def test_each_of_three_seats_is_expected_to_play_for_itself() -> None:
    """If seat 1 played against seat 0 rather than for itself, `b` would be better."""
    tree = Branches({"": 0, "a": 1}, {"ax": (1, 2, 3), "ay": (3, 3, 1), "b": (2, 1, 3)})
    found = searching(tree, "").run(Budget(400, MINUTE, 5))
    assert found[0].plan == ("a",)
    assert found[0].value > 0.9


# --- the choices at a point -------------------------------------------------------------------------------------------


def tried(choices: Choices, plans: str, times: int, worth: dict[str, float] | None = None) -> dict[str, int]:
    """Return how often each plan is tried when it brings this every time."""
    count = dict.fromkeys(plans, 0)
    for _ in range(times):
        plan = choices.select([(each,) for each in plans])
        choices.learn(plan, (worth or {}).get(plan[0], 0.5))
        count[plan[0]] += 1
    return count


def test_a_point_begins_with_its_best_candidates_and_admits_more_the_more_these_are_tried() -> None:
    few, many = (sum(map(bool, tried(Choices(2), "abcdefghijkl", times).values())) for times in (2, 100))
    assert few == 2
    assert 2 < many < 12


def test_a_plan_that_is_rarely_possible_is_not_thought_untried() -> None:
    """What counts is how often a plan was possible, not how often its point was visited."""
    rare, often = Edge(("a",)), Edge(("b",))
    rare.visits, rare.total, rare.available = often.visits, often.total, often.available = 10, 5.0, 12
    often.available = 500
    assert rare.promise < often.promise


def test_a_choice_is_settled_when_the_second_best_can_no_longer_catch_up() -> None:
    choices = Choices(2)
    tried(choices, "ab", 60, {"a": 1.0, "b": 0.0})
    assert choices.is_settled(10)
    assert not choices.is_settled(1000)
