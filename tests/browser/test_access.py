"""Everyone can use the site: axe finds nothing in a match in any state, and keys or plain HTML are enough.

What is found in pages as they are sent is in `test_every_page`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from accounts.models import User
from games.play import commands
from games.play.models import Action, Match
from tests.browser.axe import violations_at_both_widths
from tests.browser.matches import begun, play_until_turn_of
from tests.browser.player import Player, connected, log_in as keep_session
from tests.browser.windows import resize
from tests.people import PASSWORD, act, person
from tests.serving import Site

NARROW: ViewportSize = {"width": 320, "height": 640}
Enter = Callable[..., Page]


def findings(page: Page, state: str) -> list[str]:
    """Return axe's findings at two widths, and anything wider than 320 pixels."""
    found = violations_at_both_widths(page)
    resize(page, NARROW)
    if (wide := page.evaluate("document.documentElement.scrollWidth")) > NARROW["width"]:
        found.append(f"{state} is {wide} pixels wide")
    return found


def still(enter: Enter, user: User | None, address: str = "/", **options: Any) -> Page:
    """Open a page without transitions, so that nothing is measured half-way."""
    return enter(user, address, reduced_motion="reduce", **options)


def log_in(page: Page, user: User) -> None:
    """Log in by the form, which makes an entry in the list of sessions."""
    page.goto("/account/login/")
    page.get_by_label("Name or email address").fill(user.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page).not_to_have_url(re.compile("/account/login/"))


def test_the_second_factor_is_accessible(enter: Enter) -> None:
    ann = person("ann")
    page = still(enter, ann, "/account/2fa/totp/activate/")
    if "reauthenticate" in page.url:
        assert findings(page, "reauthenticate") == []
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Continue").click()
    assert findings(page, "activate") == []
    Authenticator.objects.create(user=ann, type=Authenticator.Type.TOTP, data={"secret": "x"})
    page.context.clear_cookies()
    log_in(page, ann)
    expect(page.get_by_role("heading", name="Two-step login")).to_be_visible()
    assert findings(page, "second step") == []


def test_a_match_is_accessible_in_every_state(enter: Enter) -> None:
    """How one ends is in `play/test_endings`."""
    ann, bob = person("ann"), person("bob")
    match = play_until_turn_of(begun([ann, bob], 15), 0)
    page, found = still(enter, ann, match.get_absolute_url()), []
    page.locator("#hand input").first.check()
    page.locator("#cell-b2").check()
    page.locator("#players").hover()
    found += findings(page, "choosing")
    page.keyboard.press("?")
    found += findings(page, "shortcuts")
    page.keyboard.press("Escape")
    commands.offer_abort(match.pk, 1)
    expect(page.locator("#offer")).to_be_visible()
    found += findings(page, "an offer")
    act(match, "end", 0)
    expect(page.locator("[data-mode=wait]")).to_be_visible()
    found += findings(page, "the other's turn")
    page.goto(f"{match.get_absolute_url()}resign/")
    found += findings(page, "leaving")
    assert found == []


# --- keys alone -----------------------------------------------------------------------------------------------------


def tab_to(page: Page, selector: str, most: int = 60) -> None:
    """Press Tab until the focus is there."""
    for _ in range(most):
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


def has_focus(page: Page) -> bool:
    return bool(page.evaluate("document.activeElement !== document.body && document.activeElement.isConnected"))


def test_keys_alone_suffice_and_the_focus_is_never_lost(enter: Enter) -> None:
    ann, bob = person("ann"), person("bob")
    match = play_until_turn_of(begun([ann, bob], 4), 0)
    page = enter(None, "/account/login/")
    tab_to(page, "[name=login]")
    page.keyboard.type("ann")
    tab_to(page, "[name=password]")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator(".menu-name")).to_have_text("ann")
    tab_to(page, "#waiting")
    page.keyboard.press("Enter")
    expect(page.locator("[data-mode=play]")).to_be_visible()
    connected(page)
    _flip_by_keys(page, match)
    _go_on_by_keys(page, match)
    _read_that_an_offer_was_declined(page, match)


def _flip_by_keys(page: Page, match: Match) -> None:
    """Choose a card, move to a stone with the arrows, flip it: the focus stays on the button."""
    before = match.length
    tab_to(page, "#hand input")
    page.keyboard.press("Space")
    tab_to(page, "#stones input")
    for key in ("ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator("#cell-b2")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#cell-b2")).to_be_checked()
    tab_to(page, "#verb-flip")
    page.keyboard.press("Enter")
    expect(page.locator("#match")).to_have_attribute("data-length", str(before + 1))
    expect(page.locator("#verb-flip")).to_be_focused()
    assert Action.objects.filter(match=match).order_by("-number")[0].text.endswith(" b2")


def _go_on_by_keys(page: Page, match: Match) -> None:
    """End the turn: the focus goes somewhere sensible, stays through pushes, and is there when the turn comes."""
    tab_to(page, "#verb-end")
    page.keyboard.press("Enter")
    expect(page.locator("[data-mode=wait]")).to_be_visible()
    assert has_focus(page)
    act(match, "end", 1)
    expect(page.locator("[data-mode=play]")).to_be_visible()
    assert has_focus(page)
    tab_to(page, "#hand input")
    commands.offer_abort(match.pk, 1)
    expect(page.locator("#offer")).to_be_visible()
    assert page.evaluate("document.activeElement.matches('#hand input')")


def _read_that_an_offer_was_declined(page: Page, match: Match) -> None:
    commands.offer_abort(match.pk, 1, offered=False)
    commands.offer_abort(match.pk, 0)
    expect(page.locator("#offer")).to_contain_text("You have offered to abort")
    commands.decline_abort(match.pk, 1)
    expect(page.locator("#declined")).to_contain_text("bob declined to abort the match.")
    tab_to(page, "#declined button")
    page.keyboard.press("Enter")
    expect(page.locator("#declined")).to_have_count(0)


# --- without a script -----------------------------------------------------------------------------------------------


def test_without_a_script_one_opens_a_table_joins_plays_undoes_and_resigns(
    visitor: Callable[..., BrowserContext], live_site: Site
) -> None:
    person("ann")
    ann, bob = (Player(visitor(java_script_enabled=False), name) for name in ("ann", "bob"))
    ann.log_in()
    keep_session(bob.page.context, person("bob"), live_site.url)
    ann.page.goto("/lobby/")
    ann.page.get_by_role("link", name="New table").click()
    ann.page.get_by_role("link", name="Shifting Stones").first.click()
    ann.page.locator("#more > summary").click()
    ann.page.get_by_label("Order of play").select_option("In the order players join")
    ann.page.get_by_role("button", name="Open the table").first.click()
    bob.page.goto("/lobby/")
    bob.page.get_by_role("button", name="Sit down").click()
    expect(ann.page.locator("#match[data-status=running]")).to_be_visible()  # the page where one waits refreshes itself
    actions = _flip(ann, "a1", "c3")
    ann.page.get_by_role("button", name="Undo").click()
    ann.shows(actions - 1)
    ann.play("end")
    bob.page.reload()
    _flip(bob, "a1")
    bob.page.get_by_role("link", name="Resign").click()
    bob.page.get_by_role("button", name="Resign").click()
    expect(bob.page.locator("#status")).to_contain_text("ann wins")
    ann.page.reload()
    expect(ann.page.locator("#match[data-status=over]")).to_be_visible()


def _flip(player: Player, *cells: str) -> int:
    """Flip stones; return how many actions there have been."""
    for cell in cells:
        card = player.sees()["hand"][0]
        player.play(f"flip {card} {cell}")
    return player.length


@pytest.mark.parametrize("verb", ["flip", "shift", "score"])
def test_without_a_script_an_incomplete_choice_is_explained_and_nothing_is_lost(enter: Enter, verb: str) -> None:
    ann, bob = person(), person()
    match = begun([ann, bob])
    page = enter(ann, match.get_absolute_url(), java_script_enabled=False)
    page.locator(f"#verb-{verb}").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose")
    expect(page.locator("[data-mode=play]")).to_be_visible()
    assert match.actions.count() == 0
