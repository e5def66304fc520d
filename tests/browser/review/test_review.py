"""The way from a finished match to its review, which grows on its page, to a moment of it and to another try."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from games.play import commands
from games.play.reducer.positions import legal_texts
from games.review.jobs import Reviews
from tests.browser.axe import violations
from tests.browser.player import listen, log_in
from tests.browser.windows import PAINTED, resize
from tests.people import act, eager, person, running_match
from tests.serving import Site

ACTIONS = 14
"""Before somebody resigns: enough for moments that could have gone better."""


def test_a_review_grows_on_its_page_when_a_match_has_ended(
    live_site: Site, visitor: Callable[..., BrowserContext]
) -> None:
    ann, bob = person("ann"), person("bob")
    match = running_match([ann, bob], seed=bytes(32))
    for _ in range(ACTIONS):
        seat = match.seats.get(to_move=True).number
        act(match, eager(match, legal_texts(match, seat)), seat)
    commands.resign(match.pk, 0, "resigning-now")
    match.refresh_from_db()
    context = visitor(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    log_in(context, ann, live_site.url)
    page = context.new_page()
    complaints = listen(page)
    page.goto(match.get_absolute_url())
    page.locator("#to-review").click()
    expect(page.locator("progress")).to_be_visible()
    reviews = Reviews()
    while reviews.go_on():
        pass
    expect(page.locator("#parts")).to_be_visible(timeout=30_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(page) == []
    page.reload()
    board, caption = page.locator("#replay"), page.locator("#replay-caption")
    first = page.locator(".review-moment").first
    expect(caption).to_contain_text(first.locator("h3").inner_text())
    chart = page.locator("#chart")
    size = chart.bounding_box()
    assert size is not None
    chart.click(position={"x": size["width"] - 3, "y": size["height"] / 2})
    expect(board).to_have_attribute("data-number", str(ACTIONS))  # who resigns has not played
    expect(caption).to_contain_text("After move")
    better = first.get_by_role("link", name="Better")
    better.focus()
    better.press("Enter")
    expect(caption.get_by_role("link", name="Better")).to_have_attribute("aria-current", "true")
    expect(page).to_have_url(re.compile("way=better"))
    for shown in (caption, page.locator("#replay-board")):
        expect(shown).to_be_in_viewport()
    _shows_on_the_board_what_was_played(page)
    _fades_where_more_is_said(page)
    _stays_where_it_is_beside_the_board(page)
    first.get_by_role("link", name="Show the position").click()
    expect(caption).to_contain_text("After move")
    page.locator("#chart a").first.click()
    expect(caption).to_contain_text(first.locator("h3").inner_text())
    expect(caption).to_be_in_viewport()
    first.get_by_role("link", name="Try it yourself").click()
    page.locator("#verb-end").click()
    expect(page.locator("#compared")).to_contain_text("Your try")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(page) == []
    assert complaints == []


def test_a_review_shows_a_turn_of_cards_that_was_revealed_and_not_the_table_of_the_next(
    live_site: Site, visitor: Callable[..., BrowserContext]
) -> None:
    ann = person("ann")
    match = running_match([ann, person("bob")], game="card-chess", seed=bytes(32))
    for _ in range(4):
        seat = min(match.seats.filter(to_move=True).values_list("number", flat=True))
        act(match, eager(match, legal_texts(match, seat)), seat)
    commands.resign(match.pk, 0, "resigning-now")
    context = visitor(reduced_motion="reduce")
    log_in(context, ann, live_site.url)
    page = context.new_page()
    page.goto(f"{match.get_absolute_url()}review/")
    reviews = Reviews()
    while reviews.go_on():
        pass
    expect(page.locator("#parts")).to_be_visible(timeout=30_000)
    caption, turn = page.locator("#replay-caption"), page.locator("#last-turn")
    for width, height in ((360, 740), (1280, 720)):
        resize(page, {"width": width, "height": height})
        page.goto(f"{match.get_absolute_url()}review/?at=0")
        expect(turn).to_be_hidden()
        for beside, way in ((page.locator(".review-moment").last, "Better"), (caption, "Played")):
            beside.get_by_role("link", name=way).click()
            expect(caption.locator("[aria-current]")).to_have_text(way)
            for part in (turn.locator(".target").first, turn.locator(".verdict").last):
                expect(part).to_be_in_viewport(ratio=0.9)
            expect(turn.locator(".covered")).to_have_count(0)
            expect(page.locator(".columns")).to_be_hidden()


def _shows_on_the_board_what_was_played(page: Page) -> None:
    """Of a moment that is told; from the top of a page on whose screen the board is not."""
    caption = page.locator("#replay-caption")
    page.evaluate("scrollTo(0, 0)")
    caption.get_by_role("link", name="Played").click()
    expect(caption.locator("[aria-current]")).to_have_text("Played")
    expect(page.locator("#stones")).to_be_in_viewport(ratio=0.9)
    looks = [
        link.evaluate("it => getComputedStyle(it).backgroundColor") for link in caption.get_by_role("link").all()[-2:]
    ]
    assert looks[0] != looks[1]


def _fades_where_more_is_said(page: Page) -> None:
    caption = page.locator("#replay-caption")
    caption.evaluate("it => { it.style.maxBlockSize = `${it.scrollHeight - 8}px`; }")
    expect(caption).to_have_css("--more-below", "40px")
    button, words = (caption.locator(part).first.bounding_box() for part in (".row", "p:not(.row)"))
    assert button is not None
    assert words is not None
    assert button["y"] + button["height"] <= words["y"], "what fades first is no button"
    caption.evaluate("it => { it.scrollTop = 8; }")
    expect(caption).to_have_css("--more-below", "0px")
    caption.evaluate("it => { it.style.maxBlockSize = ''; }")


def _stays_where_it_is_beside_the_board(page: Page) -> None:
    """So that the next press is at the same place."""
    resize(page, {"width": 1280, "height": 720})
    page.evaluate("scrollTo(0, 0)")
    caption = page.locator("#replay-caption")
    for way in ("Better", "Played"):
        caption.get_by_role("link", name=way).click()
        expect(caption.locator("[aria-current]")).to_have_text(way)
        page.evaluate(PAINTED)
        assert page.evaluate("scrollY") == 0
    resize(page, {"width": 360, "height": 740})
