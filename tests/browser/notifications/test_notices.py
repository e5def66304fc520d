"""How a page shows what happens elsewhere: bell, title, icon, badge and toasts, for eyes, ears and keys."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from playwright.sync_api import Page, expect

from accounts.models import User
from config import staticfiles
from games.notifications.models import Kind, Notice
from games.notifications.services import notices_changed
from games.play.models import Match, Presence
from tests.browser.axe import violations, violations_at_both_widths
from tests.browser.matches import begun, play_until_turn_of
from tests.browser.player import connected
from tests.browser.windows import resize
from tests.clocked import LIVE
from tests.people import act, person
from tests.serving import Site
from tests.site.notifications.noticed import notice
from tests.waiting import wait_until

Enter = Callable[..., Page]

QUIET = "/rules/shifting-stones/"
"""A page without a socket of its own."""

BADGES = """
window.badges = [];
navigator.setAppBadge = async (count) => { window.badges.push(count); };
navigator.clearAppBadge = async () => { window.badges.push(0); };
"""

QUICK = """
const later = window.setTimeout;
window.setTimeout = (work, pause, ...rest) => later(work, pause === 8000 ? 2500 : pause, ...rest);
"""
"""The eight seconds of a toast pass in less than three."""

HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => hidden ? "hidden" : "visible" });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def match(live_site: Site) -> Match:
    """A match without any notices yet, "bob" to move."""
    match = play_until_turn_of(begun([person("ann"), person("bob")], 6), 1)
    Notice.objects.all().delete()
    return match


@pytest.fixture
def ann(match: Match) -> User:
    return User.objects.get(username="ann")


def tell(user: User, match: Match, kind: Kind = Kind.TURN, **fields: Any) -> Notice:
    """Notify a user, as services do."""
    with transaction.atomic():
        made = notice(user, match, kind, **fields)
        notices_changed([user.pk])
    return made


def opened(enter: Enter, user: User, address: str = QUIET, scripts: tuple[str, ...] = (), **options: Any) -> Page:
    """Open a page; wait until its socket has sent the first numbers."""
    page = enter(user, "about:blank", **options)
    for script in scripts:
        page.add_init_script(script)
    page.goto(address)
    connected(page).wait_for_timeout(600)
    return page


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_the_bell_and_the_title_are_current_on_every_page(enter: Enter, match: Match, ann: User) -> None:
    page = enter(ann, "about:blank")
    for address in (QUIET, "/lobby/", "/matches/", "/settings/", "/@bob/", "/notices/"):
        page.goto(address)
        connected(page).wait_for_timeout(600)
        expect(page.locator("#bell-count")).to_be_hidden()
        act(match, "end", 1)
        tell(ann, match, turn=99)
        _says_that_something_waits(page)
        act(match, "end", 0)
        Notice.objects.all().delete()
    assert page.complaints == []  # type: ignore[attr-defined]  # collected by the fixture


def test_the_header_of_a_match_counts_the_others_that_wait(enter: Enter, match: Match, ann: User) -> None:
    other = play_until_turn_of(begun([ann, User.objects.get(username="bob")], 7), 1)
    page = opened(enter, ann, match.get_absolute_url())
    waiting = page.locator("#waiting")
    act(match, "end", 1)
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(page.locator("#match-status.my-turn")).to_be_visible()
    expect(waiting).to_be_hidden()
    act(other, "end", 1)
    expect(page).to_have_title(re.compile(r"^\(2\) "))
    expect(waiting).to_have_accessible_name(re.compile(r"^Next match\s*1$"))
    act(match, "end", 0)
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(waiting).to_have_accessible_name(re.compile(r"^Next match\s*1$"))
    waiting.click()
    expect(page).to_have_url(re.compile(other.slug))
    expect(waiting).to_be_hidden()


def _says_that_something_waits(page: Page) -> None:
    bell = page.get_by_role("banner").get_by_role("link", name=re.compile("^Notices"))
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(bell).to_have_accessible_name(re.compile(r"^Notices\s*, unread: \d+$"))
    expect(page.locator("#bell-count")).to_be_visible()
    expect(page.locator("#waiting")).to_be_visible()


@pytest.mark.parametrize("address", [QUIET, "match"])
def test_a_tab_behind_another_one_is_current(enter: Enter, match: Match, ann: User, address: str) -> None:
    page = opened(enter, ann, match.get_absolute_url() if address == "match" else address)
    front = page.context.new_page()
    front.goto("/archive/")
    front.bring_to_front()
    page.evaluate(HIDE, True)
    expect(page).not_to_have_title(re.compile(r"^\("))
    act(match, "end", 1)
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(front).to_have_title(re.compile(r"^\(1\) "))
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("favicon-dot"))
    act(match, "end", 0)
    expect(page).not_to_have_title(re.compile(r"^\("))
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", re.compile(r"favicon(\.[0-9a-f]+)?\.svg"))


def test_the_installed_app_has_the_number_at_its_icon(enter: Enter, match: Match, ann: User) -> None:
    page = opened(enter, ann, scripts=(BADGES,))
    act(match, "end", 1)
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    act(match, "end", 0)
    expect(page).not_to_have_title(re.compile(r"^\("))
    assert page.evaluate("window.badges") == [0, 1, 0]


def test_the_bell_of_who_plays_stays_quiet(enter: Enter, match: Match, ann: User) -> None:
    page = opened(enter, ann, match.get_absolute_url())
    wait_until(lambda: Presence.objects.filter(user=ann).exists())
    tell(ann, match)
    page.wait_for_timeout(1_000)
    expect(page.locator("#bell-count")).to_be_hidden()
    wait_until(lambda: not Notice.objects.filter(user=ann, match=match, seen_at=None).exists())


def test_a_quiet_page_says_nothing_about_its_connection_and_is_never_loaded_again(
    enter: Enter, match: Match, ann: User
) -> None:
    page = opened(enter, ann, "/settings/profile/")
    page.locator("#main input[type=text]").first.fill("half a name")
    page.evaluate("window.stays = true")
    ann.set_password("another long wooden table")
    ann.save()
    page.wait_for_timeout(6_000)
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_timeout(500)
    expect(page.locator("#connection")).to_be_hidden()
    assert page.evaluate("window.stays") is True
    expect(page.locator("#main input[type=text]").first).to_have_value("half a name")


# --- toasts -----------------------------------------------------------------------------------------------------------


def test_a_toast_says_what_is_new_in_plain_text_and_leads_there(enter: Enter, match: Match, ann: User) -> None:
    evil = "<img src=x hx-get=x>"
    User.objects.filter(username="bob").update(username=evil, name_key=evil)
    page = opened(enter, ann)
    assert page.locator("#toasts").get_attribute("role") == "status"
    tell(ann, match)
    toast = page.locator(".toast")
    expect(toast).to_be_visible()
    expect(toast).to_contain_text("Shifting Stones")
    expect(toast).to_contain_text(evil)
    assert toast.locator("img").count() == 0
    assert page.evaluate("document.activeElement === document.body")
    toast.get_by_role("link").click()
    expect(page).to_have_url(re.compile(match.get_absolute_url()))


def test_it_closes_by_itself_but_not_under_the_pointer_or_with_the_focus(enter: Enter, match: Match, ann: User) -> None:
    page = opened(enter, ann, scripts=(QUICK,))
    tell(ann, match)
    toast = page.locator(".toast")
    toast.hover()
    page.wait_for_timeout(3_000)
    expect(toast).to_be_visible()
    toast.get_by_role("button", name="Close").focus()
    page.mouse.move(5, 500)
    page.wait_for_timeout(3_000)
    expect(toast).to_be_visible()
    page.locator("#bell").focus()
    expect(toast).to_have_count(0)


def test_keys_reach_it_and_close_it_and_the_focus_is_not_lost(enter: Enter, match: Match, ann: User) -> None:
    page = opened(enter, ann)
    for key in ("Escape", "Enter"):
        tell(ann, match, turn=50 + len(key))
        expect(page.locator(".toast")).to_have_count(1)
        for _ in range(40):
            if page.evaluate("document.activeElement.matches('.toast-close')"):
                break
            page.keyboard.press("Tab")
        page.keyboard.press(key)
        expect(page.locator(".toast")).to_have_count(0)
        expect(page.locator("#bell")).to_be_focused()


def test_three_are_the_most_and_of_one_match_the_newest(enter: Enter, match: Match, ann: User) -> None:
    page = opened(enter, ann)
    others = [begun([ann, person()]) for _ in range(4)]
    Notice.objects.all().delete()
    for other in [*others, others[-1]]:
        tell(ann, other, turn=int(time.monotonic() * 1000) % 10**6)
        page.wait_for_timeout(500)
    links = page.locator(".toast a")
    expect(links).to_have_count(3)
    assert [link.get_attribute("href") for link in links.all()] == [it.get_absolute_url() for it in others[1:]]


def test_the_page_of_the_match_shows_no_toast_about_it(enter: Enter, match: Match, ann: User) -> None:
    page = opened(enter, ann, match.get_absolute_url())
    other = begun([ann, person()])
    Notice.objects.all().delete()
    tell(ann, match)
    tell(ann, other)
    expect(page.locator(".toast a")).to_have_attribute("href", other.get_absolute_url())
    expect(page.locator(".toast")).to_have_count(1)


def test_a_hidden_tab_shows_none(enter: Enter, match: Match, ann: User) -> None:
    page = opened(enter, ann)
    page.evaluate(HIDE, True)
    tell(ann, match)
    expect(page.locator(".bell-number")).to_have_text("1")
    page.wait_for_timeout(500)
    expect(page.locator(".toast")).to_have_count(0)


MOVED = """() => {
  window.moved = false;
  const look = () => { window.moved ||= document.getAnimations().length > 0; requestAnimationFrame(look); };
  look();
}"""


def test_it_moves_only_where_motion_is_wanted(enter: Enter, match: Match, ann: User) -> None:
    page = opened(enter, ann)
    for turn, (motion, moves) in enumerate((("no-preference", True), ("reduce", False))):
        page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]  # both are
        page.evaluate(MOVED)
        tell(ann, match, turn=50 + turn)
        expect(page.locator(".toast")).to_be_visible()
        page.wait_for_timeout(300)
        assert page.evaluate("window.moved") is moves
        page.reload()
        connected(page).wait_for_timeout(600)


# --- for everybody ----------------------------------------------------------------------------------------------------


def test_bell_toasts_and_centre_are_accessible_and_fit(enter: Enter, match: Match, ann: User) -> None:
    page = opened(enter, ann, "/notices/", reduced_motion="reduce")
    assert violations(page) == []
    act(match, "end", 1)
    notice(ann, match, Kind.STARTED, ago=90_000)
    tell(ann, match, Kind.TURN, turn=99)
    expect(page.locator(".toast").first).to_be_visible()
    page.locator(".toast").first.hover()
    found = []
    for address in ("", "/notices/"):
        if address:
            page.goto(address)
        found += violations_at_both_widths(page)
        resize(page, {"width": 320, "height": 640})
        found += ["too wide"] if page.evaluate("document.documentElement.scrollWidth") > 320 else []
    assert found == []


def test_the_bell_is_reached_by_keys_and_leads_to_the_page(enter: Enter, match: Match, ann: User) -> None:
    tell(ann, match)
    page = opened(enter, ann)
    for _ in range(20):
        if page.evaluate("document.activeElement.id === 'bell'"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Notices", level=1)).to_be_visible()
    page.get_by_role("button", name="Mark all as read").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#told .unread")).to_have_count(0)
    expect(page.locator("#bell-count")).to_be_hidden()


def test_without_a_script_the_page_and_its_button_work(enter: Enter, match: Match, ann: User) -> None:
    tell(ann, match)
    page = enter(ann, QUIET, java_script_enabled=False)
    page.locator("#bell").click()
    expect(page.locator("#told li")).to_have_count(1)
    page.get_by_role("button", name="Mark all as read").click()
    expect(page.locator("#told .unread")).to_have_count(0)
    expect(page.locator("#bell-count")).to_be_hidden()


@pytest.mark.parametrize("address", ["match", "/lobby/", "/notices/", QUIET])
def test_no_page_asks_for_more_than_fifteen_files(enter: Enter, ann: User, address: str) -> None:
    """The parts of the styles are one file when they are collected, as they are wherever the site is served."""
    timed = begun([ann, person()], clock=LIVE)
    page = enter(ann, "about:blank")
    asked: list[str] = []
    page.on("response", lambda response: asked.append(response.url))
    parts = len(staticfiles.PARTS) - 1
    page.goto(timed.get_absolute_url() if address == "match" else address)
    connected(page).wait_for_timeout(300)
    assert len(asked) - parts <= 15, "\n".join(asked)


def test_a_volume_ticks_its_boxes_and_boxes_make_a_choice_of_ones_own(enter: Enter, ann: User) -> None:
    page = opened(enter, ann, "/settings/notices/")
    page.locator("#told summary").click()
    page.get_by_label("Quiet", exact=False).first.check()
    expect(page.get_by_label("Your turn: Email")).not_to_be_checked()
    expect(page.get_by_label("Your turn: On the site")).to_be_checked()
    page.get_by_label("Your turn: Email").check()
    expect(page.get_by_label("My own choice")).to_be_checked()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.get_by_label("Your turn: Email")).to_be_checked()
    expect(page.get_by_label("You are invited: Email")).not_to_be_checked()
