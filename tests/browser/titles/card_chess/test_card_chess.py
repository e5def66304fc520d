"""Two people sit down at a table and play a match to its end without ever loading the page again."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from playwright.sync_api import Page, expect

from games.play.models import Match
from tests.browser.player import connected
from tests.browser.titles.card_chess.test_board import (
    LAST_TURN,
    PHONE,
    answer,
    by_taps,
    go_on,
    last_text,
    places,
    turn_over,
    value,
)
from tests.people import open_table, person

SMALL = {"viewport": {"width": 320, "height": 740}, "has_touch": True}


def test_host_and_joiner_play_from_the_waiting_table_to_the_end(enter: Callable[..., Page]) -> None:
    ann, bob = person("ann"), person("bob")
    table = open_table([ann], seats=2, game="card-chess", options={"length": "one_challenge"}, seed=bytes(range(32)))
    host = connected(enter(ann, table.get_absolute_url(), **PHONE))
    joiner = connected(enter(bob, table.get_absolute_url(), **SMALL))
    for page in (host, joiner):
        page.evaluate("window.sameDocument = true")
    joiner.get_by_role("button", name="Sit down").click()
    told = False
    while not host.locator("#match[data-status=over]").count():
        length = int(host.locator("#match").get_attribute("data-length") or 0)
        for number, page in enumerate((host, joiner), 1):
            expect(page.locator("#chess-board[data-mode=play]")).to_have_count(1)
            cards = [value(page, slot) for slot in range(1, places(page) + 1)]
            by_taps(page)
            for each in (host, joiner):
                expect(each.locator("#match")).to_have_attribute("data-length", str(length + number))
            assert last_text() == " ".join(["play", *cards])
        hear((host, joiner), to_the_end=not told)
        if not told:
            play_on_elsewhere(table, (host, joiner))
        told = True
    for page in (host, joiner):
        expect(page.locator("#status")).to_contain_text(re.compile("challenge|share"))
        expect(page.get_by_role("table", name="Where the points came from")).to_be_visible()
        expect(page.locator("#all-challenges")).to_have_attribute("open", "")
        assert page.evaluate("window.sameDocument")
        assert page.complaints == []  # type: ignore[attr-defined]  # set by `enter`
    assert Match.objects.get(pk=table.pk).is_over


def play_on_elsewhere(match: Match, pages: Sequence[Page]) -> None:
    """Play all turns but the last on other devices."""
    match.refresh_from_db()
    while match.length // 2 < LAST_TURN:
        answer(match, match.length % 2)
    for page in pages:
        expect(page.locator("#match")).to_have_attribute("data-length", str(match.length))
        go_on(page)
        expect(page.locator("html[data-telling]")).to_have_count(0)


def hear(pages: Sequence[Page], to_the_end: bool) -> None:
    """Turn the piles over on all pages, to the end or cut short; then go on."""
    for page in pages:
        expect(page.locator("html[data-telling]")).to_have_count(1)
    for page in pages:
        if to_the_end:
            expect(page.locator(".pile")).to_have_count(3)
            turn_over(page, 3)
            expect(page.locator("html[data-telling]")).to_have_count(0)
        go_on(page)
        expect(page.locator("html[data-telling]")).to_have_count(0)
        expect(page.locator(".pile.covered")).to_have_count(0)
