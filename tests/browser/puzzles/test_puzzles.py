"""Puzzles solved by tapping, on a phone: each game's own board, and axe on what it leads to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from accounts import moments
from games.engine.puzzles import solution_of
from games.puzzles import daily, services
from games.puzzles.daily import Daily
from games.titles.card_chess.rules.deck import Play
from games.titles.shifting_stones.rules.notation import End, Flip, Score, Shift
from games.titles.shifting_stones.rules.patterns import CELLS
from games.titles.small_islands.rules.notation import Explore
from tests.browser.axe import violations
from tests.browser.player import listen
from tests.serving import Site
from tests.site.titles.small_islands.playing import at_rest

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
TODAY = date(2026, 11, 23)
AFTER_A_CHALLENGE = date(2026, 11, 12)
"""A day whose puzzle of 3D cardChess begins a challenge: the end of the one before is on its board."""


@pytest.fixture
def tap(
    monkeypatch: pytest.MonkeyPatch, live_site: Site, visitor: Callable[..., BrowserContext]
) -> Callable[..., Page]:
    """Open the puzzle of a game on a phone; the day is always the same."""
    for module in (moments, daily, services):
        monkeypatch.setattr(module, "today", lambda: TODAY)

    def open_puzzle(slug: str) -> Page:
        page = visitor(**PHONE).new_page()
        page.complaints = listen(page)  # type: ignore[attr-defined]  # read at the end of a test
        page.goto(puzzle_of(slug).url)
        return page

    return open_puzzle


def puzzle_of(slug: str) -> Daily:
    found = daily.puzzle_of(slug, TODAY)
    assert found is not None
    return found


def test_no_turn_that_was_revealed_before_lies_over_a_puzzle(tap: Callable[..., Page]) -> None:
    """The board keeps nothing from its reader: that is for those who play a match."""
    puzzle = daily.puzzle_of("card-chess", AFTER_A_CHALLENGE)
    assert puzzle is not None
    page = tap("card-chess")
    page.goto(puzzle.url)
    expect(page.locator("#chess-board[data-counted]")).to_be_visible()
    expect(page.locator("#hand")).to_be_visible()
    expect(page.locator("#last-turn")).to_be_hidden()


def press(found: Locator) -> None:
    found.scroll_into_view_if_needed()
    found.tap()


def choose(page: Page, action: Any) -> None:
    """Do what an action says by tapping."""
    match action:
        case Shift(card, first, second):
            _turn(page, "shift", card, (first, second))
        case Flip(card, cell):
            _turn(page, "flip", card, (cell,))
        case Score(card):
            _turn(page, "score", card, ())
        case End():
            press(page.locator("#verb-end"))
        case Play(cards):
            for place, name in enumerate(cards, start=1):
                press(page.locator(f'#hand label:has([value="{name}"])').first)
                press(page.locator(f"#place-{place}"))
            press(page.locator("#confirm"))
        case Explore():
            _explore(page, action)


def _turn(page: Page, verb: str, card: int, cells: Sequence[int]) -> None:
    press(page.locator(f"#hand label:has(#card-{card})"))
    for cell in cells:
        press(page.locator(f"#stones [data-cell={CELLS[cell]}]"))
    press(page.locator(f"#verb-{verb}"))


def _explore(page: Page, action: Explore) -> None:
    press(page.locator(f'[name=slot][value^="{action.slot}:"]'))
    if page.locator(f"#tile-{action.tile}").count():
        press(page.locator(f"#tile-{action.tile}"))
    at_rest(page)
    page.locator(f'[id="cell-{action.cell[0]},{action.cell[1]}"]').tap()
    for _ in range(4):
        if page.locator(f"#turn-{action.turn}").is_checked():
            break
        button = page.locator("#turn-tile")
        press(button) if button.is_visible() else page.keyboard.press("r")
    expect(page.locator(f"#turn-{action.turn}")).to_be_checked()
    press(page.locator("#verb-send"))


@pytest.mark.parametrize("slug", ["card-chess", "shifting-stones", "small-islands"])
def test_a_puzzle_is_solved_by_tapping(tap: Callable[..., Page], slug: str) -> None:
    puzzle, page = puzzle_of(slug), tap(slug)
    line = solution_of(puzzle.game, puzzle.puzzle)
    if slug == "shifting-stones" and len(line) > len(puzzle.view.hand):
        line = line[:-1]  # a turn that uses every card ends by itself
    found = violations(page)
    for number, action in enumerate(line, start=1):
        choose(page, action)
        if number < len(line):
            expect(page.locator("#so-far li")).to_have_count(number)
    expect(page.locator("#verdict")).to_contain_text("Solved:")
    expect(page.locator("#solution")).to_be_visible()
    page.locator("#step-1").click()
    expect(page.locator("#step-1")).to_have_attribute("aria-current", "step")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert found + violations(page) == []
    assert page.complaints == []  # type: ignore[attr-defined]  # as above
    page.goto("/puzzles/")
    expect(
        page.locator(".puzzle-week a").nth(6 + 7 * ["card-chess", "shifting-stones", "small-islands"].index(slug))
    ).to_have_text("1 solved")
    expect(page.locator("#statistics dd").first).to_have_text("1")
    if slug == "shifting-stones":  # it is one page for all games
        assert violations(page) == []
