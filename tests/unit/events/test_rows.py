"""Rounds constructed for many people at larger tables: sizes, rests, and how few meet again."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from games.events.formats import rows
from games.events.formats.sizes import sizes
from tests.unit.events.playing import apart, drawn, people, plan


def enough(count: int, want: int) -> int:
    """Return in how many rounds everybody can meet everybody."""
    return -(-(count - 1) // (want - 1))


def met_in(rounds: list[list[rows.Table]]) -> Counter[frozenset[int]]:
    return Counter(frozenset(two) for tables in rounds for table in tables for two in combinations(table, 2))


@pytest.mark.parametrize(("want", "least"), [(3, 2), (3, 3), (4, 3), (4, 4), (5, 2), (5, 5)])
def test_everybody_sits_once_and_nobody_rests_twice_before_all_have(want: int, least: int) -> None:
    for count in (*range(2, 40), 97):
        rested = Counter[int]()
        for tables in rows.rounds(count, want, least, enough(count, want) + 3):
            seated = [person for table in tables for person in table]
            assert sorted(map(len, tables), reverse=True) == [size for size in sizes(count, want, least) if size > 1]
            assert len(seated) == len(set(seated))
            rested.update(set(range(count)).difference(seated))
        times = [rested[person] for person in range(count)]
        assert max(times) - min(times) <= 1, (count, want, least)


@pytest.mark.parametrize(("count", "want"), [(25, 5), (49, 4), (121, 3), (85, 5)])
def test_where_it_comes_out_even_nobody_meets_again_until_rows_play_among_themselves(count: int, want: int) -> None:
    length = -(-count // want)
    assert max(met_in(rows.rounds(count, want, want - 1, length)).values()) == 1


@pytest.mark.parametrize(("count", "want"), [(17, 3), (40, 3), (40, 4), (66, 4), (110, 5), (200, 5)])
def test_few_meet_again_more_than_have_to(count: int, want: int) -> None:
    met = met_in(rows.rounds(count, want, want - 1, enough(count, want)))
    must = max(met.total() - count * (count - 1) // 2, 0)
    assert (met.total() - len(met) - must) / met.total() <= 0.08
    assert max(met.values()) <= 3


def test_those_kept_apart_never_meet_in_a_large_robin() -> None:
    given = plan("robin", want=4, least=3, apart=apart((0, 1), (0, 2), (5, 30)))
    heats = drawn(given, people(40))
    met = {frozenset(two) for heat in heats for two in combinations(heat.people, 2)}
    assert not met & given.apart
    assert len(met) > 0.9 * 40 * 39 / 2
    in_round = Counter((heat.round, person) for heat in heats for person in heat.people)
    assert max(in_round.values()) == 1
