"""What the page of a lesson says and shows: wrong tries, hints, solutions, the end."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games.engine.lessons import EXERCISE, LESSON, Course
from games.titles import titles
from tests.browser.axe import violations
from tests.browser.learn.hands import MOUSE, PHONE, STILL, do
from tests.browser.player import listen
from tests.serving import Site

ADDRESS = "/learn/shifting-stones/first-turn/"
WHOLE = "small-islands"
"""The game whose lessons axe sees to their end."""


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


def test_a_wrong_try_is_answered_and_the_right_one_praised(opened: Callable[..., Page]) -> None:
    page = opened(ADDRESS, **STILL)
    page.locator("#next").click()
    at_step(page, 2)
    expect(page.locator("#live")).to_contain_text("tree above the sun")
    page.locator("#hand label").first.click()
    page.locator("label:has(#cell-c3)").click()
    page.locator("#verb-flip").click()
    expect(page.locator("#refusal")).to_contain_text("a flip is not needed")
    (refused,) = page.complaints  # type: ignore[attr-defined]  # as above
    assert "422" in refused
    page.complaints.clear()  # type: ignore[attr-defined]  # as above
    page.goto(f"{ADDRESS}?step=2")
    page.locator("#hand label").first.click()
    page.locator("#verb-score").click()
    expect(page.locator("#praise")).to_contain_text("Scoring costs nothing")
    expect(page).to_have_url(re.compile("line=score"))
    page.locator("#next").click()
    at_step(page, 3)
    page.locator("#verb-end").click()
    expect(page.locator("#live")).to_contain_text("Right.")
    assert page.complaints == []  # type: ignore[attr-defined]  # as above


@pytest.mark.parametrize("look", [{"viewport": {"width": 1280, "height": 800}, **STILL}, PHONE])
def test_the_next_step_has_its_board_though_a_turn_was_revealed(
    opened: Callable[..., Page], look: dict[str, object]
) -> None:
    page = opened("/learn/card-chess/first-challenge/?step=9", **look)
    page.locator("#show").click()
    expect(page.locator("#last-turn .go-on")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-reading", "")
    page.locator("#next").evaluate("link => link.click()")  # on a phone the sheet lies over it
    at_step(page, 10)
    expect(page.locator("html")).not_to_have_attribute("data-reading", "")
    expect(page.locator("#last-turn .go-on")).to_be_hidden()
    expect(page.locator("#hand .face").first).to_be_visible()


def test_a_hint_and_what_is_asked_are_shown_to_a_finger(opened: Callable[..., Page]) -> None:
    page = opened(f"{ADDRESS}?step=2", **PHONE)
    page.locator("#lesson-hint summary").tap()
    expect(page.locator("#lesson-hint p")).to_be_visible()
    page.locator("#show").tap()
    expect(page.locator("#praise")).to_contain_text("This is how it goes.")
    assert page.complaints == []  # type: ignore[attr-defined]  # as above


def wrong_in(course: Course, number: int) -> str:
    """Return an action that is legal in a step, counted from 0, and not asked for."""
    legal = course.game.legal_actions(course.begins(number).state, course.seat)
    return next(course.game.notate(action) for action in legal if not course.accepts(number, action))


def first(slug: str, kind: str) -> tuple[str, Course, int]:
    """Return the name of the first lesson or exercise that asks for a certain action, itself, and the step."""
    for name, lesson in titles()[slug].lessons.items():
        course = titles()[slug].course(lesson)
        for number, step in enumerate(lesson.steps):
            if course and lesson.kind == kind and step.accept:
                return name, course, number
    raise AssertionError(f"{slug} has no such {kind}")


def to_the_end(page: Page, slug: str, name: str) -> None:
    """Open the last step of a lesson, and have it shown if it asks for anything."""
    page.goto(f"/learn/{slug}/{name}/?step={len(titles()[slug].lessons[name].steps)}")
    if page.locator("#show").count():
        page.locator("#show").click()
    expect(page.locator("#end")).to_be_visible()


@pytest.mark.parametrize("slug", [slug for slug, title in titles().items() if title.lessons])
def test_axe_finds_nothing_from_a_wrong_try_to_the_end(opened: Callable[..., Page], slug: str) -> None:
    """The page is one for all games; what lies on their boards is looked at in each."""
    name, course, number = first(slug, LESSON)
    page = opened(f"/learn/{slug}/{name}/?step={number + 1}", **STILL)
    page.locator("#lesson-hint summary").click()
    do(page, MOUSE, wrong_in(course, number))
    expect(page.locator("#refusal")).to_be_visible()
    assert violations(page) == []
    if slug != WHOLE:
        return
    exercise, _, task = first(slug, EXERCISE)
    to_the_end(page, slug, name)
    assert violations(page) == []
    page.goto(f"/learn/{slug}/{exercise}/?step={task + 1}")
    assert violations(page) == []
    page.locator("#show").click()
    expect(page.locator("#praise")).to_be_visible()
    assert violations(page) == []


def test_axe_finds_nothing_on_a_phone_in_a_step_and_at_the_end_of_an_advanced_lesson(
    opened: Callable[..., Page],
) -> None:
    name, _, number = first(WHOLE, LESSON)
    page = opened(f"/learn/{WHOLE}/{name}/?step={number + 1}", **PHONE)
    page.locator("#lesson-hint summary").tap()
    assert violations(page) == []
    advanced = (name for name, it in titles()[WHOLE].lessons.items() if it.kind == LESSON and it.grade > 1)
    to_the_end(page, WHOLE, next(advanced))
    assert violations(page) == []


def test_axe_finds_nothing_in_the_lists_of_lessons(opened: Callable[..., Page]) -> None:
    page = opened("/learn/")
    assert violations(page) == []
    page.locator("a.button", has_text="All lessons and exercises").first.click()
    expect(page.locator("#exercises-title")).to_be_visible()
    assert violations(page) == []
