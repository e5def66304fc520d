"""How soon a page reacts at quarter speed, in each game: to a tap, and to a push that sets things in motion.

Headless Chromium, 360 x 740, its processor slowed down four times.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import TYPE_CHECKING

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.bench_pages import Row, somebody
from tests.benchmarks.site import Player as Person, player, prepare, served
from tests.serving import CHROMIUM_FLAGS, SEEN, chromium

if TYPE_CHECKING:
    from accounts.models import User
    from games.play.models import Match

TAPS = 12
PUSHES = 8
SLOWER = 4
IN_MOTION = 2_000
"""Milliseconds after a push in which everything comes to rest."""
HEALED = 30_000
"""Milliseconds until a page shows what this process has done: it hears of that by its heartbeat."""

POLL = 200
"""Milliseconds between two looks at what a page shows. Playwright's `expect` would restyle the page when it looks."""

WATCH = """
window.taps = {};
window.tasks = [];
const watch = (type, read, options = {}) =>
  new PerformanceObserver((list) => list.getEntries().forEach(read)).observe({ type, ...options });
watch("longtask", (it) => { tasks.push(it.duration); });
watch("event", (it) => {
  if (it.interactionId) taps[it.interactionId] = Math.max(taps[it.interactionId] ?? 0, it.duration);
}, { durationThreshold: 16 });
"""


@dataclass(frozen=True)
class Situation:
    """A match in which Ann is to move.

    Args:
        match: in the middle.
        tapped: what is tapped in turn, as selectors.
        go_on: makes the next move in it.
    """

    match: Match
    tapped: Sequence[str]
    go_on: Callable[[], object]


def situations(people: Sequence[User]) -> Mapping[str, Situation]:
    """Begin a match of each game."""
    from games.play.reducer.positions import legal_texts
    from tests.browser.matches import begun, play_on, play_until_turn_of
    from tests.people import act, running_match
    from tests.site.titles.small_islands import playing as islands
    from tests.unit.titles.small_islands.settlers import next_text

    stones = play_until_turn_of(begun(people, 9), 0)
    chess = running_match(people, game="card-chess", seed=bytes(range(32)))
    isles = islands.begun(list(people))
    for _ in range(3):
        islands.play_until(isles, "explore", 1)
        islands.play_until(isles, "explore", 0)

    def play_a_turn() -> None:
        for seat in (0, 1):
            act(chess, legal_texts(chess, seat)[0], seat)

    def settle() -> None:
        state = islands.state_of(isles)
        seat = min(state.table.to_move)
        act(isles, next_text(state, seat), seat)

    play_a_turn()
    return {
        "shifting-stones": Situation(
            stones, ("#hand input", "#cell-a1", "#cell-b2", "#cell-c3"), lambda: play_on(stones, 1)
        ),
        "card-chess": Situation(
            chess, ("#hand input >> nth=0", "#place-1", "#hand input >> nth=1", "#place-2"), play_a_turn
        ),
        "small-islands": Situation(isles, ("#row input >> nth=0", "#row input >> nth=1", "#turn-tile"), settle),
    }


def slowly(page: Page, match: Match) -> Page:
    """Open a match, and slow the page down once it has come to rest and has Playwright's own scripts."""
    page.add_init_script(f"{SEEN}\n{WATCH}")  # what happened before would lie over the board
    page.goto(match.get_absolute_url())
    page.wait_for_timeout(2 * IN_MOTION)
    page.locator("#status").bounding_box()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return page


def taps(browser: Browser, url: str, who: Person, situation: Situation) -> list[float]:
    """Return the milliseconds from each tap to the next frame."""
    with somebody(browser, url, who) as context:
        page = slowly(context.new_page(), situation.match)
        for number in range(TAPS):
            page.locator(situation.tapped[number % len(situation.tapped)]).first.click(force=True)
            page.wait_for_timeout(100)
        page.wait_for_timeout(500)
        return list(page.evaluate("Object.values(taps)"))


def pushes(browser: Browser, url: str, who: Person, situation: Situation) -> list[float]:
    """Return the milliseconds of the longest task of each push."""
    longest = []
    with somebody(browser, url, who) as context:
        page = slowly(context.new_page(), situation.match)
        for _ in range(PUSHES):
            page.evaluate("tasks.length = 0")
            situation.go_on()
            situation.match.refresh_from_db()
            shown = "(version) => document.getElementById('match').dataset.version === String(version)"
            page.wait_for_function(shown, arg=situation.match.version, polling=POLL, timeout=HEALED)
            page.wait_for_timeout(IN_MOTION)
            longest.append(max(page.evaluate("tasks"), default=0))
    return longest


def rows(browser: Browser, url: str, people: Sequence[Person], name: str, situation: Situation) -> Iterator[Row]:
    delays = taps(browser, url, people[0], situation)
    note = f"median {median(delays):.0f} ms of {len(delays)} taps, until the next frame is shown"
    yield Row(f"{name}: tap, 95th percentile", quantiles(delays, n=20)[-1], 100, "ms", note)
    tasks = pushes(browser, url, people[1], situation)
    note = f"each push: {', '.join(f'{task:.0f}' for task in tasks)} (0: none over 50)"
    yield Row(f"{name}: longest task of a push", max(tasks), 50, "ms", note)


def main() -> None:
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Playwright's synchronous interface keeps a loop running
    port = prepare()
    from tests.people import person

    begun = situations([person("Ann"), person("Bob")])
    people = [player("Ann"), player("Bob")]
    print(f"{'at quarter speed':46} {'measured':>8} {'budget':>8} {'unit':5} {'ratio':>6}")
    with served(port), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        for name, situation in begun.items():
            for row in rows(browser, f"http://127.0.0.1:{port}", people, name, situation):
                print(row, flush=True)
        browser.close()


if __name__ == "__main__":
    main()
