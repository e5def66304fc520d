"""Motion and sound: what changes on a board moves for everyone who sees it, and can be heard by who wants to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play.course import positions
from games.play.matches import services
from games.play.models import Match
from tests.browser.matches import begun
from tests.browser.player import connected
from tests.people import act, person, running_match
from tests.serving import Site
from tests.titles.small_islands import playing as islands
from tests.titles.small_islands.settlers import next_text

pytestmark = pytest.mark.browser

Enter = Callable[..., Page]

WATCH = """
window.moved = [];
const named = (element) => element.id || element.getAttribute("class") || element.localName;
new MutationObserver((records) => {
  for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
    const drawing = node.classList?.contains("travelling") && node.firstElementChild.getAttribute("href");
    if (drawing) window.moved.push(`travels ${drawing}`);
  }
}).observe(document, { childList: true, subtree: true });
const start = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  window.moved.push(named(this));
  return start.apply(this, how);
};
"""
"""Notes what is set in motion."""

HEAR = """
window.heard = 0;
for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
  const start = kind.prototype.start;
  kind.prototype.start = function (...when) { window.heard += 1; return start.apply(this, when); };
}
"""
"""Counts the tones and noises a page makes."""


@pytest.fixture
def people(live_site: Site) -> list[User]:
    return [person("ann"), person("bob")]


@pytest.fixture
def watch(enter: Enter) -> Enter:
    """Open a match as somebody and note what moves there."""

    def open_match(user: User | None, match: Match, motion: str = "no-preference", **options: Any) -> Page:
        page = enter(user, "/lobby/", reduced_motion=motion, **options)
        page.add_init_script(WATCH)
        page.add_init_script(HEAR)
        page.goto(match.get_absolute_url())
        expect(connected(page).locator("#page")).to_have_attribute("data-moves", "")
        return page

    return open_match


def shows(page: Page, match: Match) -> list[str]:
    """Return what moved until the page shows the match as it is."""
    match.refresh_from_db()
    expect(page.locator("#match")).to_have_attribute("data-length", str(match.length))
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    moved: list[str] = page.evaluate("window.moved")
    return moved


def any_of(moved: Sequence[str], start: str) -> bool:
    return any(each.startswith(start) for each in moved)


# --- motion ---------------------------------------------------------------------------------------------------------


def test_stones_that_another_player_turned_or_swapped_move(watch: Enter, people: list[User]) -> None:
    match = begun(people)
    page = watch(people[1], match)
    flip = next(text for text in positions.legal_texts(match, 0) if text.startswith("flip"))
    act(match, flip, 0)
    moved = shows(page, match)
    assert any_of(moved, "stone f-")
    expect(page.locator(".leaving")).to_have_count(0)


def test_a_card_travels_from_the_hand_to_its_pile(watch: Enter, people: list[User]) -> None:
    match = begun(people)
    page = watch(people[0], match)
    act(match, next(text for text in positions.legal_texts(match, 0) if text.startswith("flip")), 0)
    assert any_of(shows(page, match), "travels #face-")
    expect(page.locator(".travelling")).to_have_count(0)


def test_the_piles_of_a_told_turn_slide_to_their_winners_and_new_cards_are_dealt(
    watch: Enter, people: list[User]
) -> None:
    match = running_match(people, game="card-chess", options={"length": "one_challenge"}, seed=bytes(range(32)))
    page = watch(people[0], match, viewport={"width": 1280, "height": 900})
    _play_a_turn(match)
    shows(page, match)
    page.locator("#last-turn .go-on").click()
    expect(page.locator("html")).not_to_have_attribute("data-reading", "")
    moved = shows(page, match)
    assert any_of(moved, "travels #c-")
    assert "face" in moved
    expect(page.locator(".travelling")).to_have_count(0)


def _play_a_turn(match: Match) -> None:
    """Play the turn: both players play the strongest of their cards."""
    for seat in (0, 1):
        legal = positions.legal_texts(match, seat)
        act(match, max(legal, key=lambda text: text.count("Q") + text.count("K")), seat)


def test_a_tile_that_another_player_placed_travels_from_the_row(watch: Enter, people: list[User]) -> None:
    match = islands.begun(people)
    islands.play_until(match, "explore", 0)
    page = watch(people[1], match, viewport={"width": 1280, "height": 900})
    taken = next(text for text in positions.legal_texts(match, 0) if text.startswith("explore"))
    act(match, taken, 0)
    moved = shows(page, match)
    assert any_of(moved, "travels #face-") or any_of(moved, "lies-")
    expect(page.locator(".travelling")).to_have_count(0)


SLOWLY = """(() => {
  const start = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    return start.call(this, frames, { ...options, duration: 60000 });
  };
})()"""
TIME_PASSES = """for (const animation of document.getAnimations()) {
  if (animation.playState === "running") animation.finish();
}"""
MIDDLE = """(element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""


def test_a_tile_that_is_pressed_while_it_moves_is_chosen(watch: Enter, people: list[User]) -> None:
    match = islands.begun(people)
    islands.play_until(match, "reward", 1)
    act(match, next_text(islands.state_of(match), 1), 1)
    islands.play_until(match, "choose", 1)
    page = watch(people[1], match, viewport={"width": 1280, "height": 900})
    page.evaluate(SLOWLY)
    act(match, next_text(islands.state_of(match), 1), 1)
    assert "up-1" in shows(page, match)

    page.mouse.move(*page.locator("#up-1").evaluate(MIDDLE))
    page.mouse.down()
    page.evaluate(TIME_PASSES)
    page.mouse.up()
    expect(page.locator("#up-1 input")).to_be_checked()
    page.evaluate(TIME_PASSES)
    assert page.evaluate("document.getAnimations().every(({ playState }) => playState === 'finished')")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_points_count_up_and_are_right_at_once(watch: Enter, people: list[User], motion: str) -> None:
    match = begun(people)
    page = watch(None, match, motion)
    counted = page.evaluate_handle("""() => {
      const seen = [];
      new MutationObserver((all) => all.forEach(({ target }) => seen.push(target.dataset.counting)))
        .observe(document.getElementById("page"), { subtree: true, attributeFilter: ["data-counting"] });
      return seen;
    }""")
    for _ in range(40):
        if any(fact != "0" for fact in page.locator("[data-fact=score] dd").all_text_contents()):
            break
        services_move(match)
        shows(page, match)
    points = page.locator("[data-fact=score] dd").all_text_contents()
    assert any(fact != "0" for fact in points)
    assert bool(page.evaluate("(seen) => seen.length", counted)) is (motion == "no-preference")


def services_move(match: Match) -> None:
    """Let the player to move do what scores, if anything does."""
    texts = positions.legal_texts(match, int(match.seats.get(to_move=True).number))
    act(match, next((text for text in texts if text.startswith("score")), texts[0]))


def test_nothing_is_set_in_motion_when_less_motion_is_asked_for(watch: Enter, people: list[User]) -> None:
    match = begun(people)
    page = watch(people[1], match, "reduce")
    act(match, next(text for text in positions.legal_texts(match, 0) if text.startswith("flip")), 0)
    assert shows(page, match) == []


def test_stones_move_in_a_replay_step_by_step_but_not_at_a_jump(watch: Enter, people: list[User]) -> None:
    match = begun(people, 6)
    page = watch(None, match)
    page.goto(f"{match.get_absolute_url()}replay/?at=0")
    expect(page.locator("[data-moves]")).to_have_count(1)
    page.locator("#step-after").click()
    expect(page.locator("#replay")).to_have_attribute("data-number", "1")
    page.wait_for_function("() => window.moved.length > 0")
    stepped = page.evaluate("window.moved.length")
    page.locator("#step-last").click()
    expect(page.locator("#replay")).to_have_attribute("data-number", "6")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("window.moved.length") == stepped


# --- sound ----------------------------------------------------------------------------------------------------------


def test_nothing_is_heard_until_sound_is_switched_on_and_after_it_is_switched_off(
    watch: Enter, people: list[User]
) -> None:
    match = begun(people)
    page = watch(people[1], match)
    switch = page.get_by_role("button", name="Sound")
    expect(switch).to_have_attribute("aria-pressed", "false")
    services_move(match)
    shows(page, match)
    assert page.evaluate("window.heard") == 0

    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => window.heard > 0")
    heard = page.evaluate("window.heard")
    services_move(match)
    shows(page, match)
    page.wait_for_function("(before) => window.heard > before", arg=heard)

    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    heard = page.evaluate("window.heard")
    services_move(match)
    shows(page, match)
    assert page.evaluate("window.heard") == heard


def test_the_end_of_a_match_is_heard(watch: Enter, people: list[User]) -> None:
    match = begun(people)
    page = watch(people[1], match)
    page.get_by_role("button", name="Sound").click()
    page.wait_for_function("() => window.heard >= 2")  # of your turn
    heard = page.evaluate("window.heard")
    services.resign(match.pk, 0, "resigning-now")
    expect(page.locator("#match[data-status=running]")).to_have_count(0)
    page.wait_for_function("(before) => window.heard >= before + 4", arg=heard)
