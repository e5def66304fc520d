"""What holds in events, rule by rule: who meets whom, who sits first, who has a bye, who may still enter."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, product

import pytest

from games.events import formats
from games.events.formats import Heat, Row, State, league
from games.events.formats.arena import PATIENCE
from games.events.formats.sizes import sizes
from tests.unit.events.playing import DAY, HOUR, START, apart, byes, drawn, over, people, plan, played, who


@pytest.mark.parametrize("kind", list(formats.Format))
def test_nothing_is_drawn_before_the_start_or_after_the_end(kind: str) -> None:
    given = plan(kind, ends_at=START + DAY)
    assert not drawn(given, people(8), now=START - HOUR)
    assert drawn(given, people(8))
    assert not drawn(given, people(8), now=START + DAY)


@pytest.mark.parametrize("kind", list(formats.Format))
def test_whoever_is_paused_or_out_is_not_paired(kind: str) -> None:
    players = [*people(8), *(replace(it, person=it.person + 8, entered=it.entered + 8) for it in people(2))]
    players[3], players[5] = replace(players[3], state=State.PAUSED), replace(players[5], state=State.OUT)
    found = {person for heat in drawn(plan(kind), players) for person in heat.people}
    assert found == set(range(10)) - {3, 5}


@pytest.mark.parametrize("kind", list(formats.Format))
def test_asked_again_nothing_is_drawn_twice(kind: str) -> None:
    given, players = plan(kind), people(8)
    heats = drawn(given, players)
    assert not drawn(given, players, heats)


@pytest.mark.parametrize("kind", list(formats.Format))
@pytest.mark.parametrize("want", [2, 4])
def test_those_kept_apart_never_meet(kind: str, want: int) -> None:
    given = plan(kind, want=want, apart=apart((0, 1), (2, 7), (0, 7)))
    heats = played(given, people(9), 3)
    pairs = {frozenset(two) for heat in heats for two in combinations(heat.people, 2)}
    assert pairs
    assert not pairs & given.apart


def test_two_who_must_not_meet_and_nobody_else_have_no_heat() -> None:
    assert sorted(byes(drawn(plan("swiss", apart=apart((0, 1))), people(2)))) == [0, 1]
    assert not drawn(plan("knockout", apart=apart((0, 1))), people(2))


def test_another_has_the_bye_if_otherwise_two_who_are_kept_apart_were_left() -> None:
    heats = drawn(plan("swiss", apart=apart((0, 1))), people(3))
    assert sorted(len(heat.people) for heat in heats) == [1, 2]


def test_sizes_take_in_as_many_as_they_can() -> None:
    for want in (2, 3, 4, 5):
        for least, count in product(range(2, want + 1), range(40)):
            found = sizes(count, want, least)
            assert sum(found) == count
            assert all(size == 1 or least <= size <= want for size in found)
            if want * (want - 1) <= count and least < want:
                assert set(found) <= {want, want - 1}, "heats of `want` and of one less are enough"
            if 1 not in found:
                continue
            assert found.count(1) < least or count < least, "no heat can be made of those who are left over"


def test_points_are_the_share_of_opponents_behind_and_half_of_those_beside() -> None:
    heat = Heat(1, 1, (0, 1, 2, 3), START, START, START, (1, 2, 2, 4))
    rows = formats.standings(plan("swiss", want=4), people(4), [heat])
    assert [(row.person, row.points) for row in rows] == [(0, 120), (1, 60), (2, 60), (3, 0)]


def test_equals_stand_by_heats_won_then_opponents_then_meetings_then_entry() -> None:
    def heat(number: int, one: int, other: int, *places: int) -> Heat:
        return Heat(1, number, (one, other), START, START, START, places)

    def order(*heats: Heat) -> list[int]:
        return [row.person for row in formats.standings(plan("robin"), people(5), heats)]

    draws = [heat(1, 0, 3, 1, 1), heat(2, 0, 4, 1, 1), heat(3, 1, 3, 1, 2), heat(4, 1, 4, 2, 1)]
    assert order(*draws).index(1) < order(*draws).index(0), "one heat won stands before two ties"
    ahead = [heat(1, 0, 3, 1, 2), heat(2, 1, 4, 1, 2), heat(3, 2, 4, 2, 1)]
    assert order(*ahead).index(1) < order(*ahead).index(0), "whose opponent has points stands before"
    alike = [heat(1, 1, 0, 1, 2), heat(2, 0, 2, 1, 2), heat(3, 3, 1, 1, 2), heat(4, 2, 4, 1, 2)]
    rows = {row.person: row for row in formats.standings(plan("robin"), people(5), alike)}
    assert (rows[0].points, rows[0].won, rows[0].strength) == (rows[1].points, rows[1].won, rows[1].strength)
    assert order(*alike).index(1) < order(*alike).index(0), "who won against the other stands before"
    assert order() == [0, 1, 2, 3, 4]


def test_who_has_sat_first_least_often_sits_first() -> None:
    heats = played(plan("swiss", rounds=7), people(8), 7)
    first = Counter(heat.people[0] for heat in heats)
    assert len(heats) == 28
    assert max(first.values()) - min(first.values()) <= 2
    robin = Counter(heat.people[0] for heat in drawn(plan("robin"), people(8)))
    assert max(robin.values()) - min(robin.values()) <= 1


def test_byes_go_to_the_lowest_who_has_had_fewest_and_count_as_won() -> None:
    given, players = plan("swiss"), people(5)
    heats = played(given, players, 5)
    assert sorted(byes(heats)) == [0, 1, 2, 3, 4]
    first = formats.standings(given, players, [heat for heat in heats if heat.round == 1])
    assert next(row for row in first if row.person == byes(heats)[0]).points == 120
    second = byes([heat for heat in heats if heat.round == 2])[0]
    without = [row for row in first if row.byes == 0]
    assert min(row.points for row in without) == next(row for row in first if row.person == second).points


# --- Swiss ------------------------------------------------------------------------------------------------------------


def test_swiss_waits_until_a_round_is_over_and_ends_with_its_last() -> None:
    given, players = plan("swiss", rounds=2), people(4)
    heats = drawn(given, players)
    assert not drawn(given, players, [over(heats[0]), heats[1]])
    assert not formats.is_over(given, players, heats, START)
    heats = played(given, players, 2)
    assert formats.is_over(given, players, heats, START)
    assert not drawn(given, players, heats)


def test_swiss_pairs_those_with_as_many_points_and_nobody_again() -> None:
    given, players = plan("swiss", rounds=3), people(8)
    heats = played(given, players, 2)
    third = drawn(given, players, heats)
    points = {row.person: row.points for row in formats.standings(given, players, heats)}
    assert len({frozenset(heat.people) for heat in [*heats, *third]}) == 12
    assert max(abs(points[one] - points[other]) for one, other in (heat.people for heat in third)) <= 120


def test_swiss_takes_late_ones_until_half_of_the_rounds_with_half_a_point_once() -> None:
    given, players = plan("swiss", rounds=4), people(4)
    assert formats.may_join(given, players, played(given, players, 1), START)
    assert not formats.may_join(given, players, played(given, players, 2), START)
    late = replace(people(5)[4], joined_round=2)
    rows = formats.standings(given, [*players, late], played(given, players, 1))
    assert {row.person: row.points for row in rows}[4] == 60


# --- robin ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [2, 5, 8])
def test_in_a_robin_everybody_meets_everybody_once(count: int) -> None:
    heats = drawn(plan("robin"), people(count))
    assert who(heats) == [list(two) for two in combinations(range(count), 2)]
    for round_ in {heat.round for heat in heats}:
        there = [person for heat in heats if heat.round == round_ for person in heat.people]
        assert len(there) == len(set(there))


def test_in_a_robin_of_nine_at_tables_of_three_everybody_meets_everybody_about_once() -> None:
    heats = drawn(plan("robin", want=3, least=3), people(9))
    met = Counter(frozenset(two) for heat in heats for two in combinations(heat.people, 2))
    assert len(heats) == 12
    assert max(met.values()) <= 2
    assert len(met) >= 32


def test_in_a_robin_of_sixteen_few_meet_again_where_four_sit_at_tables_of_five() -> None:
    heats = drawn(plan("robin", want=5, least=4), people(16))
    met = Counter(frozenset(two) for heat in heats for two in combinations(heat.people, 2))
    assert sum(met.values()) == 4 * 4 * 6
    assert sum(met.values()) - len(met) <= 4


def test_in_a_robin_as_many_heats_run_as_people_play_at_a_time() -> None:
    given, players = plan("robin"), people(4, at_a_time=2)
    heats = drawn(given, players)
    assert [heat.round for heat in formats.due(given, players, heats, START)] == [1, 1, 2, 2]
    one = people(4)
    assert [heat.round for heat in formats.due(given, one, heats, START)] == [1, 1]


def test_who_leaves_loses_what_had_not_begun_and_a_pause_holds_it() -> None:
    given, players = plan("robin"), people(4)
    heats = drawn(given, players)
    players[0] = replace(players[0], state=State.PAUSED)
    assert all(0 not in heat.people for heat in formats.due(given, players, heats, START))
    assert not formats.forfeits(given, players, heats, START)
    players[0] = replace(players[0], state=State.OUT)
    lost = formats.forfeits(given, players, heats, START)
    assert [dict(zip(heat.people, heat.places or (), strict=True))[0] for heat in lost] == [2, 2, 2]


def test_a_robin_is_over_with_its_last_heat_or_after_its_end_when_nothing_runs() -> None:
    given, players = plan("robin", ends_at=START + DAY), people(4)
    heats = drawn(given, players)
    assert not formats.is_over(given, players, heats, START)
    assert formats.is_over(given, players, [over(heat) for heat in heats], START)
    begun = [replace(heats[0], begun_at=START), *heats[1:]]
    assert not formats.is_over(given, players, begun, START + DAY)
    assert formats.is_over(given, players, heats, START + DAY)
    assert not formats.due(given, players, heats, START + DAY)


def test_at_larger_tables_bots_play_for_those_who_have_left() -> None:
    given, players = plan("robin", want=3, least=3), people(3)
    heats = drawn(given, players)
    players[0] = replace(players[0], state=State.OUT)
    assert formats.due(given, players, heats, START) == heats
    players[1] = replace(players[1], state=State.OUT)
    assert not formats.due(given, players, heats, START)
    assert formats.forfeits(given, players, heats, START)


# --- league -----------------------------------------------------------------------------------------------------------


def test_a_league_has_divisions_of_six_and_in_each_everybody_meets() -> None:
    given, players = plan("league"), people(12)
    heats = drawn(given, players)
    assert formats.divisions(given, players) == {person: 1 + person // 6 for person in range(12)}
    assert len(heats) == 30
    assert all(min(heat.people) // 6 == max(heat.people) // 6 for heat in heats)


def test_a_league_of_larger_tables_has_divisions_of_eight_to_twelve() -> None:
    for count in range(16, 120):
        each = Counter(formats.divisions(plan("league", want=4), people(count)).values())
        assert all(8 <= there <= 12 for there in each.values()), (count, each)


def test_new_people_begin_in_the_lowest_division() -> None:
    players = [replace(it, division=None if it.person == 0 else 1 + it.person // 7) for it in people(12)]
    assert formats.divisions(plan("league"), players)[0] == 2


def test_the_best_two_go_up_and_the_last_two_down() -> None:
    rows = [Row(k % 6 + 1, k, 0, 0, 0, 0, 0, division=k // 6 + 1) for k in range(18)]
    assert [formats.next_divisions(rows)[k] for k in range(18)] == [
        *(1, 1, 1, 1, 2, 2),
        *(1, 1, 2, 2, 3, 3),
        *(2, 2, 3, 3, 3, 3),
    ]


def test_somebody_new_takes_a_place_left_in_the_first_three_days() -> None:
    given, players = plan("league"), people(6, division=1)
    heats = drawn(given, players)
    begun = next(heat for heat in heats if 2 in heat.people)
    heats = [over(heat) if heat is begun else heat for heat in heats]
    assert not formats.may_join(given, players, heats, START + DAY)
    players[2] = replace(players[2], state=State.OUT)
    assert formats.may_join(given, players, heats, START + DAY)
    assert not formats.may_join(given, players, heats, START + 3 * DAY)
    assert not formats.forfeits(given, players, heats, START + DAY)

    players.append(replace(people(7)[6], joined_round=formats.next_round(heats)))
    new = drawn(given, players, heats, START + DAY)
    assert len(new) == 4
    assert all(6 in heat.people for heat in new)
    heats += new
    assert not any(2 in heat.people for heat in league.current(heats) if not heat.is_over)
    assert not drawn(given, players, heats, START + DAY)
    assert formats.divisions(given, players, heats)[6] == 1
    assert not formats.forfeits(given, players, heats, START + 4 * DAY)


def test_a_league_of_fewer_than_four_begins_as_a_ladder() -> None:
    assert formats.begins_as(plan("league"), people(3)) == "ladder"
    assert formats.begins_as(plan("league"), people(4)) == "league"


# --- ladder -----------------------------------------------------------------------------------------------------------


def test_on_a_ladder_the_nearest_meet_once_a_night() -> None:
    given, players = plan("ladder"), people(6)
    heats = drawn(given, players)
    assert who(heats) == [[0, 1], [2, 3], [4, 5]]
    heats = [over(heat) for heat in heats]
    assert not drawn(given, players, heats, START + DAY - HOUR)
    assert formats.next_at(given, players, heats, START + HOUR) == START + DAY


def test_on_a_ladder_nobody_meets_their_last_opponents_again_the_next_night() -> None:
    given, players = plan("ladder"), people(4)
    heats = [over(heat, at=START + 20 * HOUR) for heat in drawn(given, players)]
    assert not {tuple(two) for two in who(drawn(given, players, heats, START + DAY))} & {(0, 1), (2, 3)}
    two = [*players[:2], *(replace(it, state=State.PAUSED) for it in players[2:])]
    assert not drawn(given, two, heats, START + DAY)
    assert who(drawn(given, two, heats, START + 2 * DAY)) == [[0, 1]]


def test_on_a_ladder_the_winner_takes_the_higher_rung_and_new_people_the_lowest() -> None:
    given, players = plan("ladder"), people(3)
    heat = Heat(1, 1, (2, 0), START, START, START + HOUR, (1, 2))
    late = replace(people(4)[3], rating=9999, joined_round=2)
    assert [row.person for row in formats.standings(given, [*players, late], [heat])] == [2, 1, 0, 3]
    assert formats.may_join(given, players, [heat], START + 100 * DAY)
    assert not formats.is_over(given, players, [heat], START + 100 * DAY)


def test_on_a_ladder_who_plays_as_many_as_they_want_is_not_paired() -> None:
    given, players = plan("ladder"), people(4)
    heats = drawn(given, players)
    assert not drawn(given, players, heats, START + DAY)
    two = people(4, at_a_time=2)
    assert len(drawn(given, two, heats, START + DAY)) == 2


# --- knockout ---------------------------------------------------------------------------------------------------------


def test_in_a_knockout_the_best_meet_the_worst_and_the_better_half_goes_on() -> None:
    given, players = plan("knockout"), people(8)
    heats = drawn(given, players)
    assert who(heats) == [[0, 7], [1, 6], [2, 5], [3, 4]]
    second = drawn(given, players, [over(heat) for heat in heats])
    assert who(second) == [[0, 3], [1, 2]]
    heats = played(given, players, 3)
    assert formats.is_over(given, players, heats, START + DAY)
    assert [row.person for row in formats.standings(given, players, heats)][:2] == [0, 1]
    four = plan("knockout", want=4)
    first = [over(heat) for heat in drawn(four, players)]
    last = drawn(four, players, first)
    assert [len(heat.people) for heat in [*first, *last]] == [4, 4, 4]
    assert formats.is_over(four, players, [*first, *map(over, last)], START), "only the first of the last heat goes on"


def test_in_a_knockout_with_two_lives_one_may_lose_once() -> None:
    given, players = plan("knockout", lives=2), people(4)
    heats = played(given, players, 1)
    assert who(drawn(given, players, heats)) == [[0, 1], [2, 3]], "those with as many lives meet"
    rows = formats.standings(given, players, played(given, players, 2))
    assert {row.person: row.lives for row in rows} == {0: 2, 1: 1, 2: 1, 3: 0}


def test_in_a_knockout_a_tie_goes_to_the_better_seed_and_who_is_away_loses_a_life() -> None:
    given, players = plan("knockout"), people(4)
    tied = [over(heat, 1, 1) for heat in drawn(given, players)]
    assert who(drawn(given, players, tied)) == [[0, 1]]
    players[3] = replace(players[3], state=State.PAUSED)
    heats = played(given, players, 1)
    players[3] = replace(players[3], state=State.IN)
    assert all(3 not in heat.people for heat in drawn(given, players, heats))
    assert not formats.may_join(given, players, heats, START)


# --- arena ------------------------------------------------------------------------------------------------------------


def test_an_arena_opens_when_eight_are_there() -> None:
    given = plan("arena", ends_at=START + 2 * HOUR)
    assert not drawn(given, people(7))
    assert len(drawn(given, people(8))) == 4
    assert formats.may_join(given, people(8), drawn(given, people(8)), START + HOUR)


def test_in_an_arena_those_free_meet_new_ones_at_once_and_the_same_after_a_minute() -> None:
    given, players = plan("arena", ends_at=START + 2 * HOUR), people(8)
    heats = drawn(given, players)
    one, other = heats[:2]
    free = [over(one), *heats[1:]]
    assert not drawn(given, players, free, START + HOUR), "those two have just met"
    assert formats.next_at(given, players, free, START + HOUR) == START + HOUR + PATIENCE
    assert who(drawn(given, players, free, START + HOUR + PATIENCE)) == [sorted(one.people)]
    more = drawn(given, players, [over(one), over(other), *heats[2:]], START + HOUR)
    assert len(more) == 2
    assert not set(map(tuple, who(more))) & {tuple(sorted(one.people)), tuple(sorted(other.people))}


def test_an_arena_is_over_when_its_last_heat_is() -> None:
    given, players = plan("arena", ends_at=START + 2 * HOUR), people(8)
    heats = drawn(given, players)
    assert not formats.is_over(given, players, heats, START + 3 * HOUR)
    assert formats.is_over(given, players, [over(heat) for heat in heats], START + 3 * HOUR)
