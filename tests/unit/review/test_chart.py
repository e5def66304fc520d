"""The chart of a review: what is marked on it."""

from __future__ import annotations

from itertools import combinations

from games.review.found import HEIGHT, chart_of
from games.review.judge import WHOLE

ACROSS = 18
"""How wide a mark is."""


def test_no_mark_hides_another_one() -> None:
    half = WHOLE // 2
    chances = [(half, half)] * 9 + [(0, WHOLE)] * 2
    moments = [(place, at, at, seat) for place, (at, seat) in enumerate([(4, 0), (10, 0), (4, 1), (5, 1), (10, 0)])]
    marks = chart_of(chances, range(11), 60, moments).marks
    for one, other in combinations(marks, 2):
        assert abs(one.x - other.x) >= ACROSS or abs(one.y - other.y) >= ACROSS
    assert all(ACROSS / 2 <= mark.y <= HEIGHT - ACROSS / 2 for mark in marks)
    assert marks[0].y == chart_of(chances, range(11), 60, moments[:1]).marks[0].y
