"""Coach marks lie beside what they are about, one after another, on one's own turn, and go when they are read."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.titles import titles
from games.titles.board import CoachMark
from tests.browser.axe import violations
from tests.browser.player import connected
from tests.people import person
from tests.site.bots.test_turns import against_bots

MARKS = (
    CoachMark("aim", "#stones", "Make the stones lie as on one of your cards, and you score it."),
    CoachMark("cost", "#hand", "Each swap and each turn of a stone costs one of these cards."),
    CoachMark("win", "#players", "Whoever has most points at the end wins."),
)

OVER = """(mark) => {
  const [one, other] = [mark, document.querySelector(mark.dataset.target)].map((each) => each.getBoundingClientRect());
  return Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left))
    * Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));
}"""
"""How many square pixels of what it is about a mark covers."""


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1280, 800)])
def test_marks_come_one_after_another_beside_what_they_are_about(
    enter: Callable[..., Page], monkeypatch: pytest.MonkeyPatch, width: int, height: int
) -> None:
    monkeypatch.setitem(vars(titles()["shifting-stones"]), "coach", MARKS)
    user = person(coached="")
    match = against_bots([user])
    page = connected(enter(user, match.get_absolute_url(), viewport={"width": width, "height": height}))
    aim, cost, win = (page.locator(f"#coach-{mark.key}") for mark in MARKS)
    for mark in (aim, cost):
        expect(mark).to_be_visible()
        assert page.locator(".coach-mark:visible").count() == 1
        assert mark.evaluate(OVER) == 0
        box = mark.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert violations(page) == []
        if mark is aim:
            mark.get_by_role("button").click()
            expect(aim).to_have_count(0)
    page.locator("#hand label").first.click()
    page.locator("label:has(#cell-a1)").click()
    page.locator("#verb-flip").click()
    expect(cost).to_have_count(0)
    expect(page.locator("#match[data-length='1']")).to_have_count(1)
    expect(win).to_be_visible()
    assert win.evaluate(OVER) == 0
    with page.expect_response("**/coached/"):
        page.keyboard.press("Escape")
    expect(page.locator("#coach")).to_have_count(0)
    page.reload()
    expect(page.locator("#status")).to_be_visible()
    expect(page.locator("#coach")).to_have_count(0)
    assert page.complaints == []  # type: ignore[attr-defined]  # collected by `enter`
