"""Tips for the first match come one at a time, each at its moment."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from accounts.models import TIPS
from tests.browser.axe import violations
from tests.browser.player import connected
from tests.people import act, person, running_match


def test_each_tip_has_its_moment(enter: Callable[..., Page]) -> None:
    user = person(tips=" ".join(TIPS))
    match = running_match([user, person()])
    page = connected(enter(user, match.get_absolute_url(), viewport={"width": 360, "height": 640}))
    turn, undo, rules = (page.locator(f"#tip-{name}") for name in TIPS)
    expect(turn).to_be_visible()
    expect(undo).to_be_hidden()
    expect(rules).to_be_hidden()
    assert violations(page) == []
    turn.get_by_role("button").click()
    expect(rules).to_be_visible()
    lies = page.locator("#stones").bounding_box()
    page.locator("#hand label").first.click()
    page.locator("label:has(#cell-a1)").click()
    page.locator("#verb-flip").click()
    expect(undo).to_be_visible()
    expect(rules).to_be_hidden()
    undo.get_by_role("button").click()
    act(match, "end", 0)
    expect(page.locator("#match-status")).not_to_have_class(re.compile("my-turn"))
    expect(rules).to_be_visible()
    assert page.locator("#stones").bounding_box() == lies
    rules.get_by_role("button").click()
    expect(page.locator("#tips .notice")).to_have_count(0)
    page.reload()
    expect(page.locator("#status")).to_be_visible()
    expect(page.locator("#tips")).to_have_count(0)
