"""The tiles, tokens and cards: every known number."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from games.titles.small_islands.rules.components import (
    COMPONENTS,
    DISCOVERY_TOKENS,
    FACES,
    LANDSCAPE,
    MISSIONS,
    OBJECTIVES,
    QUARTERS,
    REWARDS,
    SEA,
    SHIP_FACES,
    SHIPS,
    SIDES,
    START_TILES,
    Cell,
    Symbols,
    add_up,
    around,
    beside,
    decks,
    facing,
    vertices,
)
from games.titles.small_islands.rules.rounds import EXPLORE_CARDS
from games.titles.small_islands.rules.scoring import CARDS
from games.titles.small_islands.rules.state import HOUSES, TOKENS

LANDSCAPE_FACES = [FACES[str(number)] for number in LANDSCAPE]
PRINTED_COASTS = {
    "tip": ["NW"],
    "shore": ["EW"],
    "isthmus": ["NESW"],
    "channel": ["NW", "ES"],
    "bay": ["SW"],
    "inland": [""],
    "ship": [],
}
"""The table of the rules."""


def corners(bits: int) -> str:
    """Return corners as the rules write them: NW, NE, SE, SW."""
    return "".join(str(bits >> corner & 1) for corner in QUARTERS)


def test_the_data_file_is_the_one_of_the_specification() -> None:
    """Runs only where the specification is beside the project."""
    for folder in Path(__file__).parents:
        wanted = folder / "shared" / "rules" / "small_islands_components.json"
        if wanted.exists():
            assert json.loads(wanted.read_text(encoding="utf-8")) == COMPONENTS
    assert COMPONENTS["corner_order"] == ["NW", "NE", "SE", "SW"]


def test_56_landscape_tiles_4_two_sided_start_tiles_and_4_ships() -> None:
    assert tuple(range(1, 57)) == LANDSCAPE
    assert START_TILES == ("S1", "S2", "S3", "S4")
    assert set(FACES) == {*map(str, LANDSCAPE), *(tile + side for tile in START_TILES for side in "AB"), *SHIP_FACES}
    assert SHIPS == 4


def test_12_discovery_tokens_16_bonus_tokens_and_8_houses_each() -> None:
    assert DISCOVERY_TOKENS == (3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7, 8)
    assert TOKENS == ("flower", "fruit", "leaf", "any")
    assert HOUSES == 8


def test_12_objectives_or_12_missions_and_12_rewards() -> None:
    assert decks(advanced=False) == {"objectives": tuple(range(1, 13))}
    assert decks(advanced=True) == {"missions": tuple(range(1, 13)), "rewards": tuple(range(1, 13))}


def test_missions_and_rewards_are_numbered_in_the_order_of_the_data() -> None:
    assert [MISSIONS[number]["id"] for number in decks(advanced=True)["missions"]] == [
        mission["id"] for mission in COMPONENTS["missions"] if not mission.get("normal_only")
    ]
    assert [reward["id"] for reward in REWARDS.values()] == [reward["id"] for reward in COMPONENTS["rewards"]]


def test_each_objective_prints_a_mission_and_a_reward() -> None:
    printed = [
        [MISSIONS[objective.mission]["id"], REWARDS[objective.reward]["id"]] for objective in OBJECTIVES.values()
    ]
    assert printed == COMPONENTS["objectives"]
    assert not any(MISSIONS[objective.mission].get("advanced_only") for objective in OBJECTIVES.values())


def test_3_alexis_and_15_expedition_cards() -> None:
    assert list(CARDS) == ["morning", "afternoon", "night"]
    assert len(EXPLORE_CARDS) == 10
    assert COMPONENTS["solo"]["expedition"]["land"] == 5
    assert all(card["explore"] + card["land"] == 10 for card in CARDS.values())


def test_27_of_each_resource_13_temples_28_ports_and_36_house_symbols() -> None:
    regions = [region for face in LANDSCAPE_FACES for region in face.regions.values()]
    assert add_up(region.symbols for region in regions) == Symbols(27, 27, 27, 13, 28, 36)


def test_14_tips_20_shores_3_isthmuses_3_channels_11_bays_5_inland() -> None:
    assert Counter(face.shape for face in LANDSCAPE_FACES) == {
        "tip": 14,
        "shore": 20,
        "isthmus": 3,
        "channel": 3,
        "bay": 11,
        "inland": 5,
    }


@pytest.mark.parametrize("name", FACES)
def test_every_shape_has_the_corners_and_coast_slots_of_the_table(name: str) -> None:
    face = FACES[name]
    expected = {"tip": "1000", "shore": "1100", "isthmus": "1010", "channel": "1010", "bay": "1110", "inland": "1111"}
    assert corners(face.lying[0].corners) == expected.get(face.shape, "0000")
    coasts = ["".join(SIDES[side] for side in region.coasts) for region in face.regions.values()]
    assert coasts == PRINTED_COASTS[face.shape]


def test_a_channel_has_two_regions_nw_and_se() -> None:
    channel = FACES["38"]
    assert [(number, corners(region.corners)) for number, region in channel.regions.items()] == [
        (1, "1000"),
        (2, "0010"),
    ]
    assert channel.lying[0].lands == (1, SEA, 2, SEA)


def test_an_isthmus_is_one_region_joined_across() -> None:
    assert FACES["35"].lying[0].lands == (0, SEA, 0, SEA)


def test_a_turn_moves_nw_to_ne_and_so_on() -> None:
    assert [corners(FACES["1"].lying[turn].corners) for turn in QUARTERS] == ["1000", "0100", "0010", "0001"]
    assert [corners(FACES["41"].lying[turn].corners) for turn in QUARTERS] == ["1110", "0111", "1011", "1101"]
    assert FACES["38"].lying[1].lands == (SEA, 1, SEA, 2)


def test_a_printed_port_stands_on_the_first_coast_slot_of_its_region_and_turns_with_the_tile() -> None:
    first = {"1": "N", "21": "E", "35": "N", "38": "E", "44": "S"}  # a tip, shore, isthmus, channel (second) and bay
    for name, side in first.items():
        turned = ["".join(SIDES[port] for port in FACES[name].lying[turn].ports) for turn in QUARTERS]
        start = SIDES.index(side)
        assert turned == [SIDES[(start + turn) % 4] for turn in QUARTERS]


def test_coast_slots_turn_with_the_tile() -> None:
    assert FACES["38"].lying[1].coasts == {1: 1, 0: 1, 2: 2, 3: 2}  # N, W become E, N; E, S become S, W


def test_every_face_has_at_most_one_port_and_one_house_symbol_in_a_region_but_tile_56_two_temples() -> None:
    regions = [region for face in FACES.values() for region in face.regions.values()]
    assert max(region.symbols.port for region in regions) == 1
    assert max(region.symbols.house for region in regions) == 1
    assert FACES["56"].regions[0].symbols.temple == 2


def test_a_ship_is_all_sea_and_has_no_region() -> None:
    for name in SHIP_FACES:
        assert FACES[name].regions == {}
        assert {lying.corners for lying in FACES[name].lying} == {0}


def test_four_tiles_meet_at_a_vertex_and_share_it() -> None:
    north_west, north_east, south_west, south_east = Cell(0, 0), Cell(1, 0), Cell(0, 1), Cell(1, 1)
    shared = {vertices(north_west)[2], vertices(north_east)[3], vertices(south_east)[0], vertices(south_west)[1]}
    assert shared == {(1, 1)}


@pytest.mark.parametrize("side", QUARTERS)
def test_corners_that_meet_on_a_side_are_the_same_vertex(side: int) -> None:
    here = Cell(3, -2)
    there = beside(here, side)
    assert len(facing(side)) == 2
    assert all(vertices(here)[mine] == vertices(there)[other] for mine, other in facing(side))


def test_eight_cells_lie_around_a_cell() -> None:
    near = around(Cell(5, 5))
    assert len(set(near)) == 8
    assert all(max(abs(cell.x - 5), abs(cell.y - 5)) == 1 for cell in near)
