"""The exact cases of the specification, to the thousandth."""

from __future__ import annotations

import pytest

from games.engine.elo import START, Rated, changes, expectation, weight
from games.engine.fair import Stream

GAMES = {40: 0, 32: 12, 24: 50}


def rated(*players: tuple[int, int]) -> list[Rated]:
    """Return players from pairs of rating and K."""
    return [Rated(rating * 1000, GAMES[k]) for rating, k in players]


@pytest.mark.parametrize(
    ("players", "places", "expected"),
    [
        (rated((1600, 32), (1400, 32)), (1, 2), (7688, -7688)),
        (rated((1400, 32), (1600, 32)), (1, 2), (24312, -24312)),
        (rated((1400, 32), (1600, 32)), (1, 1), (8312, -8312)),
        (rated((1500, 40), (1700, 24)), (1, 2), (24312, -24312)),
        (rated((1700, 32), (1550, 32), (1500, 32), (1350, 32)), (2, 1, 3, 4), (-3685, 14637, -3970, -6982)),
        (
            rated((1800, 32), (1650, 32), (1500, 32), (1400, 32), (1300, 32)),
            (3, 1, 2, 5, 4),
            (-11266, 10474, 9220, -10260, 1832),
        ),
        (rated((1500, 40), (1500, 32), (1500, 24), (1500, 24)), (4, 3, 2, 1), (-16666, -3334, 6000, 14000)),
    ],
)
def test_exact_cases(players: list[Rated], places: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert changes(players, places) == expected


@pytest.mark.parametrize(("games", "k"), [(0, 40), (9, 40), (10, 32), (29, 32), (30, 24), (1000, 24)])
def test_k_falls_with_the_number_of_rated_matches(games: int, k: int) -> None:
    assert weight(games) == k


def test_400_points_more_expect_ten_wins_to_one() -> None:
    assert expectation(START + 400_000, START) == pytest.approx(10 / 11)


def test_changes_add_up_to_nothing_and_follow_the_player_not_the_seat() -> None:
    stream = Stream(bytes(32), "results")
    for _ in range(20_000):
        count = 2 + stream.below(5)
        players = [Rated(1_000_000 + stream.below(1_000_000), stream.below(40)) for _ in range(count)]
        places = [1 + stream.below(count) for _ in range(count)]
        result = changes(players, places)
        assert sum(result) == 0
        assert changes(players[::-1], places[::-1]) == result[::-1]


def test_nothing_changes_alone_or_between_equals_who_draw() -> None:
    assert changes([Rated(START, 0)], [1]) == (0,)
    assert changes(rated((1500, 40), (1500, 24), (1500, 32)), (1, 1, 1)) == (0, 0, 0)


@pytest.mark.parametrize("places", [(), (1,), (1, 2, 3)])
def test_every_player_has_one_place(places: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="2 players"):
        changes(rated((1500, 40), (1500, 40)), places)
