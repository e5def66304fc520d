"""A choice on a board restyles what it changes, not the whole page, which takes a slow phone longer than a frame."""

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
from tests.titles.small_islands import playing as islands

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST = 300
"""Elements that a choice may restyle at once; a page has more than a thousand, and three times as many in pictures."""


def settled(players: list[User]) -> Match:
    match = islands.begun(players)
    islands.play_until(match, "explore", 0)
    return match


def restyled(browser: Browser, page: Page, chosen: ElementHandle) -> int:
    """Return how many elements are restyled at once, at most, from a choice until the frame after it."""
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    chosen.evaluate(
        """(it) => new Promise((done) => {
          it.click();
          requestAnimationFrame(() => requestAnimationFrame(done));
        })"""
    )
    events: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    counts: list[int] = [
        event["args"].get("elementCount", 0) for event in events if event["name"] == "UpdateLayoutTree"
    ]
    return max(counts)


@pytest.mark.parametrize(
    ("begin", "choices"),
    [
        pytest.param(begun, "#hand input", id="shifting-stones"),
        pytest.param(lambda players: running_match(players, game="card-chess"), "#hand input", id="card-chess"),
        pytest.param(settled, "#row input", id="small-islands"),
    ],
)
def test_a_choice_restyles_what_it_changes(
    browser: Browser, enter: Callable[..., Page], begin: Callable[[list[User]], Match], choices: str
) -> None:
    players = [person("ann"), person("bob")]
    page = connected(enter(players[0], begin(players).get_absolute_url()))
    chosen = page.locator(choices).element_handles()[1:3]
    assert min(restyled(browser, page, each) for each in chosen) < MOST  # the least: a push may come in between
