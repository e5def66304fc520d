"""Two players register, meet at a table, play a rated match to its end and verify it, only by clicking.

The middle of the match reaches their pages as if they played it on another device. Nothing moves meanwhile:
`test_moving` has that. Pages that `test_every_page` looks at for findings are not looked at again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import BrowserContext, Page, expect

from games.engine.fair import commitment
from games.matchmaking import tables
from games.play import commands
from games.play.models import Match
from tests.browser.axe import violations
from tests.browser.matches import play_on
from tests.browser.player import Player, connected
from tests.serving import Site

SEED = (161).to_bytes(32, "big")
"""The deal of a match which the planner ends in as many as `ACTIONS`, when both browsers add the bytes of `NONCE`."""

NONCE = "crypto.getRandomValues = (bytes) => bytes.fill(7);"
ACTIONS = 35
LAST = 4
"""How many of them are clicked at the end."""

VERBS = {"flip", "shift", "score", "end"}
"""What is clicked before others play on."""


@pytest.fixture
def _known_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    def prepare(*args: Any, **settings: Any) -> Match:
        match = commands.prepare_match(*args, **settings)
        match.server_seed, match.commit = SEED, commitment(SEED)
        return match

    monkeypatch.setattr(tables, "prepare_match", prepare)


@pytest.fixture
def _links_lead_here(live_site: Site, settings: Any) -> None:
    settings.SITE_URL = live_site.url


@pytest.mark.usefixtures("_known_deal", "_links_lead_here")
def test_two_people_register_meet_and_play_a_rated_match_to_the_end(
    visitor: Callable[..., BrowserContext], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, bob = _newcomer(visitor, "Ann", _can_be_used), _newcomer(visitor, "Bob")
    _sit_down_together(ann, bob)
    _play_to_the_end(ann, bob)
    _ratings_changed(ann, bob)
    _record_verifies(ann, tmp_path / "record.json", capsys)
    _browser_verifies(bob.page)
    assert (ann.complaints, bob.complaints) == ([], [])


def _newcomer(visitor: Callable[..., BrowserContext], name: str, *look: Callable[[Page], None]) -> Player:
    player = Player(visitor(accept_downloads=True, reduced_motion="reduce"), name, *look)
    player.page.add_init_script(NONCE)
    player.register()
    return player


def _can_be_used(page: Page) -> None:
    assert violations(page) == []


def _sit_down_together(ann: Player, bob: Player) -> None:
    """Ann opens a table; it appears in the lobby Bob is looking at, and he sits down."""
    bob.page.goto("/lobby/")
    connected(bob.page)
    _mark(bob.page)
    ann.page.goto("/lobby/")
    ann.page.get_by_role("link", name="New table").click()
    ann.page.get_by_role("link", name="Shifting Stones").first.click()
    ann.page.locator("#more > summary").click()
    ann.page.get_by_label("Order of play").select_option("In the order players join")
    with ann.page.expect_response("**/nonce/"):  # once he sits, her browser’s bytes would come too late
        ann.page.get_by_role("button", name="Open the table").first.click()
    expect(ann.page.locator("#status")).to_contain_text("1 of 2")
    card = bob.page.locator("#tables > li")
    expect(card).to_contain_text("rated")
    assert _is_marked(bob.page)
    _mark(ann.page)
    card.get_by_role("button", name="Sit down").click()
    for player in (ann, bob):
        expect(player.page.locator("#match[data-status=running]")).to_be_visible()
    assert _is_marked(ann.page)
    _mark(bob.page)
    connected(bob.page)


def _play_to_the_end(ann: Player, bob: Player) -> None:
    """Click until everything has been done and undone once, play on elsewhere, and click the last actions again."""
    undone, done = False, set[str]()
    while not (undone and done >= VERBS):
        action, mover, other = _click(ann, bob)
        done.add(action.split()[0])
        if not undone and action.startswith(("shift", "flip")):
            _undo(mover, other)
            undone = True
    play_on(Match.objects.get(), ACTIONS - LAST - ann.length)
    _show_the_same(ann, bob, ACTIONS - LAST)
    for _ in range(LAST):
        _click(ann, bob)
    for player in (ann, bob):
        expect(player.page.locator("#match[data-status=over]")).to_be_visible()
        expect(player.page.locator("#players")).to_contain_text("1st")
        assert _is_marked(player.page)  # the page was never loaded again
    expect(bob.page.locator("#status")).to_contain_text("You won, ")


def _click(ann: Player, bob: Player) -> tuple[str, Player, Player]:
    """Let whoever is to move act; return the action, who did it, and the other."""
    mover, other = (ann, bob) if ann.is_to_move() else (bob, ann)
    action = mover.plan()
    mover.play(action)
    _show_the_same(mover, other, mover.length)
    return action, mover, other


def _show_the_same(one: Player, other: Player, length: int) -> None:
    for player in (one, other):
        player.shows(length)
    assert one.sees()["grid"] == other.sees()["grid"]


def _undo(mover: Player, other: Player) -> None:
    """Take the action back: both see the position before it."""
    before = mover.length - 1
    mover.page.get_by_role("button", name="Undo").click()
    for player in (mover, other):
        player.shows(before)


def _ratings_changed(loser: Player, winner: Player) -> None:
    """Both began at 1500, provisionally (hence the question mark)."""
    for player, rating in ((loser, "1480?"), (winner, "1520?")):
        page = player.page
        page.locator("#players").get_by_role("link", name="You").click()
        expect(page.locator(".rating-value")).to_have_text(rating)
        page.go_back()
        expect(page.locator("#match[data-status=over]")).to_be_visible()


def _record_verifies(player: Player, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    player.page.get_by_role("link", name="Watch the replay", exact=True).click()
    with player.page.expect_download() as download:
        player.page.get_by_role("link", name="Download the record").click()
    download.value.save_as(path)
    record = json.loads(path.read_text())
    assert record["server_seed"] == SEED.hex()
    assert record["nonces"] == ["07" * 16] * 2
    call_command("verify_record", str(path))
    assert "everything is as recorded" in capsys.readouterr().out


def _browser_verifies(page: Page) -> None:
    page.get_by_role("link", name="Watch the replay", exact=True).click()
    page.get_by_role("button", name="Verify").click()
    expect(page.locator("#verify-result")).to_have_attribute("data-good", "true")
    expect(page.locator("#verify-result")).to_contain_text("Every draw came out as recorded")
    _can_be_used(page)


def _mark(page: Page) -> None:
    page.evaluate("window.sameDocument = true")


def _is_marked(page: Page) -> bool:
    """Return whether the page is still the one that was marked, not loaded again."""
    return bool(page.evaluate("window.sameDocument === true"))
