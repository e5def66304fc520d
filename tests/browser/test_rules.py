"""The rules over the board: a window with a script, a page without."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play.models import Match
from games.titles import titles
from tests.browser.axe import accessible
from tests.browser.player import connected
from tests.people import person, running_match
from tests.serving import Site

Enter = Callable[..., Page]
PHONE = {"viewport": {"width": 360, "height": 740}}


@pytest.fixture(params=list(titles()))
def match(live_site: Site, request: pytest.FixtureRequest) -> Match:
    return running_match([person("ann"), person("bob")], game=request.param)


@pytest.fixture
def ann(match: Match) -> User:
    return User.objects.get(username="ann")


@pytest.mark.parametrize("size", [PHONE, {"viewport": {"width": 1280, "height": 800}}], ids=["phone", "desk"])
def test_the_rules_open_over_the_board_and_leave_what_was_chosen(
    enter: Enter, match: Match, ann: User, size: dict[str, object]
) -> None:
    page = connected(enter(ann, match.get_absolute_url(), **size))
    choice = page.locator("#board input:enabled[type=radio], #board input:enabled[type=checkbox]").first
    choice.evaluate("(input) => input.click()")
    chosen = choice.get_attribute("id")
    page.get_by_role("link", name="Rules", exact=True).click()
    rules = page.get_by_role("dialog", name=match.rules.name)
    expect(rules.get_by_role("heading").nth(1)).to_be_visible()
    expect(rules.get_by_role("link", name="Open a table")).to_have_count(0)
    accessible(page)
    page.keyboard.press("Escape")
    expect(rules).to_be_hidden()
    expect(page.locator(f'[id="{chosen}"]')).to_be_checked()
    expect(page.locator("#open-rules")).to_be_focused()
    assert page.complaints == []  # type: ignore[attr-defined]  # set by `enter`


def test_a_window_that_could_not_be_filled_says_so_and_tries_again(enter: Enter, match: Match, ann: User) -> None:
    page = connected(enter(ann, match.get_absolute_url()))
    page.route(re.compile("/rules/"), lambda route: route.abort())
    page.locator("#open-rules").click()
    expect(page.get_by_role("dialog")).to_contain_text("The rules could not be loaded.")
    page.get_by_role("button", name="Close").click()
    page.unroute_all()
    page.locator("#open-rules").click()
    expect(page.get_by_role("dialog").get_by_role("heading").nth(1)).to_be_visible()


def test_without_a_script_the_rules_are_a_page(enter: Enter, match: Match, ann: User) -> None:
    page = enter(ann, match.get_absolute_url(), java_script_enabled=False)
    page.get_by_role("link", name="Rules", exact=True).click()
    expect(page).to_have_url(re.compile(f"/rules/{match.game}/"))
