"""A person who plays Small Islands on its page, by pressing what a simple player would choose."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from games.play.access import ViewedMatch
from games.play.models import Action, Match
from games.play.reducer import positions
from games.titles.small_islands.rules.state import State
from tests.people import as_stored, go_on, running_match
from tests.unit.titles.small_islands.settlers import next_text

Enter: TypeAlias = Callable[..., Page]
Press: TypeAlias = Callable[[Locator], None]

SEED = bytes(range(32))


def begun(players: list[User], **options: str) -> Match:
    return running_match(players, game="small-islands", options=options, seed=SEED)


def state_of(match: Match) -> State:
    match.refresh_from_db()
    state: State = positions.decode_state(match)
    return state


def play_until(match: Match, phase: str, seat: int, round_: int = 1, most: int = 60) -> State:
    """Let simple players go on until it is this phase and this seat's turn, in this round or a later one."""
    seen = as_stored(match)
    for _ in range(most):
        state: State = positions.decode_state(seen.match)
        mover = min(state.table.to_move)
        if (state.table.phase, mover) == (phase, seat) and state.table.round >= round_:
            match.refresh_from_db()
            return state
        seen = simply(seen)
    raise AssertionError(f"no {phase} of seat {seat}")


def play_to_the_end(match: Match) -> None:
    """Let simple players go on until the match is over."""
    seen = as_stored(match)
    while seen.match.is_running:
        seen = simply(seen)


def simply(seen: ViewedMatch) -> ViewedMatch:
    """Let the simple player who is to move act."""
    state: State = positions.decode_state(seen.match)
    mover = min(state.table.to_move)
    return go_on(seen, mover, next_text(state, mover))


def texts() -> list[str]:
    return list(Action.objects.order_by("number").values_list("text", flat=True))


def sent(page: Page, length: int) -> None:
    """Wait until the page shows the position after this many actions."""
    expect(page.locator("#match")).to_have_attribute("data-length", str(length))


# --- by pressing -----------------------------------------------------------------------------------------------------


def click(place: Locator) -> None:
    place.click()


PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def tap(place: Locator) -> None:
    """Tap once the page is painted where it has been scrolled to: until then a pinned line may be hit where it lay."""
    place.scroll_into_view_if_needed()
    place.page.evaluate(PAINTED)
    place.tap()


def play(page: Page, match: Match, seat: int, press: Press) -> None:
    """Do on the page what the simple player in this seat does next, by pressing what the page offers."""
    text = next_text(state_of(match), seat)
    before = match.length
    verb, *words = text.split()
    {"choose": choose_cards, "start": _start, "explore": _explore, "land": _land, "settle": settle}[verb](
        page, words, press
    )
    expect(page.locator("#page")).not_to_have_attribute("data-fresh", "")
    press(page.locator("#verb-send"))
    sent(page, before + 1)
    assert _told(texts()[-1]) == _told(text)


def _told(text: str) -> list[str]:
    """Return an action without what makes no difference: the order of its Houses, and what is put aside at last."""
    if text.startswith("choose"):
        return text.split()[:2]
    return sorted(text.split()) if text.startswith("settle") else text.split()


def choose_cards(page: Page, words: list[str], press: Press) -> None:
    for when, card in zip(("now", "next"), words, strict=True):
        if when == "now" or page.locator("[name=next-objectives]").count():
            press(page.locator(f"#{when}-objectives-{card}"))


def _start(page: Page, words: list[str], press: Press) -> None:
    face, cell, turn = words
    press(page.locator(f"#tile-{face}"))
    _place(page, cell, turn, press)


def _explore(page: Page, words: list[str], press: Press) -> None:
    slot, tile, cell, turn = words
    press(page.locator(f'[name=slot][value^="{slot}:"]'))
    if page.locator(f"#tile-{tile}").count():
        press(page.locator(f"#tile-{tile}"))
    _place(page, cell, turn, press)


def _place(page: Page, cell: str, turn: str, press: Press) -> None:
    """Turn the tile until it lies this way, on a cell where it fits."""
    touch_on_map(page, page.locator(f'[id="cell-{cell}"]'), press)
    for _ in range(4):
        if page.locator(f"#turn-{turn}").is_checked():
            break
        button = page.locator("#turn-tile")  # it goes where turning changes nothing that counts
        press(button) if button.is_visible() else page.keyboard.press("r")
    expect(page.locator(f"#turn-{turn}")).to_be_checked()
    expect(page.locator("#ghost use")).to_have_count(1)


def _land(page: Page, words: list[str], press: Press) -> None:
    ship, cell = words
    press(page.locator(f"#tile-{ship}"))
    touch_on_map(page, page.locator(f'[id="cell-{cell}"]'), press)


BEYOND = """(place) => {
  const [map, box] = [document.getElementById("map"), place].map((it) => it.getBoundingClientRect());
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return x < map.left || x > map.right || y < map.top || y > map.bottom;
}"""


def touch_on_map(page: Page, place: Locator, press: Press) -> None:
    """Choose a place, on the whole map if it lies beyond what is near."""
    at_rest(page)
    if place.evaluate(BEYOND):
        press(page.locator("#fit"))
    press(place)


def at_rest(page: Page) -> None:
    """Wait until the map comes no nearer."""
    page.evaluate(PAINTED)
    expect(page.locator("#map")).not_to_have_class(re.compile("gliding"))


def settle(page: Page, words: list[str], press: Press) -> None:
    for site in words or (["none"] if page.locator("#no-house").count() else []):
        press(page.locator("#no-house" if site == "none" else f'[id="site-{site}"]'))


# --- by keys alone ---------------------------------------------------------------------------------------------------


def play_by_keys(page: Page, match: Match) -> None:
    """Act once in seat 0 with the keyboard alone: land when that is possible, settle one House."""
    phase, before = state_of(match).table.phase, match.length
    if phase == "choose":
        _tab_to(page, "[name=now-objectives]", "Space")
        if page.locator("[name=next-objectives]").count():
            _tab_to(page, "[name=next-objectives]", "ArrowDown")
    elif phase == "reward":
        if page.locator(".site").count():
            _tab_to(page, ".site", "Space")
    else:
        _place_by_keys(page, "r" if phase == "start" or not page.locator("#ships").count() else "")
    expect(page.locator("#page")).not_to_have_attribute("data-fresh", "")
    page.keyboard.press("s")
    sent(page, before + 1)


def _tab_to(page: Page, selector: str, key: str) -> None:
    """Tab from control to control until there, and press a key."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return page.keyboard.press(key)
    raise AssertionError(f"no way to {selector}")


def _place_by_keys(page: Page, turn: str) -> None:
    """Take a ship, else the first tile that fits somewhere; go two steps over the map and choose what is reached."""
    tiles = page.locator("#row input, #hand input:not(#tile-taken)").count()
    ships = page.locator("#ships input").count()
    for number in range(tiles + ships, tiles, -1) if ships else range(1, tiles + 1):
        page.keyboard.press(str(number))
        if "nowhere" not in str(page.locator("#hint").text_content()):
            break
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "Enter", turn):
        if key:
            page.keyboard.press(key)
    expect(page.locator(".cell:checked")).to_be_focused()
    expect(page.locator("#ghost use")).to_have_count(1)
