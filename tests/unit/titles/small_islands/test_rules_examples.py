"""What the rules claim of their examples is what the engine makes of them."""

from __future__ import annotations

from collections import Counter

import pytest
from django.utils import translation

from games.titles.small_islands import rules_page
from games.titles.small_islands.rules.components import (
    DISCOVERY_TOKENS,
    FACES,
    LANDSCAPE,
    MISSIONS,
    OBJECTIVES,
    REWARDS,
    Cell,
    add_up,
    fulfils,
    points,
)
from games.titles.small_islands.rules.islands import Site, islands, placement
from games.titles.small_islands.rules.reward import LEAST_SIZE
from games.titles.small_islands.rules.rounds import AUTOMATIC_START, EXPLORE_CARDS, LARGE, REACHES
from games.titles.small_islands.rules.scoring import CARDS, ports_around
from games.titles.small_islands.rules.state import berths
from games.titles.small_islands.rules_page import missions, rewards
from tests.unit.titles.rules_pages import rules_html

WEST, EAST = rules_page.WEST, rules_page.EAST


@pytest.mark.parametrize("name", rules_page.BOARDS)
def test_every_map_can_be_laid_in_its_order(name: str) -> None:
    board, reach = rules_page.BOARDS[name], rules_page.REACH.get(name, REACHES[LARGE])
    first = len(AUTOMATIC_START) if board[0] in AUTOMATIC_START else 1
    refused = [
        placement(board[:number], reach).refusal(board[number].face, board[number].cell, board[number].turn)
        for number in range(first, len(board))
    ]
    assert [code for code in refused if code] == []
    assert len({placed.face for placed in board}) == len(board)


@pytest.mark.parametrize(
    ("name", "code"),
    [("fits", None), ("coast", "coast-broken"), ("diagonal", "not-beside"), ("edge", "beyond-the-edge")],
)
def test_tiles_fit_or_not_as_drawn(name: str, code: str | None) -> None:
    assert rules_page.example_place(name)[2] == code


def test_components_are_those_of_the_game() -> None:
    shapes = Counter(FACES[str(number)].shape for number in LANDSCAPE)
    assert shapes == {"tip": 14, "shore": 20, "isthmus": 3, "channel": 3, "bay": 11, "inland": 5}
    printed = add_up(region.symbols for number in LANDSCAPE for region in FACES[str(number)].regions.values())
    assert printed == (27, 27, 27, 13, 28, 36)
    assert (len(DISCOVERY_TOKENS), min(DISCOVERY_TOKENS), max(DISCOVERY_TOKENS)) == (12, 3, 8)
    assert (len(OBJECTIVES), len(REWARDS), len(EXPLORE_CARDS), rules_page.LAND_CARDS, len(CARDS)) == (12, 12, 10, 5, 3)


def test_free_coasts_are_as_many_as_told() -> None:
    coasts = {face.shape: [len(region.coasts) for region in face.regions.values()] for face in FACES.values()}
    assert coasts == {
        "tip": [2], "shore": [2], "isthmus": [4], "channel": [2, 2], "bay": [2], "inland": [0], "ship": []
    }  # fmt: skip


def test_with_two_players_49_tiles_are_left() -> None:
    state = rules_page.start(2)
    assert (len(state.deck), state.table.navigation) == (49, 6)


def test_islands_are_as_large_as_the_captions_say() -> None:
    assert [island.size for island in rules_page.lying("start").all] == [2, 2]
    assert (rules_page.example_island("grown", WEST).size, rules_page.example_island("grown", EAST).size) == (4, 3)
    assert rules_page.example_island("isthmus").symbols.fruit == 1
    upper = rules_page.lying("channel").of(Site(Cell(0, -1), 2))
    assert (upper.size, len(rules_page.lying("channel").all)) == (1, 3)


def test_tokens_change_what_their_captions_say() -> None:
    before = rules_page.example_island("grown").symbols
    leaf, port = (rules_page.example_island("grown", WEST, token).symbols for token in ("leaf", "port"))
    assert (leaf.flower - before.flower, leaf.leaf - before.leaf) == (-1, 1)
    assert port == before._replace(port=before.port + 1)


def test_the_settled_island_fulfils_the_mission_and_brings_5_points() -> None:
    west, east = rules_page.example_island("grown", WEST), rules_page.example_island("grown", EAST)
    assert (west.symbols.flower, west.symbols.fruit) == (3, 1)
    assert (fulfils(1, west.symbols), fulfils(1, east.symbols)) == (True, False)
    assert points(1, west.size, west.symbols) == 5


def test_two_settled_islands_become_one() -> None:
    houses = [house.site for house in rules_page.HOUSES["joined"]]
    apart, joined = ([rules_page.lying(name).of(site) for site in houses] for name in ("apart", "joined"))
    assert apart[0] is not apart[1]
    assert min(island.size for island in apart) >= LEAST_SIZE
    assert joined[0] is joined[1]


def test_the_tables_of_missions_and_rewards_are_complete() -> None:
    assert missions("en").count("<tr>") == len(MISSIONS) + 1
    assert rewards("en").count("<tr>") == len(REWARDS) + 1
    assert missions("en").count('class="yes"') == sum(
        fulfils(number, rules_page.example_island("grown", site).symbols)
        for number in MISSIONS
        for site in (WEST, EAST)
    )


@pytest.mark.parametrize(("size", "gain"), [(2, 0), (3, 4), (6, 6), (9, 8), (12, 10), (13, 10)])
def test_size_brings_what_the_list_says(size: int, gain: int) -> None:
    assert points(10, size, rules_page.example_island("grown").symbols) == gain


def test_ships_have_as_many_ports_around_them_as_told() -> None:
    own = rules_page.BOARDS["landed"][-1].cell
    assert ports_around(rules_page.alone_with(rules_page.BOARDS["landed"]), own) == 2
    table, his = rules_page.alone().table, rules_page.example_landed().cell
    assert ports_around(table, his) == min(ports_around(table, cell) for cell in berths(table))
    assert rules_html("small-islands").count("Ports around the ship: 2") == 2


def test_alexis_places_where_the_captions_say() -> None:
    table = rules_page.alone().table
    places = {
        name: rules_page.example_explored(slot, name)
        for slot, name in ((2, "largest"), (2, "smallest"), (3, "last_placed"))
    }
    for name, site in (("largest", WEST), ("smallest", EAST)):
        (grown,) = (
            island
            for island in islands((*table.board, places[name]), ()).all
            if any(it.cell == places[name].cell for it in island.sites)
        )
        assert site in grown.sites
    last = table.board[-1].cell
    assert abs(places["last_placed"].cell.x - last.x) + abs(places["last_placed"].cell.y - last.y) == 1
    assert last.x == max(placed.cell.x for placed in table.board)


def test_every_card_of_alexis_stands_in_the_rules_in_both_languages() -> None:
    for language, houses in (("en", "Houses in each Reward phase"), ("de", "Häuser je Belohnungsphase")):
        with translation.override(language):
            html = rules_html("small-islands")
        assert houses in html
        for card in CARDS.values():
            numbers = "".join(f"<td>{card[key]}</td>" for key in ("explore", "land", "houses_per_reward"))
            assert numbers in html
            assert f"<td>{card['end_points']}</td>" in html
