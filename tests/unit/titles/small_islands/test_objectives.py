"""Missions and rewards, one by one."""

from __future__ import annotations

import pytest

from games.titles.small_islands.rules.components import (
    MISSIONS,
    REWARDS,
    Symbols,
    fulfils,
    is_discovery,
    objective_of,
    points,
)

MISSION = {card["id"]: number for number, card in MISSIONS.items()}
REWARD = {card["id"]: number for number, card in REWARDS.items()}


def meets(mission: str, **symbols: int) -> bool:
    return fulfils(MISSION[mission], Symbols(**symbols))


def worth(reward: str, size: int = 2, **symbols: int) -> int:
    return points(REWARD[reward], size, Symbols(**symbols))


@pytest.mark.parametrize(
    ("mission", "more", "less"),
    [(card["id"], card["more"], card["less"]) for card in MISSIONS.values() if card["kind"] == "more"],
)
def test_more_asks_for_strictly_more_of_one_resource_than_of_another(mission: str, more: str, less: str) -> None:
    assert meets(mission, **{more: 2, less: 1})
    assert not meets(mission, **{more: 2, less: 2})
    assert not meets(mission, **{more: 1, less: 2})


def test_more_zero_of_the_other_is_fine() -> None:
    assert meets("more_flower_than_fruit", flower=1)
    assert not meets("more_flower_than_fruit", leaf=3)


@pytest.mark.parametrize("resource", ["flower", "fruit", "leaf"])
def test_at_least_asks_for_1_temple_and_2_of_a_resource(resource: str) -> None:
    mission = f"temple_and_two_{resource}"
    assert meets(mission, **{"temple": 1, resource: 2})
    assert meets(mission, **{"temple": 2, resource: 3})
    assert not meets(mission, **{"temple": 1, resource: 1})
    assert not meets(mission, **{resource: 2})


def test_equal_any_asks_for_two_resources_present_in_equal_numbers() -> None:
    assert meets("any_two_equal", flower=1, leaf=1)
    assert meets("any_two_equal", flower=3, fruit=2, leaf=2)
    assert not meets("any_two_equal", flower=2, leaf=1)
    assert not meets("any_two_equal", flower=2)  # none of two others is not present
    assert not meets("any_two_equal")


@pytest.mark.parametrize("resource", ["flower", "fruit", "leaf"])
def test_equal_named_asks_for_the_named_resource_present_and_equal_to_another(resource: str) -> None:
    mission, others = f"{resource}_equals_another", {"flower", "fruit", "leaf"} - {resource}
    for other in others:
        assert meets(mission, **{resource: 2, other: 2})
        assert not meets(mission, **{resource: 2, other: 1})
    assert not meets(mission, **dict.fromkeys(others, 1))
    assert not meets(mission)


@pytest.mark.parametrize("symbol", ["flower", "fruit", "leaf", "port"])
def test_per_symbol_gives_points_for_each_symbol_plus_a_fixed_number(symbol: str) -> None:
    assert worth(f"per_{symbol}") == 2
    assert worth(f"per_{symbol}", **{symbol: 4}) == 6


@pytest.mark.parametrize("resource", ["flower", "fruit", "leaf"])
def test_per_symbol_of_two_symbols(resource: str) -> None:
    assert worth(f"per_temple_and_{resource}") == 0
    assert worth(f"per_temple_and_{resource}", **{"temple": 2, resource: 3}) == 5


def test_lowest_present_gives_2_for_each_of_the_least_numerous_resource_that_is_present_plus_2() -> None:
    assert worth("lowest", flower=3, fruit=2, leaf=4) == 6
    assert worth("lowest", flower=3, leaf=1) == 4


def test_lowest_present_gives_2_if_none_is_present() -> None:
    assert worth("lowest", temple=2) == 2


def test_flat_gives_6() -> None:
    assert worth("flat", 9, flower=9) == 6


@pytest.mark.parametrize(
    ("size", "gain"), [(2, 0), (3, 4), (5, 4), (6, 6), (8, 6), (9, 8), (11, 8), (12, 10), (30, 10)]
)
def test_size_gives_steps(size: int, gain: int) -> None:
    assert worth("size", size, flower=5) == gain


def test_chosen_gives_1_for_each_of_the_most_numerous_resource_plus_2() -> None:
    assert worth("chosen", flower=3, fruit=5, leaf=1, temple=9) == 7
    assert worth("chosen") == 2


def test_discovery_gives_tokens_and_no_points() -> None:
    assert worth("discovery", 9, temple=3, flower=9) == 0
    assert [number for number in REWARDS if is_discovery(number)] == [REWARD["discovery"]]


def test_an_objective_is_one_card_or_a_mission_and_a_reward() -> None:
    assert objective_of((11,)) == (MISSION["any_two_equal"], REWARD["discovery"])
    assert objective_of((7, 12)) == (7, 12)
