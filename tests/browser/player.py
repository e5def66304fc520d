"""A player with a browser who registers, logs in and plays by clicking what the page offers, and notes every error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from tests.browser.planning import Seen, choose
from tests.browser.windows import resize
from tests.people import PASSWORD, client_of
from tests.site.notifications.letters import delivered

HASTE = 600
"""Milliseconds after which a press is no longer taken for the end of a double one."""

READ = """() => ({
    grid: [...document.querySelectorAll("#stones [data-cell]")].map((stone) => stone.className.match(/f-(\\w+)/)[1]),
    hand: [...document.querySelectorAll("#hand input")].map((card) => Number(card.value)),
    maySkip: document.querySelector("#verb-skip")?.getAttribute("aria-disabled") !== "true",
})"""
"""What the board shows, read from the page alone."""


def log_in(context: BrowserContext, user: User, url: str) -> None:
    """Give the context the session of a logged-in user."""
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": client_of(user).cookies[name].value, "url": url}])


def listen(page: Page) -> list[str]:
    """Return a list that collects every error of the page."""
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    return complaints


def connected(page: Page) -> Page:
    """Wait until the page's socket is open and has brought its first message."""
    expect(page.locator("html")).to_have_attribute("data-heard", "1")
    return page


def opened_at(page: Page, address: str, width: int, height: int) -> Page:
    """Open an address in a window of another size."""
    resize(page, {"width": width, "height": height})
    page.goto(address)
    return page


@contextmanager
def in_a_moment(page: Page) -> Iterator[None]:
    """Let no time pass in the page, however slow the machine is."""
    page.evaluate("const now = performance.now(); performance.now = () => now")
    yield
    page.evaluate("delete performance.now")


def anew(page: Page) -> Page:
    """Open the page again as if for the first time: a choice that was not sent is gone."""
    page.goto(page.url)
    return connected(page)


HEARD = """document.addEventListener("htmx:ws:before:message:incoming",
    () => setTimeout(() => { document.documentElement.dataset.heard = "1"; }));"""
"""Marks the page once its socket has brought something."""


class Player:
    """A person at a page.

    Args:
        context: the player's browser, not yet logged in.
        name: the player's name.
        look: called with the page on which an address is confirmed.
    """

    def __init__(self, context: BrowserContext, name: str, look: Callable[[Page], None] = lambda _: None) -> None:
        self.name = name
        self.look = look
        self.page = context.new_page()
        self.page.add_init_script(HEARD)
        self.complaints = listen(self.page)

    # --- accounts ---------------------------------------------------------------------------------------------------

    def register(self) -> None:
        """Fill in the form, follow the link in the email, confirm the address."""
        address = f"{self.name.lower()}@example.org"
        self.page.goto("/account/signup/")
        for label, text in (("Name", self.name), ("Email address", address), ("Password", PASSWORD)):
            self.page.get_by_label(label, exact=True).fill(text)
        self.page.locator("main").get_by_role("button", name="Register").click()
        expect(self.page.get_by_role("heading", name="Check your email")).to_be_visible()
        self.page.goto(link_sent_to(address))
        self.look(self.page)
        self.page.get_by_role("button", name="Confirm").click()
        self.is_logged_in()

    def log_in(self) -> None:
        """Log in by the form."""
        self.page.goto("/account/login/")
        self.page.get_by_label("Name or email address").fill(self.name)
        self.page.get_by_label("Password", exact=True).fill(PASSWORD)
        self.page.locator("main").get_by_role("button", name="Log in", exact=True).click()
        self.is_logged_in()

    def is_logged_in(self) -> None:
        expect(self.page.locator(".menu-name")).to_have_text(self.name)

    # --- the board --------------------------------------------------------------------------------------------------

    @property
    def length(self) -> int:
        """The number of actions in the position on the board."""
        return int(self.page.locator("#match").get_attribute("data-length") or -1)

    def sees(self) -> dict[str, Any]:
        """Return what the board shows."""
        found: dict[str, Any] = self.page.evaluate(READ)
        return found

    def is_to_move(self) -> bool:
        return self.page.locator("#stones-board[data-mode=play]").count() > 0

    def plan(self) -> str:
        """Return the action to take next, as the page shows the position."""
        seen = self.sees()
        return choose(Seen(tuple(seen["grid"]), tuple(seen["hand"]), seen["maySkip"]))

    def play(self, action: str) -> None:
        """Choose the card and the stones of an action, press its button, answer what is asked, and wait for the end."""
        verb, *words = action.split()
        before = self.length
        for word in words:
            kind = "card" if word.isdecimal() else "cell"
            self.page.locator(f"#{kind}-{word}").check()
        self.page.locator(f"#verb-{verb}").click()
        expect(self.page.locator(f'#match[data-length="{before + 1}"], #sure')).to_be_visible()
        if self.page.locator("#sure").count():
            self.page.wait_for_timeout(HASTE)
            self.page.locator("#sure").click()
        self.shows(before + 1)

    def shows(self, length: int) -> None:
        """Wait until the board shows the position after this many actions."""
        expect(self.page.locator("#match")).to_have_attribute("data-length", str(length))


def link_sent_to(address: str) -> str:
    """Return the link in the latest email to an address, by which it is confirmed."""
    sent = [message for message in delivered() if address in message.to]
    found = re.search(r"https?://\S+/register/\S+", str(sent[-1].body))
    assert found, sent[-1].body
    return found[0]
