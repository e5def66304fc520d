"""The numbers that decided a match, of every game, whoever looks and however early it ends."""

from __future__ import annotations

from functools import cache
from itertools import islice

import pytest

from games.engine.contract.playouts import Chooser, option_combinations, random_plays
from games.engine.protocol import Seat
from games.titles import Number, Scene, games, titles

SEED = bytes(range(32))
TABLES = [(slug, seats) for slug, game in games().items() for seats in game.seats]


@cache
def states_of(slug: str, seats: int) -> tuple[object, ...]:
    """Return the position after a few actions, and the last one."""
    game = games()[slug]
    options = option_combinations(game, seats)[0]
    plays = random_plays(game, seats, options, SEED, Chooser(SEED))
    early = next(islice(plays, 5, None))
    *_, last = plays
    return early.state, last.state


@pytest.mark.parametrize("ended", [False, True], ids=["left", "ended"])
@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_every_seat_has_each_of_one_to_four_numbers(slug: str, seats: int, ended: bool) -> None:
    state = states_of(slug, seats)[ended]
    names = tuple(f"player{seat}" for seat in range(seats))
    for viewer in (None, *map(Seat, range(seats))):
        numbers = titles()[slug].board.decisive(Scene(games()[slug].view_for(state, viewer), viewer, names))
        assert 1 <= len(numbers) <= 4
        assert all(isinstance(number, Number) and number.label for number in numbers)
        assert {len(number.values) for number in numbers} == {seats}
        assert all(value for number in numbers for value in number.values)


@pytest.mark.parametrize(("slug", "seats"), [table for table in TABLES if table[1] > 1])
def test_the_first_number_is_the_score(slug: str, seats: int) -> None:
    state = states_of(slug, seats)[True]
    outcome = games()[slug].outcome(state)
    assert outcome is not None
    scene = Scene(games()[slug].view_for(state, None), None, ("x",) * seats)
    assert titles()[slug].board.decisive(scene)[0].values == tuple(map(str, outcome.scores))
