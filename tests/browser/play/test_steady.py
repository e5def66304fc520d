"""Nothing jumps: whatever comes and goes while a match is played leaves the rest of the page where it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import pytest
from playwright.sync_api import Page, expect

from games.play import commands
from games.play.models import Match
from games.play.reducer import positions
from games.titles import games
from tests.browser import matches
from tests.browser.player import connected
from tests.browser.windows import PAINTED
from tests.people import act, person, running_match
from tests.serving import Site
from tests.traits import has_motion
from tests.unit.titles.small_islands.settlers import next_text

pytestmark = pytest.mark.browser

Enter: TypeAlias = Callable[..., Page]
Chooser: TypeAlias = Callable[[Match], tuple[int, str]]
"""Returns a seat to move and what it does."""

SHIFTS = """(() => {
  let seen = [];
  let gliding = new WeakSet();
  const start = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    if ([frames].flat().some((frame) => frame.translate || frame.transform)) gliding.add(this);
    return start.call(this, frames, options);
  };
  const glides = (node) => node && (gliding.has(node) || glides(node.parentNode));
  const stays = ({ previousRect: from, currentRect: to }) => from.x === to.x && from.y === to.y;
  const jumps = ({ hadRecentInput, sources }) =>
    !hadRecentInput && !sources.every((source) => glides(source.node) || stays(source));
  const without = new CSSStyleSheet();
  without.replaceSync("@media (prefers-reduced-motion) { #log-lines { display: none } }");
  document.adoptedStyleSheets.push(without);
  const watching = new PerformanceObserver((list) => seen.push(...list.getEntries()));
  watching.observe({ type: "layout-shift" });
  const named = ({ node, previousRect: from, currentRect: to }) =>
    `${node?.id || node?.className || node?.nodeName}: ${[from.x, from.y, to.x, to.y].map(Math.round)}`;
  window.shifted = () => {
    const jumped = [...seen, ...watching.takeRecords()].filter(jumps);
    [seen, gliding] = [[], new WeakSet()];
    return [jumped.reduce((all, { value }) => all + value, 0), jumped.flatMap(({ sources }) => sources.map(named))];
  };
})()"""
"""Adds up what jumps. What glides from where it was does not, but the browser counts that too at times. Where less
motion is asked for, the lines of the log make room for a new one at once, as they should: they are left out."""

AT_REST = """Promise.all(document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
  .map(({ finished }) => finished.catch(() => {})))"""
HEIGHTS = "(players) => players.map(({ offsetHeight }) => offsetHeight)"
GO_ON = """while (document.querySelector("html[data-reading] .go-on")) document.querySelector(".go-on").click();
document.querySelector("#last-turn:popover-open")?.hidePopover()"""
"""What somebody who reads a told turn does, without the input after which shifts do not count."""

MOST = 0.02
"""How much of the page may jump at once: the budget for a whole visit."""


def by_strength(match: Match) -> tuple[int, str]:
    """Play the strongest cards."""
    seat = _to_move(match)
    return seat, max(positions.legal_texts(match, seat), key=lambda text: text.count("Q") + text.count("K"))


def by_settlers(match: Match) -> tuple[int, str]:
    seat = _to_move(match)
    return seat, next_text(positions.decode_state(match), seat)


def by_chance(match: Match) -> tuple[int, str]:
    seat = _to_move(match)
    return seat, positions.legal_texts(match, seat)[0]


def _to_move(match: Match) -> int:
    return match.seats.filter(to_move=True).order_by("number").values_list("number", flat=True)[0]


COURSES: Mapping[str, tuple[Chooser, int]] = {
    "shifting-stones": (matches.next_action, 20),
    "card-chess": (by_strength, 17),
    "small-islands": (by_settlers, 16),
}
"""Through all that a turn can consist of: a challenge and the beginning of the next, a round and that of the next."""
LENGTHS = {"card-chess": {"options": {"length": "two_gold"}}}
MOVING = 6
"""After so many actions less motion is asked for: motion hides from the browser's count what would jump without it."""


@pytest.mark.parametrize("slug", [slug for slug in games() if has_motion(slug)])
def test_nothing_jumps_while_somebody_plays(enter: Enter, live_site: Site, slug: str) -> None:
    people = [person("ann"), person("bob")]
    match = running_match(people, game=slug, seed=bytes(range(32)), clock="300+10/600", **LENGTHS.get(slug, {}))
    phone, laptop = {"width": 360, "height": 640}, {"width": 1280, "height": 800}
    pages = [
        _watched(enter(reader, match.get_absolute_url(), viewport=viewport))
        for reader, viewport in ((people[0], phone), (people[1], laptop), (None, laptop))
    ]
    players = [page.locator(".player").evaluate_all(HEIGHTS) for page in pages]
    choose, actions = COURSES.get(slug, (by_chance, MOVING))
    for number in range(actions):
        if number == MOVING:
            for page in pages:
                page.emulate_media(reduced_motion="reduce")
        seat, text = choose(match)
        act(match, text, seat)
        for page in pages:
            _shows_steadily(page, match)
        assert [page.locator(".player").evaluate_all(HEIGHTS) for page in pages] == players, match.length
    commands.resign(match.pk, 1, "resigning-now")
    match.refresh_from_db()
    for page in pages:
        expect(page.locator(".ending.arriving")).to_be_visible()
        _shows_steadily(page, match)


def _watched(page: Page) -> Page:
    expect(connected(page).locator("#page")).to_have_attribute("data-moves", "")
    page.evaluate(SHIFTS)
    return page


def _shows_steadily(page: Page, match: Match) -> None:
    """Wait until the page shows the match as it is, go on where a turn is told, and add up what jumped meanwhile."""
    expect(page.locator("#match")).to_have_attribute("data-length", str(match.length))
    for doing in ("", GO_ON):
        page.evaluate(f"{doing}; {PAINTED}.then(() => {AT_REST})")
        shifted, what = page.evaluate("window.shifted()")
        assert shifted <= MOST, (match.length, page.viewport_size, doing, what)
