"""Motion and sound: what changes on a board moves for everyone who sees it, and can be heard by who wants to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play import commands
from games.play.models import Match
from games.play.reducer import positions
from games.titles.shifting_stones.rules.patterns import CELLS, OTHER_SIDE
from tests.browser.matches import begun
from tests.browser.player import HASTE, connected
from tests.browser.windows import PAINTED
from tests.people import act, person, running_match
from tests.serving import Site
from tests.site.titles.small_islands import playing as islands

pytestmark = pytest.mark.browser

Enter = Callable[..., Page]

WATCH = r"""
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
  window.largest = Math.max(window.largest ?? 0, /scale\((.+)\)/.exec(how[0][0].transform)?.[1] ?? 0);
  return start.apply(this, how);
};
"""
"""Notes what is set in motion, and how many times as large as it will be anything sets out."""

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
    page.evaluate(PAINTED)
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


def test_cards_that_are_drawn_come_from_the_draw_pile_for_everyone(watch: Enter, people: list[User]) -> None:
    match = begun(people)
    mine, others = watch(people[0], match), watch(None, match)
    while match.seats.get(number=0).to_move:
        held = set(_hand(mine))
        act(match, next((text for text in positions.legal_texts(match, 0) if text.startswith("flip")), "end"), 0)
        moved = shows(mine, match)
    drawn = set(_hand(mine)) - held
    assert drawn <= set(moved)
    assert drawn
    assert any_of(shows(others, match), "travels #card-back")
    expect(others.locator(".travelling")).to_have_count(0)


def _hand(page: Page) -> list[str]:
    names: list[str] = page.locator("#hand .pattern").evaluate_all("(cards) => cards.map(({ id }) => id)")
    return names


@pytest.mark.parametrize(("width", "height"), [(360, 640), (1280, 900)])
def test_the_piles_of_a_told_turn_slide_to_their_winners_and_new_cards_are_dealt(
    watch: Enter, people: list[User], width: int, height: int
) -> None:
    match = running_match(people, game="card-chess", seed=bytes(range(32)))
    page = watch(people[0], match, viewport={"width": width, "height": height})
    _play_a_turn(match)
    shows(page, match)
    page.wait_for_timeout(HASTE)
    page.locator("#show-piles").click()
    page.wait_for_timeout(HASTE)
    page.locator("#last-turn .go-on").click()
    expect(page.locator("html")).not_to_have_attribute("data-reading", "")
    moved = shows(page, match)
    assert any_of(moved, "travels #c-")
    assert "face" in moved
    expect(page.locator(".travelling")).to_have_count(0)
    assert 0 < page.evaluate("window.largest") < 2


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


def test_the_objective_that_is_chosen_goes_to_its_place(watch: Enter, people: list[User]) -> None:
    match = islands.begun(people)
    page = watch(people[0], match, viewport={"width": 1280, "height": 900})
    act(match, positions.legal_texts(match, 0)[0], 0)
    assert {"ruling mission", "ruling reward"} <= set(shows(page, match))
    expect(page.locator("#objective")).to_be_visible()


def test_a_bonus_token_that_is_placed_comes_down(watch: Enter, people: list[User]) -> None:
    match = islands.begun(people)
    islands.play_until(match, "explore", 0)
    page = watch(people[1], match, viewport={"width": 1280, "height": 900})
    act(match, next(text for text in positions.legal_texts(match, 0) if " token " in text), 0)
    assert "use" in shows(page, match)
    expect(page.locator("#tiles [href='#token']")).to_have_count(1)


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
    match = islands.begun(people[:1], alexis="night")  # alone, whose turn comes again at once
    islands.play_until(match, "explore", 0)
    page = watch(people[0], match, viewport={"width": 1280, "height": 900})
    page.evaluate(SLOWLY)
    held = page.locator("#hand .pick:not(#taken)").evaluate_all("(tiles) => tiles.map(({ id }) => id)")
    act(match, next(text for text in positions.legal_texts(match, 0) if _keeps_what_it_takes(text, held)), 0)
    moving = next(each for each in shows(page, match) if each.startswith("held-"))

    page.mouse.move(*page.locator(f"#{moving}").evaluate(MIDDLE))
    page.mouse.down()
    page.evaluate(TIME_PASSES)
    page.mouse.up()
    expect(page.locator(f"#{moving} input")).to_be_checked()
    page.evaluate(TIME_PASSES)
    assert page.evaluate("document.getAnimations().every(({ playState }) => playState === 'finished')")


def _keeps_what_it_takes(text: str, held: Sequence[str]) -> bool:
    """Return whether an action places a tile from the hand, so that the one from the row comes into it."""
    verb, *words = text.split()
    return verb == "explore" and f"held-{words[1]}" in held


def test_stones_that_are_turned_while_others_turn_are_told_apart(watch: Enter, people: list[User]) -> None:
    match = begun(people)
    page = watch(people[1], match)
    page.evaluate(SLOWLY)
    first, second, third, _ = positions.decode_state(match).hands[0]
    front, back = _two_sides_of_a_kind(positions.decode_state(match).grid)
    for card, cell in ((first, front), (second, back), (third, front)):
        act(match, f"flip {card} {CELLS[cell]}", 0)
        shows(page, match)
    page.evaluate(TIME_PASSES)
    expect(page.locator(".leaving")).to_have_count(0)
    assert page.complaints == []  # type: ignore[attr-defined]  # see `enter`


def _two_sides_of_a_kind(grid: Sequence[str]) -> tuple[int, int]:
    """Return two cells that show the two sides of one kind of stone."""
    return next((cell, grid.index(OTHER_SIDE[face])) for cell, face in enumerate(grid) if OTHER_SIDE[face] in grid)


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
    page.evaluate(PAINTED)
    assert page.evaluate("window.moved.length") == stepped


# --- sound ----------------------------------------------------------------------------------------------------------


def test_nothing_is_heard_until_sound_is_switched_on_and_after_it_is_switched_off(
    watch: Enter, people: list[User]
) -> None:
    match = begun(people)
    page = watch(people[1], match)
    switch = page.locator("#sound")
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


KINDS = """
window.kinds = [];
window.painted = Infinity;
const KINDS = { 190: "stone", 3200: "card", 140: "tile", 523: "capture", 659: "turn", 1000: "clock", 392: "end" };
const note = (pitch) => { if (KINDS[pitch]) window.kinds.push([KINDS[pitch], window.painted]); };
const set = AudioParam.prototype.setValueAtTime;
AudioParam.prototype.setValueAtTime = function (value, at) { note(value); return set.call(this, value, at); };
const own = Object.getOwnPropertyDescriptor(AudioParam.prototype, "value");
const noted = { set(value) { note(value); own.set.call(this, value); } };
Object.defineProperty(AudioParam.prototype, "value", { ...own, ...noted });
new MutationObserver(() => {
  window.painted = 0;
  requestAnimationFrame(() => { window.painted += 1; });
}).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-length", "data-status"] });
"""
"""Notes by its pitch what is heard, and whether the board it belongs to had begun to be painted."""


def hears(page: Page, *kinds: str) -> None:
    """Wait until all of these have been heard, none of them before the board was painted."""
    page.wait_for_function("(all) => all.every((kind) => window.kinds.some(([heard]) => heard === kind))", arg=kinds)
    assert all(painted for _kind, painted in page.evaluate("window.kinds.splice(0)"))


def _listening(watch: Enter, user: User, match: Match, **options: Any) -> Page:
    """Open a match as somebody who has switched the sound on."""
    page = watch(user, match, **options)
    page.evaluate(f"() => {{ {KINDS} }}")
    page.locator("#sound").click()
    hears(page, "turn")
    return page


def test_each_event_has_its_sound_once_it_is_painted(watch: Enter, people: list[User]) -> None:
    match = running_match(people, seed=bytes(range(32)), clock="300+10/600")
    page = _listening(watch, people[1], match)
    for text, kinds in (("score 39", ["capture"]), ("flip 33 c3", ["stone", "card"]), ("end", ["turn"])):
        act(match, text, 0)
        hears(page, *kinds)
    page.locator("#player-1 .clock").evaluate("(clock) => { clock.dataset.low = 1e9; }")  # little time is left
    hears(page, "clock")
    commands.resign(match.pk, 0, "resigning-now")
    hears(page, "end")


def test_a_tile_is_heard(watch: Enter, people: list[User]) -> None:
    match = islands.begun(people)
    islands.play_until(match, "explore", 0)
    page = _listening(watch, people[1], match, viewport={"width": 1280, "height": 900})
    act(match, next(text for text in positions.legal_texts(match, 0) if text.startswith("explore")), 0)
    hears(page, "tile")


@pytest.mark.parametrize(("touch", "ticks"), [(True, [8]), (False, [])])
def test_a_finger_feels_what_it_chooses_and_a_mouse_does_not(
    enter: Enter, people: list[User], touch: bool, ticks: list[int]
) -> None:
    page = enter(people[0], "/lobby/", has_touch=touch, is_mobile=touch, viewport={"width": 360, "height": 640})
    page.add_init_script("window.felt = []; navigator.vibrate = (length) => window.felt.push(length);")
    page.goto(begun(people).get_absolute_url())
    connected(page).locator("#cell-b2").check()
    assert page.evaluate("window.felt") == ticks


def test_the_end_of_a_match_is_heard(watch: Enter, people: list[User]) -> None:
    match = begun(people)
    page = watch(people[1], match)
    page.locator("#sound").click()
    page.wait_for_function("() => window.heard >= 2")  # of your turn
    heard = page.evaluate("window.heard")
    commands.resign(match.pk, 0, "resigning-now")
    expect(page.locator("#match[data-status=running]")).to_have_count(0)
    page.wait_for_function("(before) => window.heard >= before + 4", arg=heard)
