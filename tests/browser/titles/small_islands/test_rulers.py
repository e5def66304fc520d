"""The numbers along the edges of the map, in a real browser: those that are seen whole, and no others."""

from __future__ import annotations

import re
from math import ceil, floor

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from tests.browser.player import connected
from tests.browser.windows import resize
from tests.site.titles.small_islands.playing import Enter, begun, play_until

SEEN = """() => {
    const map = document.getElementById("map");
    const { left, right, top, bottom } = map.getBoundingClientRect();
    const inverse = map.getScreenCTM().inverse();
    const [from, to] = [new DOMPoint(left, top), new DOMPoint(right, bottom)].map((it) => it.matrixTransform(inverse));
    return { columns: [from.x, to.x], rows: [from.y + 26 / map.getScreenCTM().a, to.y] };
}"""


def written(page: Page, axis: str) -> list[int]:
    return [int(text.replace("−", "-")) for text in page.locator(f"#{axis} text").all_text_contents()]


def with_room(page: Page, axis: str, cells: int = 1) -> list[int]:
    """Return the numbers that have so many cells' room, half of it on either side, within what is seen of the map."""
    start, end = page.evaluate(SEEN)[axis]
    first, last = ceil(start / 100 - 0.5 + cells / 2), floor(end / 100 - 0.5 - cells / 2)
    return [number for number in range(first, last + 1) if number % cells == 0]


@pytest.fixture
def watching(enter: Enter, players: list[User]) -> Page:
    match = begun(players)
    play_until(match, "explore", 0)
    return connected(enter(players[1], match.get_absolute_url(), viewport={"width": 1280, "height": 900}))


def test_numbers_are_written_for_what_is_seen_of_the_map(watching: Page) -> None:
    for button in ("#nearer", "#nearer", "#fit"):
        for axis in ("columns", "rows"):
            assert written(watching, axis) == with_room(watching, axis) != []
        watching.locator(button).click()
    _every_other_one_where_columns_are_narrow(watching)


def _every_other_one_where_columns_are_narrow(page: Page) -> None:
    page.locator("#islands-board .map").evaluate("(it) => { it.style.width = '80px'; }")
    page.evaluate("dispatchEvent(new Event('resize'))")
    assert written(page, "columns") == with_room(page, "columns", cells=2) != []


BETWEEN = """() => {
    const [map, pen] = [document.getElementById("map"), document.createElement("canvas").getContext("2d")];
    pen.font = `12px ${getComputedStyle(map).fontFamily}`;
    const numbers = [...document.querySelectorAll("#columns text")].map((it) => ({
        at: it.getAttribute("x") * map.getScreenCTM().a, half: pen.measureText(it.textContent).width / 2,
    }));
    return numbers.slice(1).map(({ at, half }, before) => at - half - numbers[before].at - numbers[before].half);
}"""
"""How many pixels are free between the numbers of columns, which are drawn 12 pixels high at any zoom."""


def test_on_a_wide_map_no_numbers_lie_on_each_other(watching: Page) -> None:
    resize(watching, {"width": 360, "height": 640})
    for frame in ("-1600 -300 2400 900", "-1600 -300 3400 900", "-3000 -300 6000 900"):
        watching.locator("#map").evaluate("(it, frame) => { it.dataset.frame = frame; }", frame)
        watching.evaluate("dispatchEvent(new Event('resize'))")
        left, _top, width, _height = frame.split()
        expect(watching.locator("#map")).to_have_attribute("viewBox", re.compile(rf"^{left} \S+ {width} "))
        assert len(written(watching, "columns")) >= 4
        assert min(watching.evaluate(BETWEEN)) > 2


def test_without_a_script_all_numbers_are_there(enter: Enter, players: list[User]) -> None:
    page = enter(players[0], begun(players).get_absolute_url(), java_script_enabled=False)
    assert len(written(page, "columns")) > 100
