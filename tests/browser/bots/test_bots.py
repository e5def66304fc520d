"""From Play now through the end of a match against a bot to its review, on a phone; and a hint on the board."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.bots import hints, services as bots_services, thinking
from games.bots.models import Hint
from games.bots.worker import work
from games.engine.dice import dice_from
from games.engine.fair import FairChance
from games.engine.protocol import AnyGame, Seat
from games.play import commands
from games.play.models import Match
from games.play.reducer import positions
from games.play.reducer.actions import Stale
from games.titles import titles
from tests.browser.axe import accessible
from tests.browser.learn.hands import MOUSE, PHONE, STILL, TOUCH, Way, do_in
from tests.browser.player import connected
from tests.people import act, bot_takes_turn, person
from tests.site.bots.test_turns import against_bots
from tests.waiting import wait_until

LONG = 120_000
WIDE = {"viewport": {"width": 1280, "height": 800}, **STILL}
GUARD = 600
"""Milliseconds after a new board in which buttons that decide do not answer, and a little more."""
TURNS = 3
GAME = "shifting-stones"
"""The game of the whole way. Turns against bots in the others are below, how they end is in `play/test_endings`."""
SHORT = 0.02


COVERED = """() => {
    const said = document.getElementById("hint-box").getBoundingClientRect();
    return [...document.querySelectorAll("[data-hint]")].filter((marked) => {
        const { top, height, left, width } = marked.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        return said.left < x && x < said.right && said.top < y && y < said.bottom;
    }).length;
}"""
"""How many of the marked fields the words of a hint cover."""


def quick(game: AnyGame, view: Any, seat: Any, chance: Any, seconds: float, turn: Any = None) -> Any:  # noqa: PLR0917  # as every bot
    dice = dice_from(chance)
    return titles()[game.slug].insight.policy(game.imagine(view, dice), seat, dice)


@pytest.fixture
def _bots_think(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let quick bots play in a thread of this process."""
    monkeypatch.setattr(bots_services, "PACE", timedelta(0))
    for level in thinking.LEVELS:
        monkeypatch.setitem(thinking.LEVELS, level, quick)
    ended = threading.Event()

    def think() -> None:
        work(ended)
        connections.close_all()

    thread = threading.Thread(target=think)
    thread.start()
    yield
    ended.set()
    thread.join()


def wait_for_bots(match: Match) -> None:
    """Wait until no bot is to move, as it is in secret together with a person."""
    wait_until(lambda: not match.seats.filter(user=None, to_move=True).exists())
    match.refresh_from_db()


def take_turn(page: Page, match: Match, way: Way = TOUCH) -> None:
    """Wait until the person is to move or the match is over, and act once on the board."""
    expect(page.locator(".my-turn, #match[data-status=over]").first).to_be_visible(timeout=LONG)
    wait_for_bots(match)
    if not match.is_running:
        return
    while page.locator("#last-turn .go-on").is_visible():
        page.wait_for_timeout(GUARD)
        way.press(page.locator("#show-piles:visible, #last-turn .go-on:visible").last)
    expect(page.locator("#match")).to_have_attribute("data-version", str(match.version))
    page.wait_for_timeout(GUARD)
    seat = Seat(match.seats.get(user__isnull=False).number)
    view = match.rules.view_for(positions.decode_state(match), seat)
    action = quick(match.rules, view, seat, FairChance(bytes(32), match.length), 0)
    before = match.version
    do_in(match.game, page, way, match.rules.notate(action))
    changed, asked = page.locator(f'#match:not([data-version="{before}"])'), page.locator("#sure")
    expect(changed.or_(asked).first).to_be_visible(timeout=LONG)
    if asked.is_visible():  # a turn that nothing was done in
        page.wait_for_timeout(GUARD)
        way.press(asked)
    expect(changed).to_have_count(1, timeout=LONG)


def finish(match: Match) -> None:
    """Play the rest of a match for its person, as another device of theirs would, while bots think."""
    seat = Seat(match.seats.get(user__isnull=False).number)
    given_up = time.monotonic() + LONG / 1000
    while match.is_running and time.monotonic() < given_up:
        match.refresh_from_db()
        state = positions.decode_state(match)
        if not match.is_running or seat not in match.rules.to_move(state):
            time.sleep(SHORT)
            continue
        action = quick(match.rules, match.rules.view_for(state, seat), seat, FairChance(bytes(32), match.length), 0)
        text, name = match.rules.notate(action), f"elsewhere {match.version}"
        with suppress(Stale):  # in a secret turn the bot may have acted meanwhile
            commands.submit(match.pk, seat, text, match.version, name)


@pytest.mark.usefixtures("_bots_think")
def test_from_play_now_through_the_end_to_the_review(enter: Callable[..., Page]) -> None:
    page = enter(person("ann"), "/", **PHONE)
    page.locator(f"#game-{GAME}").get_by_role("button", name="Play a bot").click()
    expect(page.locator("#board")).to_be_visible(timeout=LONG)
    connected(page)
    match = Match.objects.get()
    assert (match.game, match.has_bots, match.rated) == (GAME, True, False)
    expect(page.locator("#players .badge.bot")).to_have_count(1)
    for _ in range(TURNS):
        take_turn(page, match)
    finish(match)
    assert match.is_over
    expect(page.locator("#ending")).to_be_visible(timeout=LONG)
    page.locator("#to-review").click()
    expect(page.locator("#parts")).to_be_visible(timeout=LONG)  # the bots' process makes it when no bot is to move
    assert page.complaints == []  # type: ignore[attr-defined]  # set by the fixture


@pytest.mark.usefixtures("_bots_think")
@pytest.mark.parametrize(
    ("slug", "look"),
    [
        ("card-chess", WIDE),
        ("card-chess", PHONE),
        ("shifting-stones", PHONE),
        ("small-islands", WIDE),
        ("small-islands", PHONE),
    ],
)
def test_a_hint_is_marked_on_the_board_until_the_position_passes(
    enter: Callable[..., Page], slug: str, look: dict[str, Any]
) -> None:
    page = enter(person("ann"), f"/play/?game={slug}", **look)
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("#ask-hint")).to_be_attached(timeout=LONG)
    connected(page)
    if look is PHONE:
        page.locator("#more").tap()
    page.locator("#ask-hint").click()
    expect(page.locator("#board [data-hint]").first).to_be_visible(timeout=LONG)
    expect(page.locator("#hint-said")).to_have_text(re.compile(r"\S"))
    assert page.evaluate(COVERED) == 0
    if look is PHONE:  # in a wide window the same is looked at with the log beside it
        accessible(page)
    page.locator("#hint-read").click()
    expect(page.locator("#hint-box")).to_be_hidden()
    expect(page.locator("#board [data-hint]").first).to_be_visible()
    take_turn(page, Match.objects.get(), MOUSE if look is WIDE else TOUCH)
    expect(page.locator("[data-hint]")).to_have_count(0, timeout=LONG)
    expect(page.locator("#hint-said")).to_be_empty()


@pytest.mark.parametrize("look", [WIDE, PHONE], ids=["wide", "phone"])
def test_beside_undo_no_take_back_is_seen_and_nothing_moves(enter: Callable[..., Page], look: dict[str, Any]) -> None:
    ann = person("ann")
    match = against_bots([ann])
    page = connected(enter(ann, match.get_absolute_url(), **look))
    more = page.locator("#more")
    places = "(all) => all.filter(({ id }) => id !== 'back').map((each) => each.getBoundingClientRect().left)"

    def tools() -> list[float]:
        if look is PHONE:
            more.tap()
        found: list[float] = page.locator(".tools > .button").evaluate_all(places)
        return found

    before = tools()
    expect(page.locator("#back")).to_be_visible()
    page.keyboard.press("Escape")
    act(match, next(text for text in positions.legal_texts(match, 0) if text.startswith("flip")))
    expect(page.locator("#undo")).to_be_visible()
    assert tools() == before
    expect(page.locator("#back")).to_be_hidden()


def test_a_hint_is_for_the_reader_whatever_a_bot_confirms_meanwhile(
    enter: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    for level in thinking.LEVELS:
        monkeypatch.setitem(thinking.LEVELS, level, quick)
    ann = person("ann")
    match = against_bots([ann], game="card-chess")
    page = connected(enter(ann, match.get_absolute_url(), **WIDE))
    page.locator("#ask-hint").click()
    wait_until(Hint.objects.exists)
    assert bot_takes_turn(match)  # in secret, at the same time
    wait_until(lambda: Hint.objects.count() == 2)  # the page has asked again
    while hints.find_one(timezone.now()):
        pass
    expect(page.locator("#board [data-hint]").first).to_be_visible()
    expect(page.locator("#ask-hint")).not_to_have_attribute("aria-disabled", "true")
