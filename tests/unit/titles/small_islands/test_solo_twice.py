"""What Alexis does in random matches, worked out a second time from the text of the rules and the data file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from games.engine.runner import Play
from games.titles.small_islands.rules.components import COMPONENTS, SIDES
from games.titles.small_islands.rules.events import ExpeditionDrawn, HousePlaced, ShipPlaced, TilePlaced
from games.titles.small_islands.rules.islands import Board
from games.titles.small_islands.rules.state import State, Table
from tests.unit.titles.small_islands import naive
from tests.unit.titles.small_islands.choosers import Plays, random_plays

NAMES = [f"alexis {number}" for number in range(12)]
Land = frozenset[tuple[int, int, int]]


def plain(board: Board) -> list[naive.Tile]:
    return [naive.Tile(placed.face, *placed.cell, placed.turn) for placed in board]


def laid(table: Table) -> list[tuple[tuple[int, int, int], str, str]]:
    """Return the tokens as the second algorithm takes them."""
    return [
        ((*mark.site.cell, max(0, mark.site.region - 1)), mark.shows, "" if mark.shows == "port" else mark.spot)
        for mark in table.tokens
    ]


def of_alexis(play: Play[State], kind: type) -> list[Any]:
    return [event for event in play.events if isinstance(event, kind) and getattr(event, "seat", 1) == 1]


def worth(island: Land, tiles: Sequence[naive.Tile], table: Table, target: str) -> int:
    """Return what makes an island a target, or liked."""
    count = naive.symbols(island, tiles, laid(table))
    return {
        "largest": naive.size(island),
        "size": naive.size(island),
        "smallest": -naive.size(island),
        "most_temples": count["temple"],
        "temples": count["temple"],
        "resources": count["flower"] + count["fruit"] + count["leaf"],
    }[target]


def expected_place(board: Board, table: Table, tile: int, target: str) -> tuple[int, int, int]:
    """Return where he should have placed a tile: x, y, turn."""
    tiles = plain(board)
    places = list(naive.places(tiles, str(tile)))
    wanted = [place for place in places if _meets(tiles, table, tile, place, target)]
    corners = {naive.point((t.x, t.y, name)) for t in tiles for name in naive.ORDER}

    def key(place: tuple[int, int, int]) -> tuple[int, int, int, int]:
        x, y, turn = place
        fixed = sum(naive.point((x, y, name)) in corners for name in naive.ORDER)
        return -fixed, y, x, turn

    return min(wanted or places, key=key)


def _meets(tiles: Sequence[naive.Tile], table: Table, tile: int, place: tuple[int, int, int], target: str) -> bool:
    x, y, turn = place
    if target == "last_placed":
        return abs(tiles[-1].x - x) + abs(tiles[-1].y - y) == 1
    before = naive.islands(tiles)
    most = max(worth(island, tiles, table, target) for island in before)
    aimed = [island for island in before if worth(island, tiles, table, target) == most]
    after = naive.islands([*tiles, naive.Tile(str(tile), x, y, turn)])
    grown = [island for island in after if any((x, y) == site[:2] for site in island)]
    return any(target <= island for target in aimed for island in grown)


def explorations(plays: Plays) -> list[tuple[Play[State], TilePlaced, dict[str, Any]]]:
    """Return the positions after he placed a tile, with the event and the card he drew."""
    cards = COMPONENTS["solo"]["expedition"]["explore"]
    found = []
    for play in plays:
        for placed in of_alexis(play, TilePlaced):
            number = of_alexis(play, ExpeditionDrawn)[0].card
            found.append((play, placed, cards[number - 1] if number else {"slot": 1, "target": "largest"}))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_alexis_places_his_tiles_as_a_second_algorithm_says(name: str) -> None:
    found = explorations(random_plays(1, name))
    assert len(found) > 5
    for play, placed, card in found:
        table = play.state.table
        board = table.board[: next(i for i, tile in enumerate(table.board) if tile.cell == placed.cell)]
        assert (*placed.cell, placed.turn) == expected_place(board, table, placed.tile, card["target"])
        assert placed.slot == card["slot"] or len(play.state.deck) == 0


@pytest.mark.parametrize("name", NAMES)
def test_alexis_lands_where_a_second_algorithm_says(name: str) -> None:
    for play in random_plays(1, name):
        for landed in of_alexis(play, ShipPlaced):
            table = play.state.table
            board = table.board[: next(i for i, tile in enumerate(table.board) if tile.cell == landed.cell)]
            assert tuple(landed.cell) == _expected_berth(plain(board), table)


def _expected_berth(tiles: Sequence[naive.Tile], table: Table) -> tuple[int, int]:
    found = naive.islands(tiles)
    most = max(map(naive.size, found))
    largest = {site[:2] for island in found if naive.size(island) == most for site in island}

    def key(place: tuple[int, int, int]) -> tuple[int, bool, int, int]:
        x, y, _ = place
        beside = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & largest
        return _ports_near(tiles, table, x, y), not beside, y, x

    return min(naive.places(tiles, "grey"), key=key)[:2]


def _ports_near(tiles: Sequence[naive.Tile], table: Table, x: int, y: int) -> int:
    near = [tile for tile in tiles if max(abs(tile.x - x), abs(tile.y - y)) == 1]
    printed = sum(int(region["port"]) for tile in near for region in naive.REGIONS[tile.face])
    cells = {(tile.x, tile.y) for tile in near}
    return printed + sum(mark.spot in SIDES and tuple(mark.site.cell) in cells for mark in table.tokens)


@pytest.mark.parametrize("name", NAMES)
def test_alexis_places_his_houses_where_a_second_algorithm_says(name: str) -> None:
    for play in random_plays(1, name):
        built = [(*place.site.cell, max(0, place.site.region - 1)) for place in of_alexis(play, HousePlaced)]
        if not built:
            continue
        table = play.state.table
        count = len(built)
        taken = {(*h.site.cell, max(0, h.site.region - 1)): h.seat for h in table.houses[: len(table.houses) - count]}
        assert built == _expected_houses(table, taken, 2)


def _expected_houses(table: Table, taken: dict[tuple[int, int, int], int], count: int) -> list[tuple[int, int, int]]:
    tiles = plain(table.board)
    faces = {(tile.x, tile.y): tile.face for tile in tiles}
    built: list[tuple[int, int, int]] = []
    for _ in range(count):
        fit = []
        for island in naive.islands(tiles):
            homes = [s for s in island if naive.REGIONS[faces[s[:2]]][s[2]]["house"] and s not in taken]
            if homes and naive.size(island) >= 2 and 1 not in {taken.get(site) for site in island}:
                home = min(homes, key=lambda site: (site[1], site[0], site[2]))
                likes = [-worth(island, tiles, table, name) for name in ("resources", "size")]
                fit.append((likes, home[1], home[0], home[2], home))
        if fit:
            built.append(min(fit)[-1])
            taken[built[-1]] = 1
    return built
