"""What a real Chromium shows when a message is pushed to it. Only the push service is simulated."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Playwright

from tests.browser.contexts import Contexts
from tests.browser.notifications.pushing import push, shown, told, with_worker
from tests.people import person
from tests.serving import CHROMIUM_FLAGS, Site, chromium


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """A Chromium that shows notifications, which costs thrice as much: all that can do without is in `test_devices`."""
    with playwright.chromium.launch(executable_path=chromium(whole=True), args=CHROMIUM_FLAGS) as opened:
        yield opened


@pytest.fixture(scope="module")
def contexts(browser: Browser) -> Iterator[Contexts]:
    """Contexts of that Chromium."""
    kept = Contexts(browser)
    yield kept
    kept.close()


def test_what_is_pushed_is_shown_and_counted_and_takes_the_place_of_what_is_older(
    page_of: Callable[..., Page], live_site: Site
) -> None:
    page = page_of(person())
    worker = with_worker(page)
    worker.evaluate("""() => {
        self.badges = [];
        self.navigator.setAppBadge = async (count) => { self.badges.push(count); };
        self.navigator.clearAppBadge = async () => { self.badges.push("cleared"); };
    }""")
    push(page, told(live_site, "abc", waiting=3))
    assert shown(page, "Your turn") == [
        {
            "title": "Your turn",
            "body": "Bob has moved.",
            "tag": "match abc",
            "icon": "/static/site/icon-192.png",
            "url": f"{live_site.url}/match/abc/",
        }
    ]
    assert worker.evaluate("self.badges") == [3]
    push(page, told(live_site, "abd", waiting=0))
    shown(page, "Your turn", "Your turn")
    assert worker.evaluate("self.badges") == [3, "cleared"]
    push(page, told(live_site, "abc", title="Time is running out"))
    shown(page, "Time is running out", "Your turn")
    push(page, "no json")
    found = shown(page, "Tessera", "Time is running out", "Your turn")
    assert [it["url"] for it in found if it["title"] == "Tessera"] == ["/"], "what cannot be read still shows something"
