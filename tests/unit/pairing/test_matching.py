"""The pure pairing: what holds for whoever waits."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import inf

from hypothesis import given, strategies as st

from games.matchmaking.limits import pair_of
from games.pairing.matching import AGAIN, MOST, Pace, Past, Waiter, common, match

PACE = Pace(start=100, growth=5, patience=120)
PEOPLE = 8


def waiter(key: int, rating: float = 1500, waited: float = 0, seats: Sequence[int] = (2,)) -> Waiter:
    return Waiter(key, key, rating, waited, frozenset(seats))


def keys(groups: Sequence[Sequence[Waiter]]) -> list[list[int]]:
    return sorted(sorted(it.key for it in group) for group in groups)


waiters = st.builds(
    Waiter,
    key=st.just(0),
    person=st.integers(1, PEOPLE),
    rating=st.integers(1000, 2200),
    waited=st.integers(0, 200),
    seats=st.frozensets(st.integers(2, 5), min_size=1),
    accepts=st.fixed_dictionaries({"board": st.frozensets(st.sampled_from(["small", "large"]), min_size=1)}),
)


@st.composite
def rooms(draw: st.DrawFn) -> list[Waiter]:
    found = draw(st.lists(waiters, max_size=9))
    return [Waiter(key, it.person, it.rating, it.waited, it.seats, it.accepts) for key, it in enumerate(found, start=1)]


pairs = st.tuples(st.integers(1, PEOPLE), st.integers(1, PEOPLE)).map(lambda two: pair_of(*two))
pasts = st.builds(Past, never=st.frozensets(pairs, max_size=12), met=st.dictionaries(pairs, st.integers(1, 3)))


def is_possible(group: Sequence[Waiter], past: Past) -> bool:
    """Return whether a group keeps every rule, said in the plainest way."""
    boards = frozenset.intersection(*(it.accepts["board"] for it in group))
    seats = all(len(group) in it.seats for it in group)
    return bool(boards) and seats and all(may_meet(one, other, past) for one, other in combinations(group, 2))


def may_meet(one: Waiter, other: Waiter, past: Past) -> bool:
    if one.person == other.person or pair_of(one.person, other.person) in past.never:
        return False
    window = (PACE.window(one.waited) + PACE.window(other.waited)) / 2
    return abs(one.rating - other.rating) <= window


@given(rooms(), pasts)
def test_every_group_keeps_every_rule(room: list[Waiter], past: Past) -> None:
    """Nobody meets themselves, or somebody they must not meet, or somebody out of reach."""
    assert all(is_possible(group, past) for group in match(room, PACE, past))


@given(rooms(), pasts)
def test_nobody_is_in_two_groups_however_often_they_wait(room: list[Waiter], past: Past) -> None:
    people = [it.person for group in match(room, PACE, past) for it in group]
    assert len(people) == len(set(people))


@given(rooms(), pasts)
def test_whoever_has_waited_longest_beyond_all_patience_is_served_first(room: list[Waiter], past: Past) -> None:
    """Nobody starves: as long as any group around them is possible they are in one."""
    first = min(room, key=lambda it: (-it.waited, it.key), default=None)
    if first is None or first.waited < PACE.patience:
        return
    mine = {it.person: it for it in sorted(room, key=lambda it: (it.waited, -it.key))}.values()
    others = [it for it in mine if it.person != first.person]
    could = any(is_possible([first, *rest], past) for size in first.seats for rest in combinations(others, size - 1))
    assert could == any(first in group for group in match(room, PACE, past))


@given(rooms(), pasts)
def test_no_possible_pair_is_left_over(room: list[Waiter], past: Past) -> None:
    taken = {it.person for group in match(room, PACE, past) for it in group}
    longest = {it.person: it for it in sorted(room, key=lambda it: (it.waited, -it.key))}.values()
    left = [it for it in longest if it.person not in taken]
    assert not any(is_possible(two, past) for two in combinations(left, 2))


@given(rooms(), pasts)
def test_the_order_in_which_people_are_named_plays_no_part(room: list[Waiter], past: Past) -> None:
    assert keys(match(room, PACE, past)) == keys(match(room[::-1], PACE, past))


@given(st.floats(0, 500), st.floats(0, 500))
def test_the_window_only_widens(one: float, other: float) -> None:
    early, late = sorted((one, other))
    assert PACE.window(early) <= PACE.window(late)


def test_patience_ends_in_a_window_for_everybody() -> None:
    assert PACE.window(PACE.patience) == inf
    far = [waiter(1, 800, 121), waiter(2, 2400, 121)]
    assert keys(match(far, PACE)) == [[1, 2]]
    assert match([waiter(1, 800), waiter(2, 2400)], PACE) == []


def test_pairs_are_the_cheapest_that_leave_nobody_over() -> None:
    room = [waiter(1, 1500), waiter(2, 1590), waiter(3, 1410), waiter(4, 1600)]
    assert keys(match(room, PACE)) == [[1, 3], [2, 4]]


def test_somebody_new_comes_before_somebody_met_lately() -> None:
    room = [waiter(1), waiter(2), waiter(3, 1500 + AGAIN / 2)]
    assert keys(match(room, PACE, Past(met={(1, 2): 2, (2, 3): 1}))) == [[1, 3]]


def test_of_three_alike_the_two_who_came_first_play() -> None:
    assert keys(match([waiter(1, waited=5), waiter(2, waited=60), waiter(3, waited=30)], PACE)) == [[2, 3]]


def test_larger_tables_come_before_pairs() -> None:
    room = [waiter(1, seats=(2, 3)), waiter(2, seats=(3,)), waiter(3, seats=(2, 3)), waiter(4), waiter(5)]
    assert keys(match(room, PACE)) == [[1, 2, 3], [4, 5]]


def test_a_whole_group_must_agree_and_not_only_each_pair() -> None:
    accepts = [{"a", "b"}, {"b", "c"}, {"a", "c"}]
    room = [
        Waiter(key, key, 1500, 200, frozenset({3}), {"board": frozenset(values)}) for key, values in enumerate(accepts)
    ]
    assert match(room, PACE) == []
    assert common(room[0].accepts, room[1].accepts) == {"board": frozenset("b")}


def test_five_hundred_at_once_are_paired_in_three_calls() -> None:
    room = [waiter(key, 1500 + key % 90) for key in range(500)]
    paired: set[int] = set()
    for _call in range(3):
        groups = match([it for it in room if it.key not in paired], PACE)
        assert len(groups) <= MOST / 2
        paired |= {it.key for group in groups for it in group}
    assert len(paired) == len(room)


def choosy(key: int, board: str = "", waited: float = 80) -> Waiter:
    """Return somebody who plays on one board alone, which is their own unless it is named."""
    return Waiter(key, key, 1500, waited, frozenset({2}), {"board": frozenset({board or str(key)})})


def test_pairs_begin_behind_many_who_cannot() -> None:
    fives = [waiter(key, waited=90, seats=(5,)) for key in range(1, 5)]
    stuck = [choosy(key) for key in range(10, 10 + MOST)]
    room = [*fives, *stuck, choosy(901, "usual", 1), choosy(902, "usual", 1)]
    assert keys(match(room, PACE)) == [[901, 902]]


def test_who_comes_last_meets_the_one_of_many_who_waits_for_them() -> None:
    stuck = [choosy(key) for key in range(1, 2 * MOST)]
    assert match(stuck, PACE) == []
    assert keys(match([*stuck, choosy(901, "7", 1)], PACE)) == [[7, 901]]
