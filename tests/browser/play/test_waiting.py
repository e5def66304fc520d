"""Two players wait at a table and play the match on the page that was open before it began.

`test_first_match` plays one to its last action on such a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from games.engine.fair import commitment
from games.matchmaking import tables
from games.matchmaking.tables import TableSetup
from games.play import commands
from games.play.models import Match
from tests.browser.player import Player, connected, log_in
from tests.people import person
from tests.serving import Site
from tests.waiting import wait_until

SEED = (161).to_bytes(32, "big")

NONCE = "crypto.getRandomValues = (bytes) => bytes.fill(7);"
MOVING = """() => {
  window.moved = 0;
  window.sameDocument = true;
  const start = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    window.moved += 1;
    return start.apply(this, how);
  };
}"""
"""Counts what is set in motion, and marks the document."""


@pytest.fixture
def table(live_site: Site) -> Match:
    """A table for two with a clock at which ann waits."""
    match = tables.open_table(
        person("ann"), TableSetup("shifting-stones", 2, clock="300+10/600", seat_order="as-sat", rated=False)
    )
    Match.objects.filter(pk=match.pk).update(server_seed=SEED, commit=commitment(SEED))
    match.refresh_from_db()
    return match


@pytest.fixture
def sit(visitor: Callable[..., BrowserContext], live_site: Site, table: Match) -> Callable[..., Player]:
    """Open the table as a user, and record what moves there."""

    def at(user: User) -> Player:
        context = visitor(reduced_motion="no-preference")
        log_in(context, user, live_site.url)
        player = Player(context, user.username)
        player.page.add_init_script(NONCE)
        player.page.goto(table.get_absolute_url())
        connected(player.page).evaluate(MOVING)
        return player

    return at


def test_host_and_guest_play_on_the_page_they_waited_at_and_see_the_end_there(
    sit: Callable[..., Player], table: Match
) -> None:
    players = ann, bob = sit(User.objects.get(username="ann")), sit(person("bob"))
    expect(ann.page).to_have_title(re.compile("Shifting Stones: ann · "))
    bob.page.get_by_role("button", name="Sit down").click()
    for player in players:
        expect(player.page.locator("#match[data-status=running]")).to_be_visible()
        _is_whole(player.page, table)
    _play_some_turns(ann, bob)
    commands.resign(table.pk, 0, "resigning-now")
    for player in players:
        expect(player.page.locator("#match[data-status=over]")).to_be_visible()
        expect(player.page.locator("#around a", has_text="Verify this match")).to_have_count(1)
        assert player.page.evaluate("window.moved") > 0
        assert player.page.evaluate("window.sameDocument === true")
    assert (ann.complaints, bob.complaints) == ([], [])


def _is_whole(page: Page, table: Match) -> None:
    """Check that the page that waited shows what a page loaded now would show."""
    expect(page).to_have_title(re.compile("Shifting Stones: ann, bob · "))
    expect(page.get_by_role("heading", level=1)).to_have_text("Shifting Stones: ann, bob")
    page.locator(".about").click()
    expect(page.locator("#clock-terms")).to_contain_text("5 min + 10 s per turn")
    page.locator("#fairness > summary").click()
    expect(page.locator("#commitment")).to_have_text(table.commit)
    expect(page.locator("#around").get_by_role("link", name="The rules of the game")).to_be_visible()
    expect(page.get_by_role("link", name="Rules", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Mute this match")).to_be_visible()


def _play_some_turns(ann: Player, bob: Player) -> None:
    """Let both act, by clicking."""
    movers: list[Player] = []
    while {ann, bob} != set(movers):
        mover, other = (ann, bob) if ann.is_to_move() else (bob, ann)
        mover.play(mover.plan())
        other.shows(mover.length)
        movers.append(mover)


def test_a_rematch_takes_one_press_on_each_side_and_each_browser_adds_its_number(
    sit: Callable[..., Player], table: Match
) -> None:
    ann, bob = sit(User.objects.get(username="ann")), sit(person("bob"))
    bob.page.get_by_role("button", name="Sit down").click()
    expect(bob.page.locator("#match[data-status=running][data-seat]")).to_be_visible()
    commands.resign(table.pk, 0, "resigning-now")
    expect(bob.page.get_by_role("button", name="Rematch", exact=True)).to_be_visible()
    ann.page.get_by_role("button", name="Rematch").click()
    expect(ann.page.locator("#status")).to_contain_text("Waiting for bob.")
    accept = bob.page.get_by_role("button", name="ann wants a rematch: Accept")
    expect(accept).to_be_visible()  # in its place, without a toast
    assert bob.page.evaluate("window.sameDocument === true")
    expect(bob.page.locator(".toast")).to_have_count(0)
    _is_taken_back_and_made_again(ann.page, bob.page)

    seat = Match.objects.get(status=Match.Status.OPEN).seats.get(user__username="ann")

    def nonce() -> bytes:
        seat.refresh_from_db()
        return bytes(seat.nonce)

    wait_until(lambda: nonce() != b"")  # the page sends it as soon as it has shown the fingerprint
    assert nonce() == b"\x07" * 16
    ann.page.evaluate("window.sameDocument = true")
    accept.click()
    for page in (ann.page, bob.page):
        expect(page.locator("#match[data-status=running]")).to_be_visible()
    assert ann.page.evaluate("window.sameDocument === true")
    assert all(bytes(it.nonce) for it in Match.objects.get(pk=seat.match_id).seats.all())
    assert (ann.complaints, bob.complaints) == ([], [])


def _is_taken_back_and_made_again(asker: Page, asked: Page) -> None:
    asker.get_by_role("button", name="Take the offer back").click()
    expect(asked.get_by_role("button", name="Rematch", exact=True)).to_be_visible()
    asker.get_by_role("button", name="Rematch", exact=True).click()
    expect(asked.get_by_role("button", name="Decline")).to_be_visible()
