"""The rules over the board: a window with a script, a page without."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play.models import Match
from games.play.reducer import positions
from games.titles import titles
from tests.browser.axe import accessible, violations_in
from tests.browser.player import connected
from tests.browser.windows import resize
from tests.people import act, person, running_match
from tests.serving import Site
from tests.traits import has_summary

Enter = Callable[..., Page]
PHONE = {"viewport": {"width": 360, "height": 740}}


SUMMARISED = [slug for slug in titles() if has_summary(slug)]


@pytest.fixture(params=SUMMARISED)
def match(live_site: Site, request: pytest.FixtureRequest) -> Match:
    return running_match([person("ann"), person("bob")], game=request.param)


@pytest.fixture
def board(live_site: Site) -> Match:
    """A match of any game, where the window is the same for all."""
    return running_match([person("ann"), person("bob")])


@pytest.fixture
def ann(match: Match) -> User:
    return User.objects.get(username="ann")


def test_the_rules_open_over_the_board_and_leave_what_was_chosen(enter: Enter, match: Match, ann: User) -> None:
    page = enter(ann, "about:blank")
    for width, height in ((360, 740), (1280, 800)):
        resize(page, {"width": width, "height": height})
        page.goto(match.get_absolute_url())
        _opens_the_rules_over_a_choice(connected(page), match)
    assert page.complaints == []  # type: ignore[attr-defined]  # set by `enter`


def _opens_the_rules_over_a_choice(page: Page, match: Match) -> None:
    choice = page.locator("#board input:enabled[type=radio], #board input:enabled[type=checkbox]").first
    choice.evaluate("(input) => input.click()")
    chosen = choice.get_attribute("id")
    page.get_by_role("link", name="Rules", exact=True).click()
    rules = page.get_by_role("dialog", name=match.rules.name)
    expect(rules.get_by_role("heading").nth(1)).to_be_visible()
    expect(rules.get_by_role("link", name="Open a table")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(rules).to_be_hidden()
    expect(page.locator(f'[id="{chosen}"]')).to_be_checked()
    expect(page.locator("#open-rules")).to_be_focused()


def test_without_a_script_the_rules_are_a_page_at_the_section_about_now(enter: Enter, match: Match, ann: User) -> None:
    page = enter(ann, match.get_absolute_url(), java_script_enabled=False)
    page.get_by_role("link", name="Rules", exact=True).click()
    expect(page).to_have_url(re.compile(rf"/rules/{match.game}/#about-\w+$"))
    expect(page.locator(":target")).to_be_in_viewport()


def test_the_rules_open_at_the_section_about_now_and_stay_where_they_were_read(enter: Enter, board: Match) -> None:
    page = connected(enter(User.objects.get(username="ann"), board.get_absolute_url(), **PHONE))
    about = page.locator(f"#about-{page.locator('#match').get_attribute('data-rules')}")
    page.locator("#open-rules").click()
    expect(about).to_be_in_viewport()
    expect(about).to_be_focused()
    page.get_by_role("dialog").get_by_role("link", name="Glossary").click()
    glossary = page.locator("#about-glossary")
    expect(glossary).to_be_in_viewport()
    expect(about).not_to_be_in_viewport()
    page.keyboard.press("Escape")
    page.locator("#open-rules").click()
    expect(glossary).to_be_in_viewport()
    assert "#" not in page.url
    assert violations_in(page, "light") == []  # colours are those of the page of rules, which is looked at below


def test_another_phase_opens_another_section(enter: Enter, live_site: Site) -> None:
    ann, bob = person("ann"), person("bob")
    match = running_match([ann, bob], game="card-chess")
    page = connected(enter(ann, match.get_absolute_url()))
    page.locator("#open-rules").click()
    expect(page.locator("#about-turn")).to_be_in_viewport()
    page.keyboard.press("Escape")
    act(match, positions.legal_texts(match, 0)[0], 0)
    expect(page.locator("#match")).to_have_attribute("data-rules", "capturing")
    page.locator("#open-rules").click()
    expect(page.locator("#about-capturing")).to_be_in_viewport()


def test_a_window_that_could_not_be_filled_says_so_and_brings_rules_and_styles_when_one_tries_again(
    enter: Enter, board: Match
) -> None:
    page = connected(enter(User.objects.get(username="ann"), board.get_absolute_url()))
    styles = page.locator('link[href*="rules"]')
    page.route(re.compile("/rules/"), lambda route: route.abort())
    page.locator("#open-rules").click()
    expect(page.get_by_role("dialog")).to_contain_text("The rules could not be loaded.")
    page.get_by_role("button", name="Close").click()
    expect(styles).to_have_count(0)
    page.unroute_all()
    page.locator("#open-rules").click()
    expect(page.get_by_role("dialog").get_by_role("heading").nth(1)).to_be_visible()
    expect(page.locator(".rules-short li").first).to_be_visible()
    assert styles.count() > 0
    expect(page.locator(".rules .example").first).to_have_css("display", "grid")


# --- the page -------------------------------------------------------------------------------------------------------


CUT = """(tables) => tables.filter((table) => {
  table.scrollIntoView(); // what is far away is not laid out
  return table.offsetWidth > table.parentElement.clientWidth;
}).map(({ rows }) => rows[0].textContent)"""
"""The tables that are wider than their section, which shows nothing outside itself."""


@pytest.mark.parametrize("language", ["en", "de"])
def test_summaries_fit_on_one_screen_of_a_phone(enter: Enter, language: str) -> None:
    page = enter(None, "about:blank", locale=language)
    for game in SUMMARISED:
        page.set_viewport_size({"width": 360, "height": 640})
        page.goto(f"/rules/{game}/")
        box = page.locator(".rules-short").bounding_box()
        assert box is not None
        assert box["height"] <= 640, game
        assert page.evaluate("document.documentElement.scrollWidth") == 360, game
        resize(page, {"width": 320, "height": 568})
        assert page.locator(".rules :not(.scrolls) > table").evaluate_all(CUT) == [], game


@pytest.mark.parametrize("game", list(titles()))
def test_the_page_is_accessible_leads_to_every_section_and_prints_only_the_rules(enter: Enter, game: str) -> None:
    page = enter(None, f"/rules/{game}/")
    accessible(page)
    links = page.get_by_role("navigation", name="Contents").get_by_role("link")
    for link in links.all():
        link.click()
        expect(page.locator(":target")).to_be_in_viewport()
        expect(page.locator(":target")).to_have_text(link.text_content() or "")
    assert links.count() == len(titles()[game].board.RULES)
    assert page.complaints == []  # type: ignore[attr-defined]  # set by `enter`
    if game in SUMMARISED:
        page.emulate_media(media="print", color_scheme="dark")
        _shows_only_the_rules(page)


def _shows_only_the_rules(page: Page) -> None:
    expect(page.locator(".site-header")).to_be_hidden()
    expect(page.locator(".site-footer")).to_be_hidden()
    expect(page.locator(".game-art")).to_be_hidden()
    expect(page.get_by_role("link", name="Open a table")).to_be_hidden()
    expect(page.locator(".rules-short")).to_be_visible()
    expect(page.locator("html")).to_have_css("color-scheme", "light")
