"""A visitor with a link plays as a guest, and registers in the middle of the match."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from playwright.sync_api import Page, expect

from accounts.models import User
from tests.browser.player import HASTE, link_sent_to
from tests.people import PASSWORD, act, open_table, person

Enter = Callable[..., Page]
MOVES = re.compile("to-move")


def test_a_guest_comes_by_a_link_and_registers_in_the_middle_of_the_match(enter: Enter) -> None:
    ann = person("ann")
    match = open_table([ann], seats=2, seat_order="joined")
    page = enter(None, match.get_absolute_url())
    page.get_by_role("button", name="Play as a guest").click()
    # A push may show the match before the answer does, but it shows a visitor's.
    expect(page.locator("#match[data-status=running][data-seat]")).to_be_visible()
    guest = User.objects.get(guest=True)

    page.goto("/account/signup/")
    page.get_by_label("Name", exact=True).fill("Berta")
    page.get_by_label("Email address").fill("berta@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.locator("form[action$='/signup/'] button[type=submit]").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("email")

    page.goto(match.get_absolute_url())
    expect(page.locator("#match")).to_contain_text(guest.username)
    if match.seats.get(user=ann).to_move:
        act(match, "end")
    mine = page.locator(f"#player-{match.seats.get(user=guest).number}")
    expect(mine).to_have_class(MOVES)
    page.get_by_role("button", name="End turn").click()
    expect(page.locator("#sure")).to_be_focused()  # nothing was done in this turn
    page.wait_for_timeout(HASTE)
    page.locator("#sure").click()
    expect(mine).not_to_have_class(MOVES)

    page.goto(urlsplit(link_sent_to("berta@example.org")).path)
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("berta@example.org is confirmed.")).to_be_visible()
    page.goto(match.get_absolute_url())
    expect(page.locator("#match")).to_contain_text("Berta")
    assert EmailAddress.objects.get(user=guest).email == "berta@example.org"
    assert page.complaints == []  # type: ignore[attr-defined]  # added by `enter`
