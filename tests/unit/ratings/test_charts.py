"""The rating chart: a small drawing that says in words what it shows."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET

import pytest

from games.engine.elo import START
from games.ratings.charts import HEIGHT, MOST_LINES, MOST_POINTS, WIDTH, chart_of, scale
from games.ratings.models import RatingChange

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def _changes(gains: list[int], apart: timedelta = timedelta(days=1)) -> list[RatingChange]:
    changes, rating = [], START
    for index, gain in enumerate(gains):
        changes.append(RatingChange(before=rating, after=rating + gain, games_before=index, at=BEGIN + index * apart))
        rating += gain
    return changes


def _chart(gains: list[int], apart: timedelta = timedelta(days=1)) -> str:
    chart = chart_of(_changes(gains, apart), "key", "Rating in a game")
    assert chart is not None
    return chart.svg()


def _points(svg: str) -> list[tuple[float, float]]:
    path = re.search(r'class="rating-curve" d="M([^"]+)"', svg)
    assert path is not None
    return [(float(x), float(y)) for x, y in (pair.split() for pair in path[1].split(" L"))]


def test_without_changes_there_is_no_chart() -> None:
    assert chart_of([], "key", "title") is None


@pytest.mark.parametrize("gains", [[0], [20_000], [-5] * 3, [20_000, -40_000, 3], [9_000] * 1000])
@pytest.mark.parametrize("apart", [timedelta(0), timedelta(seconds=1), timedelta(days=3)])
def test_every_history_is_drawn_within_the_picture(gains: list[int], apart: timedelta) -> None:
    svg = _chart(gains, apart)
    points = _points(svg)
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)
    assert [x for x, _y in points] == sorted(x for x, _y in points)
    assert len(points) <= MOST_POINTS + 2


def test_the_curve_begins_before_the_first_match_and_ends_now() -> None:
    points = _points(_chart([20_000, -20_000, 10_000]))
    assert len(points) == 4
    assert points[0][1] == points[2][1] > points[3][1] > points[1][1]
    assert points[0][0] < points[1][0] < points[2][0] < points[3][0] <= WIDTH


def test_the_drawing_says_in_words_what_it_shows() -> None:
    root = ET.fromstring(_chart([20_000, -50_000]))
    name = "{http://www.w3.org/2000/svg}" if root.tag.startswith("{") else ""
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "key-title key-description"
    assert root.findtext(f"{name}title") == "Rating in a game"
    assert root.findtext(f"{name}desc") == ("From 1500 on 1 Jan 2026 to 1470 on 2 Jan 2026; lowest 1470, highest 1520.")


def test_the_drawing_is_styled_by_classes_alone() -> None:
    assert not re.search(r"style|fill=|stroke=|color", _chart([20_000, -5_000]))


@pytest.mark.parametrize("spread", [1, 999, 10_000, 49_000, 77_777, 300_000, 1_200_000, 3_900_000])
def test_the_axis_has_few_round_lines_around_all_ratings(spread: int) -> None:
    bottom, top, step = scale([START - spread, START])
    assert bottom <= START - spread
    assert top >= START
    assert (top - bottom) % step == bottom % step == step % 10_000 == 0
    assert 1 <= (top - bottom) // step <= MOST_LINES
