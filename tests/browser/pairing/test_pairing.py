"""Quick pairing in several browsers at once, and its pages and bar for everybody, in both themes."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, Route, expect

from accounts.models import User
from games.pairing import services
from games.pairing.jobs import Pairing
from games.pairing.models import Habit, Wait
from games.pairing.views import waits_of
from games.play.models import Match
from tests.browser.axe import violations_at_both_widths
from tests.browser.player import log_in
from tests.browser.windows import resize
from tests.people import client_of, person
from tests.serving import Site
from tests.site.pairing.waits import waiting

Enter = Callable[..., Page]

PAGE = "/pairing/"
SHARE = re.compile(r"matchmaking/nonce\b")
HTML, REQUESTS = 25_000, 15
"""The budgets of a page: bytes, compressed, and what a browser asks for."""


@pytest.fixture
def enter(enter: Enter) -> Enter:
    """Open a page as a user, in a browser of their own; `page.complaints` collects its errors."""
    return partial(enter, reduced_motion="reduce")


def accustomed(name: str) -> User:
    """Return somebody who last looked for three players of Small Islands."""
    user = person(name)
    Habit.objects.create(user=user, game="small-islands", speed="live", rated=False, seats=[3], accepts={})
    return user


def pair() -> None:
    """Let the worker look once."""
    Pairing().run_due(timezone.now())


ELSEWHERE = "/leaderboard/"
"""A page on which nothing but the bar loads the script that adds the player's share: in the lobby the pointer does."""


def with_its_share_held(page: Page) -> list[Route]:
    """Let that script wait, from before any page asks for it; return where its requests are collected."""
    held: list[Route] = []
    page.route(SHARE, lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks what it calls
    return held


def go_when_ready(page: Page, held: list[Route]) -> None:
    """Pair, and press *Go* in the page's bar, which is not there before the script that adds the player's share."""
    with page.expect_request(SHARE):
        pair()
    go = page.locator("#pairing").get_by_role("button", name="Go")
    expect(go).to_have_count(0)
    held[0].continue_()
    go.click()


def test_three_in_three_browsers_are_paired_while_a_fourth_withdraws(enter: Enter) -> None:
    pages = {name: enter(accustomed(name), PAGE, cold=True) for name in ("ann", "bob", "cid", "dan")}
    for page in pages.values():
        page.get_by_role("button", name="Small Islands").click()
        expect(page.get_by_role("heading", name="Looking for players: Small Islands")).to_be_visible()
    expect(pages["dan"].get_by_text(re.compile("^3 others"))).to_be_visible()
    pages["dan"].get_by_role("button", name="Stop waiting").click()
    expect(pages["dan"].get_by_role("heading", name="What would you like to play?")).to_be_visible()
    held = with_its_share_held(pages["cid"])
    pages["cid"].goto(ELSEWHERE)
    expect(pages["cid"].locator("#pairing")).to_contain_text("Looking for players: Small Islands")

    go_when_ready(pages["cid"], held)
    for name in ("ann", "bob", "cid"):
        expect(pages[name].locator("#match[data-status=running]")).to_be_visible()

    match = Match.objects.get()
    assert {seat.name for seat in match.seats.all()} == {"ann", "bob", "cid"}
    assert all(len(bytes(seat.nonce)) == 16 for seat in match.seats.all()), "everybody's browser added its share"
    assert Wait.objects.get(user__username="dan").state == Wait.State.WITHDRAWN
    expect(pages["dan"].get_by_role("heading", name="What would you like to play?")).to_be_visible()
    for page in pages.values():
        assert page.complaints == []  # type: ignore[attr-defined]  # added by `enter`


def test_a_match_that_begins_while_the_page_is_loaded_again_after_go_is_gone_to(
    enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = waiting(person("ann")), waiting(person("bob"))
    page = enter(mine.user, "about:blank", cold=True)
    held = with_its_share_held(page)
    page.goto(ELSEWHERE)

    def after_the_other(user: Any) -> dict[str, Any]:
        theirs.refresh_from_db()
        services.go(theirs.user, theirs.pk, theirs.offer_id or 0)
        return waits_of(user)

    monkeypatch.setattr("games.pairing.views.waits_of", after_the_other)
    go_when_ready(page, held)
    expect(page.locator("#match[data-status=running]")).to_be_visible()
    page.goto(PAGE)
    expect(page.get_by_text("Your match has begun")).to_be_visible()


def test_who_presses_not_now_on_the_page_waits_on_and_so_does_the_other(
    enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.pairing.views.GOES_AFTER", 25)
    ann, bob = person("ann"), person("bob")
    waiting(ann)
    waiting(bob)
    page, other = enter(ann, PAGE), enter(bob, PAGE)
    pair()
    expect(page.get_by_text("This page answers “Go” for you in 25 seconds")).to_be_visible()
    page.get_by_role("button", name="Not now").click()
    expect(page.get_by_text("You let an offer pass. The next offer comes")).to_be_visible()
    expect(other.get_by_role("heading", name=re.compile("Looking for players"))).to_be_visible()
    assert Wait.objects.free().count() == 2
    assert not Match.objects.exists()
    assert page.complaints == other.complaints == []  # type: ignore[attr-defined]  # added by `enter`


def asked_beside(user: User) -> None:
    """Let somebody be asked whether they are there, together with another, without their page noticing."""
    waiting(person())
    pair()
    assert Wait.objects.current().get(user=user).is_asked


def findings(page: Page) -> list[str]:
    """Return axe's findings on a wide page and a narrow one, and whether it is wider than a phone."""
    found = violations_at_both_widths(page)
    resize(page, {"width": 360, "height": 640})
    if page.evaluate("document.documentElement.scrollWidth") > 360:
        found.append(f"{page.url} is wider than 360 pixels")
    return found


def test_pages_and_bar_are_for_everybody_whatever_they_say(enter: Enter) -> None:
    ann = person("ann")
    page = enter(ann, PAGE)
    page.locator(".pairing-choice summary").first.click()
    found = findings(page)
    waiting(ann)
    for address in (PAGE, "/lobby/"):
        page.goto(address)
        expect(page.locator("#pairing")).to_contain_text("Looking for players")
        found += findings(page)
    page.goto("/lobby/")
    asked_beside(ann)
    expect(page.locator("#pairing")).to_contain_text("Your opponent is here")
    found += findings(page)
    assert found == []


def test_without_a_script_one_waits_is_asked_and_goes(visitor: Callable[..., BrowserContext], live_site: Site) -> None:
    ann = person("ann")
    context = visitor(java_script_enabled=False)
    log_in(context, ann, live_site.url)
    page = context.new_page()
    page.goto(PAGE)
    page.get_by_role("button", name="Shifting Stones").click()
    expect(page.get_by_role("heading", name="Looking for players: Shifting Stones")).to_be_visible()
    Habit.objects.all().delete()
    mine = Wait.objects.get(user=ann)
    bob = person("bob")
    Wait.objects.create(user=bob, game=mine.game, speed=mine.speed, rated=mine.rated, seats=mine.seats)
    pair()
    page.goto(PAGE)
    page.get_by_role("button", name="Go").click()
    expect(page.get_by_role("heading", name="Waiting for the others to answer")).to_be_visible()
    page.get_by_role("button", name="Stop waiting").click()
    expect(page.get_by_role("heading", name="What would you like to play?")).to_be_visible()


@pytest.mark.parametrize("address", [PAGE, "/lobby/"])
def test_the_pages_keep_their_budgets_while_one_waits(enter: Enter, address: str) -> None:
    ann = person("ann")
    waiting(ann)
    assert len(gzip.compress(client_of(ann).get(address).content)) <= HTML
    page = enter(ann, "about:blank", cold=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address, wait_until="load")
    assert len([url for url in asked if "/pairing/now" not in url]) <= REQUESTS, asked
