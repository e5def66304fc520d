"""A lesson by mouse, by touch and by keys, each to its end, with axe in both themes."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.axe import violations
from tests.browser.player import listen
from tests.serving import Site

LESSON = "/learn/shifting-stones/first-turn/"
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}


@pytest.fixture
def opened(live_site: Site, visitor: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """Open a page as a visitor; `page.complaints` collects its errors."""

    def open_page(address: str, **options: object) -> Page:
        page = visitor(**options).new_page()
        page.complaints = listen(page)  # type: ignore[attr-defined]  # read at the end of a test
        page.goto(address)
        return page

    return open_page


def at_step(page: Page, number: int) -> None:
    expect(page.locator("#lesson")).to_have_attribute("data-step", str(number))


def ends_well(page: Page) -> None:
    """Have the rest of the lesson shown after step 3, and look at its end."""
    expect(page.locator("#live")).to_contain_text("Right.")
    to_the_end(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
    assert violations(page) == []
    assert page.complaints == []  # type: ignore[attr-defined]  # as above


def to_the_end(page: Page) -> None:
    number, count = 3, int(page.locator("#words progress").get_attribute("max") or 0)
    while number < count:
        page.locator("#next").click()
        number += 1
        at_step(page, number)
        if page.locator("#show").count():
            page.locator("#show").click()
            expect(page.locator("#praise")).to_be_visible()
    expect(page.locator("#end")).to_be_visible()


def test_a_lesson_by_mouse_with_a_wrong_try(opened: Callable[..., Page]) -> None:
    page = opened(LESSON, color_scheme="dark", reduced_motion="reduce")
    page.locator("#next").click()
    at_step(page, 2)
    expect(page.locator("#live")).to_contain_text("tree above the sun")
    page.locator("#hand label").first.click()
    page.locator("label:has(#cell-c3)").click()
    page.locator("#verb-flip").click()
    expect(page.locator("#refusal")).to_contain_text("a flip is not needed")
    assert violations(page) == []
    (refused,) = page.complaints  # type: ignore[attr-defined]  # as above
    assert "422" in refused
    page.complaints.clear()  # type: ignore[attr-defined]  # as above
    page.goto(f"{LESSON}?step=2")
    page.locator("#hand label").first.click()
    page.locator("#verb-score").click()
    expect(page.locator("#praise")).to_contain_text("Scoring costs nothing")
    expect(page).to_have_url(re.compile("line=score"))
    page.locator("#next").click()
    at_step(page, 3)
    page.locator("#verb-end").click()
    ends_well(page)


def test_a_lesson_by_touch(opened: Callable[..., Page]) -> None:
    page = opened(LESSON, **PHONE)
    page.locator("#next").tap()
    at_step(page, 2)
    page.locator("#lesson-hint summary").tap()
    expect(page.locator("#lesson-hint p")).to_be_visible()
    page.locator("#show").tap()
    expect(page.locator("#praise")).to_contain_text("This is how it goes.")
    page.locator("#next").tap()
    at_step(page, 3)
    page.locator("#verb-end").tap()
    ends_well(page)


def test_a_lesson_by_keys(opened: Callable[..., Page]) -> None:
    page = opened(LESSON, reduced_motion="reduce")
    page.locator("#next").focus()
    page.keyboard.press("Enter")
    at_step(page, 2)
    expect(page.locator("#status")).to_be_focused()
    page.keyboard.press("1")
    page.keyboard.press("s")
    expect(page.locator("#praise")).to_be_visible()
    expect(page.locator("#next")).to_be_focused()
    page.keyboard.press("Enter")
    at_step(page, 3)
    expect(page.locator("#status")).to_be_focused()
    page.keyboard.press("e")
    ends_well(page)


def test_a_lesson_without_a_script_is_made_of_forms(opened: Callable[..., Page]) -> None:
    page = opened(LESSON, java_script_enabled=False)
    page.locator("#next").click()
    at_step(page, 2)
    page.locator("#card-17").check(force=True)
    page.locator("#verb-score").click()
    expect(page.locator("#praise")).to_contain_text("Right.")
    page.locator("#next").click()
    at_step(page, 3)
    page.locator("#verb-end").click()
    expect(page.locator("#praise")).to_contain_text("Right.")
    to_the_end(page)
