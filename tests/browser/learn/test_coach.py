"""Coach marks lie beside what they are about, one after another, on one's own turn, and go when they are read."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from accounts.models import User
from games.titles import titles
from games.titles.board import CoachMark
from tests.browser.axe import violations
from tests.browser.player import connected, opened_at
from tests.browser.windows import resize
from tests.people import person
from tests.site.bots.test_turns import against_bots

MARKS = (
    CoachMark("aim", "#stones", "Make the stones lie as on one of your cards, and you score it."),
    CoachMark("cost", "#hand", "Each swap and each turn of a stone costs one of these cards."),
    CoachMark("win", "#players", "Whoever has most points at the end wins."),
)

WINDOWS: tuple[ViewportSize, ...] = tuple(
    {"width": width, "height": height} for width, height in ((360, 640), (390, 844), (1280, 800), (1920, 1080))
)
COVERED = """(mark) => {
  const one = mark.getBoundingClientRect();
  const parts = ".player, #hand, .board :is(button, label, input, summary, a, svg), " + mark.dataset.target;
  return [...document.querySelectorAll(parts)].filter((part) => part.checkVisibility()).filter((part) => {
    const other = part.getBoundingClientRect();
    return Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
      && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  }).map(({ outerHTML }) => outerHTML.slice(0, 80));
}"""
"""What a mark covers of what it is about, of what can be pressed on the board, of the hand and of players' boxes."""


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
        assert mark.evaluate(COVERED) == []
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
    assert win.evaluate(COVERED) == []
    with page.expect_response("**/coached/"):
        page.keyboard.press("Escape")
    expect(page.locator("#coach")).to_have_count(0)
    page.reload()
    expect(page.locator("#status")).to_be_visible()
    expect(page.locator("#coach")).to_have_count(0)
    assert page.complaints == []  # type: ignore[attr-defined]  # collected by `enter`


@pytest.mark.parametrize("slug", sorted(titles()))
def test_marks_cover_nothing_that_is_pressed_in_any_window_and_language_and_nothing_scrolls(
    enter: Callable[..., Page], slug: str
) -> None:
    user = person(coached="")
    match = against_bots([user], game=slug)
    page = connected(enter(user, match.get_absolute_url(), viewport=WINDOWS[0]))
    wrong = []
    for language in ("de", "it"):
        User.objects.filter(pk=user.pk).update(language=language, coached="")
        connected(opened_at(page, match.get_absolute_url(), **WINDOWS[0]))
        while page.locator("#coach").count():
            mark = page.locator(".coach-mark:visible")
            expect(mark).to_have_count(1)
            for window in WINDOWS:
                resize(page, window)
                if covered := mark.evaluate(COVERED):
                    wrong.append((language, window["width"], mark.get_attribute("id"), covered))
                assert page.evaluate("scrollY") == 0
            if page.locator(".coach-mark").count() > 1 and slug == "small-islands":
                break  # the others come when the objective is chosen
            mark.get_by_role("button").click()
    assert wrong == []
