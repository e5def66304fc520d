"""The known numbers of whole matches. For orientation only: how greedy the players were is not recorded."""

from __future__ import annotations

from statistics import mean

import pytest

from tests.unit.titles.small_islands.choosers import greedy, play_match

MATCHES = 4


@pytest.mark.parametrize(("seats", "points"), [(2, 37), (3, 36), (4, 34)])
def test_points_and_houses_of_greedy_players_and_how_their_matches_end(seats: int, points: int) -> None:
    ends = [play_match(f"greedy {number}", [greedy] * seats)[-1] for number in range(MATCHES)]
    outcomes = [play.outcome for play in ends if play.outcome is not None]
    assert abs(mean(score for outcome in outcomes for score in outcome.scores) - points) < 8
    houses = [play.state.table.houses_placed(seat) for play in ends for seat in range(seats)]
    assert 4 < mean(houses) < 7
    assert {outcome.reason for outcome in outcomes} == {"ships"}
