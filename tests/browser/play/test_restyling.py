"""Choices and pushes restyle what they change, not the whole page, which takes a slow phone longer than a frame."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, ElementHandle, Page

from accounts.models import User
from games.play.models import Match
from tests.browser.matches import begun
from tests.browser.player import connected
from tests.people import person, running_match
from tests.site.titles.small_islands import playing as islands

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST = 300
"""Elements that a choice may restyle at once; a page has more than a thousand, and three times as many in pictures."""


def settled(players: list[User]) -> Match:
    match = islands.begun(players)
    islands.play_until(match, "explore", 0)
    return match


def restyled(browser: Browser, page: Page, target: ElementHandle, doing: str) -> list[int]:
    """Return how many elements are restyled at a time from doing something to an element until the frame after it."""
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    target.evaluate(
        f"""(it) => new Promise((done) => {{
          {doing};
          requestAnimationFrame(() => requestAnimationFrame(done));
        }})"""
    )
    events: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    return [event["args"].get("elementCount", 0) for event in events if event["name"] == "UpdateLayoutTree"]


GAMES = [
    pytest.param(begun, "#hand input", id="shifting-stones"),
    pytest.param(lambda players: running_match(players, game="card-chess"), "#hand input", id="card-chess"),
    pytest.param(settled, "#row input", id="small-islands"),
]


MORPHED = """const beside = [1, 2].map(() => document.createElement("div"));
for (const each of beside) it.after(each);
for (const each of beside) each.remove()"""
"""What htmx does around every swap: what may have to be put back waits behind the body."""

BOXES = """for (const box of it.querySelectorAll("#match details:not([open])")) {
  for (const held of [...box.children].slice(1)) held.replaceWith(held.cloneNode(true));
}"""
"""What a push does to what closed boxes hold."""

ROOM = """it.querySelector("#asked, #board").style.paddingTop = "9px";
document.dispatchEvent(new Event("htmx:after:swap"))"""
"""What is asked grows with a push, and the map gives it room."""


@pytest.mark.parametrize(("begin", "choices"), GAMES)
def test_a_choice_restyles_what_it_changes_and_a_swap_nothing_around_what_it_brings(
    browser: Browser, enter: Callable[..., Page], begin: Callable[[list[User]], Match], choices: str
) -> None:
    players = [person("ann"), person("bob")]
    page = connected(enter(players[0], begin(players).get_absolute_url()))
    body = page.locator("body").element_handle()
    # the least: a push may come in between
    assert min(sum(restyled(browser, page, body, MORPHED)) for _ in range(3)) < 10
    chosen = page.locator(choices).element_handles()[1:3]
    assert min(max(restyled(browser, page, each, "it.click()")) for each in chosen) < MOST
    page.locator("[data-moves]").wait_for()
    assert min(len(restyled(browser, page, body, BOXES)) for _ in range(3)) < 3, "what is not shown is measured"
    assert sum(restyled(browser, page, body, ROOM)) < MOST, "what the map is given room by is inherited"


def test_a_turn_that_is_told_restyles_what_it_keeps_back(browser: Browser, enter: Callable[..., Page]) -> None:
    players = [person("ann"), person("bob")]
    page = connected(enter(players[0], running_match(players, game="card-chess").get_absolute_url()))
    root = page.locator("html").element_handle()
    for kept_back in ("data-telling", "data-reading"):
        counted = [max(restyled(browser, page, root, f"it.toggleAttribute('{kept_back}')")) for _ in range(2)]
        assert min(counted) < MOST
