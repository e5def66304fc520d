"""Islands: what joins, what counts, and a second algorithm that agrees on more than a thousand boards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from games.titles.small_islands.rules.components import LANDSCAPE, PORT, Cell, Symbols
from games.titles.small_islands.rules.exploration import laid_token as token_of, uses
from games.titles.small_islands.rules.islands import Board, Islands, Placed, Site, Token, islands
from games.titles.small_islands.rules.rounds import AUTOMATIC_START
from games.titles.small_islands.rules.state import TOKENS
from tests.unit.titles.small_islands import naive
from tests.unit.titles.small_islands.positions import on_large_table, site, tiles, token


def found(*texts: str, tokens: tuple[Token, ...] = ()) -> Islands:
    return islands(tiles(*texts), tokens)


def test_two_side_by_side_tiles_join_their_land_when_a_shared_vertex_is_land() -> None:
    joined = found("17 0,0 2", "18 0,1 0")  # a shore with land south above one with land north
    assert len(joined.all) == 1
    assert joined.all[0].sites == (site("0,0"), site("0,1"))


def test_one_shared_land_vertex_is_enough() -> None:
    assert len(found("1 0,0 1", "2 1,0 0").all) == 1  # tips: NE of the one is NW of the other


def test_tiles_that_share_only_sea_do_not_join() -> None:
    assert len(found("17 0,0 0", "18 0,1 2").all) == 2  # both coasts between them are sea


def test_diagonal_neighbours_alone_do_not_join() -> None:
    apart = found("1 0,0 2", "2 1,1 0")  # they share the vertex 1,1, which is land, but no side
    assert len(apart.all) == 2


def test_diagonal_neighbours_join_through_a_third_tile() -> None:
    assert len(found("1 0,0 2", "2 1,1 0", "3 1,0 3").all) == 1


def test_an_island_is_a_set_of_land_regions_joined_through_sides() -> None:
    chain = found("17 0,0 0", "18 1,0 0", "19 2,0 0", "1 4,0 0")
    assert [island.size for island in chain.all] == [3, 1]
    assert chain.of(site("2,0")) == chain.of(site("0,0"))
    assert chain.of(site("4,0")) != chain.of(site("0,0"))


def test_an_isthmus_joins_across() -> None:
    across = found("35 0,0 0", "1 0,-1 3", "2 0,1 1")  # its land is NW and SE
    assert [island.size for island in across.all] == [3]


def test_a_channel_keeps_its_two_regions_apart() -> None:
    apart = found("38 0,0 0", "1 0,-1 3", "2 0,1 1")
    assert [set(island.sites) for island in apart.all] == [
        {site("0,0.1"), site("0,-1")},
        {site("0,0.2"), site("0,1")},
    ]
    assert [island.size for island in apart.all] == [2, 2]


def test_a_channel_tile_counts_once_also_with_both_regions() -> None:
    ring = found("38 0,0 0", "41 0,-1 3", "44 1,-1 0", "45 1,0 1")  # land from its NW round to its SE
    both = ring.of(site("0,0.1"))
    assert both == ring.of(site("0,0.2"))
    assert both.size == 4
    assert len(both.sites) == 5


def test_size_counts_start_tiles_and_no_ships() -> None:
    board = found("S1A 0,0 3", "S3A 0,1 0", "grey 1,0 0")
    assert [island.size for island in board.all] == [2]
    assert Site(Cell(1, 0), 0) not in board.number


def test_symbols_of_an_island_are_those_of_its_regions() -> None:
    two = found("18 0,0 0", "45 1,0 3")
    assert two.all[0].symbols == Symbols(flower=1, fruit=2, leaf=1, port=1, house=2)


def test_symbols_of_a_channel_belong_to_its_regions() -> None:
    channel = found("38 0,0 0")
    assert channel.symbols[site("0,0.1")] == Symbols(flower=1, house=1)
    assert channel.symbols[site("0,0.2")] == Symbols(fruit=1, port=1)


def test_what_is_covered_no_longer_counts_and_a_token_counts_as_the_resource_it_shows() -> None:
    board = ("18 0,0 0", "45 1,0 3")
    covered = found(*board, tokens=(token("0 leaf leaf 0,0 fruit"),)).all[0].symbols
    assert covered == Symbols(flower=1, fruit=1, leaf=2, port=1, house=2)


def test_a_port_token_counts_as_a_port_of_its_region() -> None:
    both = found("38 0,0 0", tokens=(token("0 any port 0,0.1 W"),))
    assert both.symbols[site("0,0.1")].port == 1
    assert both.symbols[site("0,0.2")].port == 1


def test_islands_stand_in_the_order_of_their_first_tiles() -> None:
    board = found("S2A 1,0 2", "1 0,0 3", "S4A 1,1 1")
    assert [island.sites[0] for island in board.all] == [site("1,0"), site("0,0")]


# --- the second algorithm -------------------------------------------------------------------------------------------


def random_board(rng: random.Random) -> Iterator[tuple[Board, tuple[Token, ...]]]:
    """Yield a growing board with tokens, until nothing fits or all 56 tiles and some ships are placed."""
    board: Board = AUTOMATIC_START
    tokens: tuple[Token, ...] = ()
    faces = [*map(str, LANDSCAPE), *["grey"] * 4]
    rng.shuffle(faces)
    for face in faces:
        places = on_large_table(board).spots(face)
        if places:
            board = (*board, Placed(face, *rng.choice(places), None))
        if rng.random() < 0.4:
            left = tuple(rng.sample(TOKENS, 2))
            tokens = (*tokens, token_of(0, rng.choice(uses(board, tokens, left)), board))
        yield board, tokens


def plain(board: Board) -> list[naive.Tile]:
    return [naive.Tile(placed.face, *placed.cell, placed.turn) for placed in board]


def index(where: Site) -> tuple[int, int, int]:
    """Return a region as the second algorithm names it."""
    return (*where.cell, max(0, where.region - 1))


def compare(board: Board, tokens: tuple[Token, ...]) -> None:
    """Compare islands, sizes and symbols."""
    one, other = islands(board, tokens), naive.islands(plain(board))
    assert {frozenset(map(index, island.sites)) for island in one.all} == set(other)
    laid = [(index(mark.site), mark.shows, "" if mark.shows == PORT else mark.spot) for mark in tokens]
    for island in one.all:
        same = frozenset(map(index, island.sites))
        assert island.size == naive.size(same)
        counted = {name: number for name, number in island.symbols._asdict().items() if number}
        assert Counter(counted) == naive.symbols(same, plain(board), laid)


@pytest.mark.parametrize("seed", range(20))
def test_a_second_algorithm_agrees_on_islands_sizes_and_symbols(seed: int) -> None:
    """60 boards from each seed, 1,200 together."""
    boards = list(random_board(random.Random(seed)))
    assert len(boards) == 60
    for board, tokens in boards:
        compare(board, tokens)


@pytest.mark.parametrize("seed", range(4))
def test_a_second_algorithm_agrees_on_legal_places(seed: int) -> None:
    rng = random.Random(seed)
    for board, _ in list(random_board(rng))[::6]:
        for face in (*rng.sample(LANDSCAPE, 5), "38", "grey"):
            places = naive.places(plain(board), str(face))
            expected = {(x, y, turn) for x, y, turn in places if x in range(-11, 13) and y in range(-11, 13)}
            assert {(*cell, turn) for cell, turn in on_large_table(board).spots(str(face))} == expected


def test_union_does_not_depend_on_the_order_in_which_tiles_were_placed() -> None:
    board = list(random_board(random.Random(7)))[-1][0]
    shuffled = random.Random(8).sample(board, len(board))
    assert {frozenset(island.sites) for island in islands(tuple(shuffled), ()).all} == {
        frozenset(island.sites) for island in islands(board, ()).all
    }
