"""The tabs of a profile: by mouse, by keys, and as plain links where there is no script."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.play.models import Speed
from tests.browser.axe import violations
from tests.people import person
from tests.site.ratings.finishing import finished

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Enter = Callable[..., Page]
LIVE, DAYS = "Rating in Shifting Stones, Live", "Rating in Shifting Stones, Over days"


@pytest.fixture
def profile(transactional_db: None) -> str:
    """Return the address of somebody with ratings in two pools, and more matches in the live one."""
    people = [person("Ann"), person("bob")]
    for speed in (Speed.LIVE, Speed.LIVE, Speed.DAYS):
        finished(people, speed=speed)
    return "/@Ann/"


def chart(page: Page, name: str) -> None:
    expect(page.get_by_role("img", name=name)).to_be_visible()
    expect(page.locator(".rating-chart")).to_have_count(1)


def test_a_click_shows_another_chart_and_keeps_the_page(enter: Enter, profile: str) -> None:
    page = enter(None, profile)
    page.evaluate("window.stays = true")
    chart(page, LIVE)
    page.get_by_role("tab", name="Over days").click()
    chart(page, DAYS)
    expect(page.get_by_role("tab", name="Over days")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tab", name="Live")).to_have_attribute("aria-selected", "false")
    expect(page.get_by_role("tabpanel", name="Over days")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?pool=shifting-stones\.days$"))
    assert page.evaluate("window.stays") is True
    page.reload()
    chart(page, DAYS)
    assert page.complaints == []  # type: ignore[attr-defined]  # set by `enter`


def test_arrows_move_between_tabs_and_a_key_chooses(enter: Enter, profile: str) -> None:
    page = enter(None, profile)
    for key in ("Enter", " "):
        page.goto(profile)
        _choose_by(page, key)


def _choose_by(page: Page, key: str) -> None:
    live, days = page.get_by_role("tab", name="Live"), page.get_by_role("tab", name="Over days")
    live.focus()
    page.keyboard.press("ArrowRight")
    expect(days).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(live).to_be_focused()
    page.keyboard.press("End")
    expect(days).to_be_focused()
    chart(page, LIVE)
    page.keyboard.press(key)
    chart(page, DAYS)
    expect(days).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("tabpanel")).to_be_focused()


def test_tabs_are_links_without_a_script(enter: Enter, profile: str) -> None:
    page = enter(None, profile, java_script_enabled=False)
    chart(page, LIVE)
    page.get_by_role("link", name="Over days").first.click()
    chart(page, DAYS)
    expect(page.locator(".tabs [aria-current=page]")).to_contain_text("Over days")


def test_the_question_mark_is_explained_by_tap_and_by_key(enter: Enter, profile: str) -> None:
    page = enter(None, profile)
    words = page.get_by_text("For the first ten rated matches")
    expect(words).to_be_hidden()
    why = page.get_by_role("button", name="Why a question mark?")
    why.click()
    expect(words).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(words).to_be_hidden()
    why.focus()
    page.keyboard.press("Enter")
    expect(words).to_be_visible()
