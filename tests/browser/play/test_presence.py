"""A page reports that it is seen only if it is visible, was touched lately, and its reader has a seat."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from accounts.models import User
from games.play.models import Presence
from tests.browser.player import connected
from tests.people import Kinds, open_table, person
from tests.serving import PATIENCE, Site

Enter = Callable[..., Page]

SENT = """
const send = WebSocket.prototype.send;
window.sent = [];
WebSocket.prototype.send = function (data) { window.sent.push(data); return send.call(this, data); };
const every = window.setInterval;
window.setInterval = (work, pause) => every(work, pause === 12000 ? 100 : pause);
"""
"""Notes what the page sends; twelve seconds pass in a tenth of one."""

HIDE = """(hidden) => {
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => hidden ? "hidden" : "visible" });
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def presences(page: Page) -> int:
    return int(page.evaluate('window.sent.filter((text) => text === \'{"kind":"presence"}\').length'))


def reaches(page: Page, count: int, seconds: float = PATIENCE / 1000) -> bool:
    """Return whether the page reports this often, within some seconds, that it is seen."""
    deadline = time.monotonic() + seconds
    while presences(page) < count and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    return presences(page) >= count


def written(seconds: float = PATIENCE / 1000) -> list[tuple[int, int]]:
    """Wait until a heartbeat stores who is present; return (user, match) of each."""
    deadline = time.monotonic() + seconds
    while not Presence.objects.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    return list(Presence.objects.values_list("user", "match"))


def watched(enter: Enter, user: User | None, address: str) -> Page:
    """Open a page and record what it sends."""
    page = enter(user, "about:blank")
    page.add_init_script(SENT)
    page.goto(address)
    return connected(page)


def test_a_visible_page_says_so_again_and_again_and_a_hidden_one_nothing_until_it_is_seen_again(
    enter: Enter, live_site: Site, kinds: Kinds
) -> None:
    page = watched(enter, kinds.seated, kinds.match.get_absolute_url())
    assert reaches(page, 3)
    assert written() == [(kinds.seated.pk, kinds.match.pk)]
    page.evaluate(HIDE, arg=True)
    before = presences(page)
    page.wait_for_timeout(600)
    assert presences(page) == before
    page.evaluate(HIDE, arg=False)
    assert reaches(page, before + 1)


TOUCHES: dict[str, Callable[[Page], None]] = {
    "pointer": lambda page: page.mouse.move(40, 40),
    "click": lambda page: page.locator("#status").click(),
    "key": lambda page: page.keyboard.press("Shift"),
    "scroll": lambda page: page.mouse.wheel(0, 40),
}


def test_a_visible_page_that_nobody_has_touched_for_two_minutes_says_nothing(
    enter: Enter, live_site: Site, kinds: Kinds
) -> None:
    page = enter(kinds.seated, "about:blank")
    page.add_init_script(SENT.split("const every", maxsplit=1)[0])
    page.clock.install()
    page.goto(kinds.match.get_absolute_url())
    connected(page).mouse.move(30, 30)
    page.mouse.move(31, 30)
    assert _reports(page)
    for name, touch in TOUCHES.items():
        page.clock.fast_forward(121_000)
        page.evaluate("window.dispatchEvent(new KeyboardEvent('keydown'))")  # a script is nobody
        assert not _reports(page), name
        touch(page)
        assert _reports(page), name


def _reports(page: Page) -> bool:
    """Let some time pass; return whether the page reports meanwhile that it is seen."""
    before = presences(page)
    for _ in range(2):
        page.clock.fast_forward(13_000)
        page.wait_for_timeout(100)
    return presences(page) > before


def test_a_page_that_is_opened_hidden_says_nothing(enter: Enter, live_site: Site, kinds: Kinds) -> None:
    page = enter(kinds.seated, "about:blank")
    page.add_init_script(f"({HIDE})(true)")
    page.add_init_script(SENT)
    page.goto(kinds.match.get_absolute_url())
    connected(page).wait_for_timeout(500)
    assert presences(page) == 0


@pytest.mark.parametrize("who", ["stranger", None])
def test_the_page_of_a_spectator_says_nothing(enter: Enter, live_site: Site, kinds: Kinds, who: str | None) -> None:
    user = who and getattr(kinds, who)
    page = watched(enter, user or None, kinds.match.get_absolute_url())
    page.wait_for_timeout(500)
    assert presences(page) == 0


def test_who_sits_down_is_present_from_then_on(enter: Enter, live_site: Site) -> None:
    ann, bob = person(), person()
    match = open_table([ann], seats=3)
    page = watched(enter, bob, match.get_absolute_url())
    page.wait_for_timeout(300)
    assert presences(page) == 0
    page.locator("#sit-down").click()
    assert reaches(page, 1)
