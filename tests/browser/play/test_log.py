"""The log of a match: beside the board if there is room, otherwise a sheet that slides up from below."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play.models import Match
from games.play.reducer import positions
from tests.browser.axe import accessible
from tests.browser.matches import begun, play_until_turn_of
from tests.browser.player import connected
from tests.people import act, person
from tests.serving import Site

Enter = Callable[..., Page]
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


@pytest.fixture
def match(live_site: Site) -> Match:
    return play_until_turn_of(begun([person("ann"), person("bob")], 6), 0)


@pytest.fixture
def bob(match: Match) -> User:
    return User.objects.get(username="bob")


def test_on_a_phone_the_log_is_a_sheet_for_everybody_that_stays_while_others_play(
    enter: Enter, match: Match, bob: User
) -> None:
    page = connected(enter(bob, match.get_absolute_url(), **PHONE))
    log = page.locator("#log")
    expect(log).to_be_hidden()
    page.locator("#more").tap()
    accessible(page)
    page.locator("#open-log").tap()
    accessible(page)
    page.keyboard.press("Escape")
    expect(log).to_be_hidden()
    expect(page.locator("#more")).to_be_focused()
    page.keyboard.press("l")
    expect(page.locator("#log-lines a").first).to_be_focused()
    act(match, "end")
    expect(page.locator("#log-lines")).to_contain_text("ann ends the turn.")
    expect(log).to_be_visible()
    page.mouse.click(180, 60)
    expect(log).to_be_hidden()


def test_where_there_is_room_the_log_stands_beside_the_board(enter: Enter, match: Match, bob: User) -> None:
    page = connected(enter(bob, match.get_absolute_url(), viewport={"width": 1280, "height": 800}))
    expect(page.locator("#log")).to_be_visible()
    expect(page.locator("#open-log")).to_be_hidden()
    page.keyboard.press("l")
    expect(page.locator("#log-lines a").first).to_be_focused()


def test_of_a_sentence_about_oneself_only_the_version_with_you_is_shown_and_said(
    enter: Enter, match: Match, bob: User
) -> None:
    readers, wide = (User.objects.get(username="ann"), bob), {"width": 1280, "height": 800}
    own, theirs = (connected(enter(user, match.get_absolute_url(), viewport=wide)) for user in readers)
    act(match, "end")
    for page, shown in ((own, "You end your turn."), (theirs, "ann ends the turn.")):
        expect(page.locator("#log-lines > li").first).to_have_text(shown, use_inner_text=True)
        expect(page.locator("#live")).to_contain_text(shown)
        expect(page.locator("#live")).not_to_contain_text("ann ends" if page is own else "You end")


def test_what_small_pictures_show_is_only_read_out(enter: Enter, match: Match, bob: User) -> None:
    readers, wide = (User.objects.get(username="ann"), bob), {"width": 1280, "height": 800}
    own, theirs = (connected(enter(user, match.get_absolute_url(), viewport=wide)) for user in readers)
    shift = next(text for text in positions.legal_texts(match, 0) if text.startswith("shift"))
    act(match, shift)
    for page, read in ((own, "You swap"), (theirs, "ann swaps")):
        line = page.locator("#log-lines > li").first
        expect(line.get_by_text("Swapped")).to_be_visible()
        expect(line.get_by_role("link", name=read)).to_have_count(1)
        expect(line.get_by_role("link", name="Swapped")).to_have_count(0)
        expect(page.locator("#live")).to_contain_text(read)
        expect(page.locator("#live")).not_to_contain_text("Swapped")
