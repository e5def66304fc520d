"""The known numbers of the game, worked out again, exactly, from the cards as the rules see them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from statistics import mean

import pytest

from games.titles.shifting_stones.insight import quick
from games.titles.shifting_stones.rules.patterns import CARDS
from tests.unit.titles.shifting_stones.choosers import play_match
from tests.unit.titles.shifting_stones.distances import all_grids, grids_showing, least_actions

POINTS = (1, 2, 3, 5)


@pytest.fixture(scope="module")
def least() -> Mapping[int, Mapping[int, Fraction]]:
    """For each card, how likely each least number of actions is."""
    return {card: least_actions(card) for card in CARDS}


def cards_of(points: int) -> list[int]:
    return [card.id for card in CARDS.values() if card.points == points]


def test_2580480_different_grids() -> None:
    assert all_grids() == 2_580_480


@pytest.mark.parametrize(("card", "grids"), [(1, 314_880), (20, 960), (26, 11_520), (31, 430_080)])
def test_grids_that_a_card_matches(card: int, grids: int) -> None:
    assert grids_showing(card) == grids


def test_a_random_grid_matches_5_61_cards_on_average() -> None:
    assert round(sum(map(grids_showing, CARDS)) / all_grids(), 2) == 5.61


@pytest.mark.parametrize(
    ("points", "probability", "digits"), [(1, 0.130, 3), (2, 0.071, 3), (3, 0.009, 3), (5, 0.0005, 4)]
)
def test_probability_to_score_a_card_at_once(points: int, probability: float, digits: int) -> None:
    assert round(mean(grids_showing(card) / all_grids() for card in cards_of(points)), digits) == probability


@pytest.mark.parametrize(("points", "actions"), [(1, 1.40), (2, 2.09), (3, 3.49), (5, 5.15)])
def test_mean_least_number_of_actions(points: int, actions: float, least: Mapping[int, Mapping[int, Fraction]]) -> None:
    means = [sum(n * chance for n, chance in least[card].items()) for card in cards_of(points)]
    assert round(float(sum(means) / len(means)), 2) == actions


@pytest.mark.parametrize(("points", "actions"), [(1, 5), (2, 7), (3, 8), (5, 10)])
def test_worst_case_of_the_least_number_of_actions(
    points: int, actions: int, least: Mapping[int, Mapping[int, Fraction]]
) -> None:
    assert max(max(least[card]) for card in cards_of(points)) == actions


def test_no_action_is_needed_exactly_when_the_card_matches(least: Mapping[int, Mapping[int, Fraction]]) -> None:
    for card, distribution in least.items():
        assert distribution[0] == Fraction(grids_showing(card), all_grids())
        assert sum(distribution.values()) == 1


@pytest.mark.parametrize(("seats", "rounds"), [(2, 6.5), (3, 5.6), (4, 4.8), (5, 4.1)])
def test_rounds_of_players_who_take_the_shortest_way_to_the_next_score(seats: int, rounds: float) -> None:
    """For orientation only: `quick` looks no more than two actions ahead."""
    played = mean(play_match(f"orientation {n}", [quick] * seats)[-1].state.round for n in range(20))
    assert abs(played - rounds) < 0.8
