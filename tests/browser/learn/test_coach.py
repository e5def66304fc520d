"""Coach marks stand in a place of their own above the board, one after another, and leave the board where it is."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from accounts.models import User
from games.play import commands
from games.titles import titles
from games.titles.board import CoachMark
from tests.browser.axe import violations
from tests.browser.player import HASTE, connected, in_a_moment, opened_at
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
COVERED = """(place) => {
  const one = place.getBoundingClientRect();
  const parts = ":is(a, button, label, input, summary, svg, #status, .player):not(#coach *, .skip-link)";
  return [...document.querySelectorAll(parts)].filter((part) => part.checkVisibility()).filter((part) => {
    const other = part.getBoundingClientRect();
    return Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
      && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  }).map(({ outerHTML }) => outerHTML.slice(0, 80));
}"""
"""What can be pressed or read and lies where the marks stand."""

HIGHER = """(place) => [...place.querySelectorAll(".coach-mark")].filter((mark) =>
  mark.getBoundingClientRect().height > parseFloat(getComputedStyle(place).minHeight)
    || mark.firstElementChild.scrollHeight > mark.clientHeight).map(({ id }) => id)"""
"""The marks that are higher than the place that boards leave for them; all of them are stretched to the highest."""

AROUND = """(selector) => {
  const [inner, outer] = [selector, ".coach-ring"].map((each) => document.querySelector(each).getBoundingClientRect());
  return outer.left <= inner.left && outer.right >= inner.right
    && outer.top <= inner.top && outer.bottom >= inner.bottom;
}"""
HIDDEN = """async (selector) => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const ring = document.querySelector(".coach-ring").getBoundingClientRect();
  const about = [...document.querySelectorAll(selector)].find((found) => found.checkVisibility());
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (words.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(words.currentNode);
    for (const rect of range.getClientRects()) found.push([words.currentNode.parentElement, rect]);
  }
  for (const part of document.querySelectorAll(":is(button, label, svg)")) {
    found.push([part, part.getBoundingClientRect()]);
  }
  const isInside = (rect) => rect.left >= ring.left + 2 && rect.right <= ring.right - 2
    && rect.top >= ring.top + 2 && rect.bottom <= ring.bottom - 2;
  return found.filter(([part, rect]) => {
    if (isInside(rect)) return false;
    const [left, right] = [Math.max(ring.left, rect.left), Math.min(ring.right, rect.right)];
    const [top, bottom] = [Math.max(ring.top, rect.top), Math.min(ring.bottom, rect.bottom)];
    if (about.contains(part) || part.contains(about) || right - left < 0.5 || bottom - top < 3.5) return false;
    return part.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  }).map(([part]) => part.outerHTML.slice(0, 80));
}"""
"""What is seen, is no part of what the ring is about, and lies under it; a line is empty above its letters."""

BOARD = "JSON.stringify(document.querySelector('#stones').getBoundingClientRect())"


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1280, 800)])
def test_marks_come_one_after_another_beside_a_still_board_until_the_last_is_read(
    enter: Callable[..., Page], monkeypatch: pytest.MonkeyPatch, width: int, height: int
) -> None:
    monkeypatch.setitem(vars(titles()["shifting-stones"]), "coach", MARKS)
    user = person(coached="")
    match = against_bots([user])
    page = connected(enter(user, match.get_absolute_url(), viewport={"width": width, "height": height}))
    aim, cost, win = (page.locator(f"#coach-{mark.key}") for mark in MARKS)
    expect(page.locator(".coach-ring")).to_be_visible()
    place = page.evaluate(BOARD)
    pressed = {str(mark.locator("button").bounding_box()) for mark in (aim, cost, win)}
    counted = page.locator("#coach > :is(.coach-mark, .coach-rest)").all_text_contents()
    assert [re.sub(r"\s", "", text)[-8:] for text in counted] == [f"{number}/4Gotit" for number in (1, 2, 3, 4)]
    for mark, target in ((aim, "#stones"), (cost, "#hand")):
        expect(mark).to_be_visible()
        assert page.locator(".coach-mark:visible").count() == 1
        assert page.evaluate(AROUND, target)
        assert page.evaluate(BOARD) == place
        if mark is aim:
            assert violations(page) == []
        expect(page.locator("#live")).to_have_text(mark.locator("p").inner_text())
        if mark is aim:
            with in_a_moment(page):
                mark.get_by_role("button").press("Enter")
                expect(cost.get_by_role("button")).to_be_focused()
                page.keyboard.press("Enter")  # the end of a double press, which reads nothing
            page.wait_for_timeout(HASTE)
    if width < 1000:
        flip(page, 1)
    else:
        cost.get_by_role("button").click()
    expect(win).to_be_visible()
    assert page.evaluate(BOARD) == place
    page.wait_for_timeout(HASTE)
    with page.expect_response("**/coached/"):
        win.get_by_role("button").click()
    expect(page.locator(".coach-mark:visible, .coach-ring:visible")).to_have_count(0)
    rest = page.locator("#coach-rest")
    expect(rest).to_be_visible()
    assert page.evaluate(BOARD) == place
    if width >= 1000:
        assert pressed == {str(rest.get_by_role("button").bounding_box())}
        for count in (1, 2, 3, 4):  # with the last card the turn ends by itself
            flip(page, count)
            expect(rest).to_be_visible()
            assert page.evaluate(BOARD) == place
        expect(page.locator("#verbs")).to_have_count(0)
    rest.get_by_role("link").click()
    expect(page.locator("#about-contents")).to_be_focused()  # the rules begin at their beginning
    page.keyboard.press("Escape")
    page.wait_for_timeout(HASTE)
    its_place_goes_once_the_turn_is_over(page, place)
    nobody_is_told_twice(page)
    assert page.complaints == []  # type: ignore[attr-defined]  # collected by `enter`


def its_place_goes_once_the_turn_is_over(page: Page, place: str) -> None:
    ends = page.locator("#verb-end")
    is_over = ends.count() == 0
    page.locator("#coach-rest").get_by_role("button").click()
    if not is_over:
        expect(page.locator("#coach-rest")).to_be_hidden()
        assert page.evaluate(BOARD) == place
        ends.click()
    expect(page.locator("#coach")).to_have_count(0)


def nobody_is_told_twice(page: Page) -> None:
    page.reload()
    expect(page.locator("#status")).to_be_visible()
    expect(page.locator("#coach")).to_have_count(0)


def flip(page: Page, count: int) -> None:
    """Turn a stone for a card; it is this action of the match, counted from 1."""
    page.locator("#hand label").first.click()
    page.locator("label:has(#cell-a1)").click()
    page.locator("#verb-flip").click()
    expect(page.locator(f"#match[data-length='{count}']")).to_have_count(1)


def test_no_mark_stands_beside_the_end(enter: Callable[..., Page]) -> None:
    user = person(coached="")
    match = against_bots([user])
    page = connected(enter(user, match.get_absolute_url()))
    expect(page.locator(".coach-ring")).to_be_visible()
    commands.resign(match.pk, 0, "resigning-now")
    expect(page.locator("#ending")).to_be_visible()
    expect(page.locator("#coach, .coach-ring")).to_have_count(0)


@pytest.mark.parametrize("slug", sorted(titles()))
def test_marks_fit_their_place_and_cover_nothing_in_any_window_and_language_and_nothing_scrolls(
    enter: Callable[..., Page], slug: str
) -> None:
    user = person(coached="")
    match = against_bots([user], game=slug)
    page = connected(enter(user, match.get_absolute_url(), viewport=WINDOWS[0]))
    wrong = []
    for language in ("en", "de", "it"):
        User.objects.filter(pk=user.pk).update(language=language)
        connected(opened_at(page, match.get_absolute_url(), **WINDOWS[0]))
        expect(page.locator(".coach-ring")).to_be_visible()
        for window in WINDOWS:
            resize(page, window)
            if covered := page.locator("#coach").evaluate(COVERED):
                wrong.append((language, window["width"], covered))
            if higher := page.locator("#coach").evaluate(HIGHER):
                wrong.append((language, window["width"], higher))
            assert page.evaluate("[scrollY, document.documentElement.scrollWidth]") == [0, window["width"]]
    assert wrong == []


@pytest.mark.parametrize("slug", sorted(titles()))
def test_the_ring_lies_around_what_each_mark_is_about_and_over_nothing(enter: Callable[..., Page], slug: str) -> None:
    """Where a mark waits for another phase of the turn, as in Small Islands, those before it are looked at."""
    user = person(coached="")
    match = against_bots([user], game=slug)
    page = connected(enter(user, match.get_absolute_url(), viewport=WINDOWS[0]))
    windows: tuple[ViewportSize, ...] = ({"width": 360, "height": 740}, *WINDOWS[1:3])
    wrong, seen = [], 0
    for mark in titles()[slug].coach:
        shown = page.locator(f"#coach-{mark.key}[data-shown]")
        if not page.locator(".coach-ring").is_visible():
            break
        expect(shown).to_be_visible()
        seen += 1
        for window in windows:
            resize(page, window)
            assert page.evaluate(AROUND, mark.target)
            if hidden := page.evaluate(HIDDEN, mark.target):
                wrong.append((mark.key, window["width"], hidden))
        page.wait_for_timeout(HASTE)
        shown.get_by_role("button").click()
    assert wrong == []
    assert seen
