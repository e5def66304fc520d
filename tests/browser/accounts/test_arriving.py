"""Somebody with the link to a table registers, and is at the table, in a match, after a handful of presses."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.player import link_sent_to
from tests.people import PASSWORD, open_table, person

Enter = Callable[..., Page]

MOST = 8
"""Presses from the link to the match; to fill in a field is none."""


class Newcomer:
    """Somebody who was never here, and counts what they press."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.presses = 1  # on the link that led here

    def press(self, role: str, name: str) -> None:
        self.page.locator("main").get_by_role(role, name=name, exact=True).click()  # type: ignore[arg-type]  # its roles
        self.presses += 1

    def open_mail(self, address: str) -> None:
        self.page.goto(urlsplit(link_sent_to(address)).path)
        self.presses += 1


def test_an_invited_newcomer_registers_and_sits_down(enter: Enter) -> None:
    match = open_table([person("ann")], seats=2, visibility="link")
    page = enter(None, match.get_absolute_url(), viewport={"width": 360, "height": 740})
    berta = Newcomer(page)

    berta.press("link", "Log in to sit down")
    berta.press("link", "Register")
    page.get_by_label("Name", exact=True).fill("Berta")
    page.get_by_label("Email address").fill("brta@example.org")
    password = page.get_by_label("Password", exact=True)
    password.fill(PASSWORD)
    page.get_by_label("Show the password").check()
    expect(password).to_have_attribute("type", "text")
    berta.press("button", "Register")

    expect(page.get_by_text("a link to brta@example.org")).to_be_visible()
    page.get_by_text("Wrong address, or no email?").click()
    page.get_by_label("Email address").fill("berta@example.org")
    page.get_by_role("button", name="Send a new link").click()
    expect(page.locator("main").get_by_text("a link to berta@example.org")).to_be_visible()

    berta.open_mail("berta@example.org")
    berta.press("button", "Confirm")
    expect(page).to_have_url(re.compile(f"{match.get_absolute_url()}$"))
    berta.press("button", "Sit down")
    expect(page.locator("#match[data-status=running][data-seat]")).to_be_visible()
    assert berta.presses <= MOST, berta.presses
    assert page.complaints == []  # type: ignore[attr-defined]  # added by `enter`
