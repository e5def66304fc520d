"""Actions done on the real boards of lessons with a mouse, a finger, keys, or without a script, from their notation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from playwright.sync_api import Locator, Page, expect

from tests.site.titles.small_islands.playing import touch_on_map

STILL: Final = {"reduced_motion": "reduce"}
PHONE: Final = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True, **STILL}

_MOST_STEPS: Final = 90
"""So many keys may lead from one thing of a page to another."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to use a page.

    Args:
        name: what is used: "mouse", "touch", "keys", or "forms" where no script runs.
        look: the options of the browser's context.
    """

    name: str
    look: Mapping[str, Any]

    @property
    def is_by_keys(self) -> bool:
        return self.name == "keys"

    def press(self, found: Locator) -> None:
        """Press a button or a link."""
        if self.name == "touch":
            found.tap()
        elif self.is_by_keys:
            reach(found)
            found.page.keyboard.press("Enter")
        else:
            found.click()

    def choose(self, found: Locator) -> None:
        """Choose a radio button or a checkbox: with a pointer by its label, if that lies around it."""
        if found.is_checked():  # a card that was played can come back at once, and is still chosen
            return
        if self.is_by_keys:
            reach(found)
            found.page.keyboard.press("Space")
        else:
            label = found.locator("xpath=ancestor::label")
            self.press(label if label.count() else found)
        expect(found).to_be_checked()


MOUSE = Way("mouse", STILL)
TOUCH = Way("touch", PHONE)
KEYS = Way("keys", STILL)
FORMS = Way("forms", {"java_script_enabled": False})
WAYS = (MOUSE, TOUCH, KEYS)


def reach(found: Locator) -> None:
    """Tab on until something has the focus; within a group of radio buttons the arrows lead on."""
    for _ in range(_MOST_STEPS):
        at = found.evaluate("""(wanted) => {
            const active = document.activeElement;
            if (active === wanted) return "there";
            return wanted.type === "radio" && active.name === wanted.name ? "group" : "elsewhere";
        }""")
        if at == "there":
            return
        found.page.keyboard.press("ArrowDown" if at == "group" else "Tab")
    raise AssertionError(f"keys do not lead to {found}")


def do(page: Page, way: Way, text: str) -> None:
    """Do an action on the board of a lesson: choose what it names, and press the button that decides."""
    do_in(str(page.locator("#page").get_attribute("data-game")), page, way, text)


def do_in(game: str, page: Page, way: Way, text: str) -> None:
    """Do an action on the board of a game; one that is not here has a button for each action."""
    verb, *words = text.split()
    if game in _GAMES:
        _GAMES[game](page, way, verb, words)
    else:
        way.press(page.locator(f'button[name=action][value="{text}"]'))


# --- Shifting Stones --------------------------------------------------------------------------------------------------

_VERB_KEYS: Final = {"shift": "x", "flip": "f", "score": "s", "end": "e", "skip": "d"}


def _stones(page: Page, way: Way, verb: str, words: Sequence[str]) -> None:
    for cell in words[1:]:
        found = page.locator(f"#cell-{cell}")
        if way.is_by_keys:
            _walk(page, "cell-", [ord(letter) for letter in cell], lambda name: [ord(letter) for letter in name])
            page.keyboard.press("Enter")
            expect(found).to_be_checked()
        else:
            way.choose(found)
    for card in words[:1]:
        if way.is_by_keys:
            slot = page.locator(f"#held-{card}").evaluate("({ dataset }) => Number(dataset.place) + 1")
            page.keyboard.press(str(slot))
            expect(page.locator(f"#card-{card}")).to_be_checked()
        else:
            way.choose(page.locator(f"#card-{card}"))
    _decide(page, way, f"#verb-{verb}", _VERB_KEYS[verb])


def _index(page: Page, selector: str, value: str) -> int:
    """Return the number, from 1, of the input with a value."""
    values: list[str] = page.eval_on_selector_all(selector, "inputs => inputs.map(({ value }) => value)")
    return values.index(value) + 1


def _decide(page: Page, way: Way, button: str, key: str) -> None:
    """Press a button, with keys by its letter; in a list letters choose, so one goes on to the button itself."""
    if way.is_by_keys and not page.locator("select:focus").count():
        page.keyboard.press(key)
    else:
        way.press(page.locator(button))


def _walk(page: Page, prefix: str, goal: Sequence[int], place: Callable[[str], Sequence[int]]) -> None:
    """Go with the arrow keys over the cells of a board, whose ids have a prefix, until one is reached."""
    for _ in range(_MOST_STEPS):
        here = str(page.evaluate("document.activeElement.id"))
        if not here.startswith(prefix):
            page.keyboard.press("ArrowDown" if here == "status" else "Tab")
            continue
        far = [there - now for there, now in zip(goal, place(here.removeprefix(prefix)), strict=True)]
        if not any(far):
            return
        for axis in sorted((0, 1), key=lambda axis: -abs(far[axis])):
            page.keyboard.press((("ArrowLeft", "ArrowRight"), ("ArrowUp", "ArrowDown"))[axis][far[axis] > 0])
            if page.evaluate("document.activeElement.id") != here:
                break
    raise AssertionError(f"the arrows do not lead to {goal}")


# --- 3D cardChess -----------------------------------------------------------------------------------------------------


def _cards(page: Page, way: Way, verb: str, words: Sequence[str]) -> None:
    assert verb == "play"
    if way is FORMS:
        for place, card in enumerate(words, start=1):
            page.locator(f"#pick-{place}").select_option(card)
        way.press(page.locator("#confirm"))
        return
    slots: list[str] = page.eval_on_selector_all("#pick-1 option", "options => options.map(({ value }) => value)")
    for place, card in enumerate(words, start=1):
        slot = slots.index(card)
        slots[slot] = ""  # of two equal cards the other one comes next
        if way.is_by_keys:
            page.keyboard.press(str(slot))
            page.keyboard.press(str(place))
        else:
            way.choose(page.locator(f"#card-{slot}"))
            way.press(page.locator(f"#place-{place}"))
        expect(page.locator(f"#column-{place}")).to_have_attribute("data-holds", str(slot))
    _decide(page, way, "#confirm", "s")


# --- Small Islands ----------------------------------------------------------------------------------------------------


def _islands(page: Page, way: Way, verb: str, words: Sequence[str]) -> None:
    if verb == "choose":
        _objectives(page, way, words)
    elif verb == "settle":
        for site in words:
            way.choose(page.locator(f'[id="site-{site}"]'))
    elif verb == "explore":
        _explore(page, way, words)
    else:
        _tile(page, way, f"#tile-{words[0]}")
        _lay(page, way, words[1], words[2] if words[2:] else "")
    discards = words[-1:] == ["discard"]
    if discards:
        way.press(page.locator("#verb-discard"))
    else:
        _decide(page, way, "#verb-send", "s")


def _objectives(page: Page, way: Way, words: Sequence[str]) -> None:
    half = len(words) // 2
    for when, cards in (("now", words[:half]), ("next", words[half:])):
        for card in cards:
            deck = {"m": "missions", "r": "rewards"}.get(card[0], "objectives")
            way.choose(page.locator(f"#{when}-{deck}-{card.lstrip('mr')}"))


def _explore(page: Page, way: Way, words: Sequence[str]) -> None:
    slot, tile, *rest = words
    _tile(page, way, f'[name=slot][value^="{slot}:"]')
    if page.locator(f"#tile-{tile}").count():
        _tile(page, way, f"#tile-{tile}")
    if rest != ["discard"]:
        _lay(page, way, rest[0], rest[1])
        if rest[2:]:
            _token(page, way, rest[0], rest[3:])


def _tile(page: Page, way: Way, tile: str) -> None:
    found = page.locator(tile)
    if way.is_by_keys:
        inputs = "#row input, #hand input:not(#tile-taken), #ships input"
        page.keyboard.press(str(_index(page, inputs, str(found.get_attribute("value")))))
        expect(found).to_be_checked()
    else:
        way.choose(found)


def _lay(page: Page, way: Way, cell: str, turn: str) -> None:
    """Choose a cell, and turn the tile while turning it counts."""
    found = page.locator(f'[id="cell-{cell}"]')
    if way.is_by_keys:
        _walk(page, "cell-", _numbers(cell), _numbers)
        page.keyboard.press("Enter")
    elif way is FORMS:
        way.choose(page.locator(f"#turn-{turn or 0}"))  # the cells that are offered are those for this turn
        way.choose(found)
    else:
        touch_on_map(page, found, way.press)
    expect(found).to_be_checked()
    button = page.locator("#turn-tile")
    while turn and not page.locator(f"#turn-{turn}").is_checked() and button.is_visible():
        before = page.locator("[name=turn]:checked").input_value()
        _decide(page, way, "#turn-tile", "r")
        expect(page.locator(f"#turn-{before}")).not_to_be_checked()


def _numbers(cell: str) -> Sequence[int]:
    return [int(number) for number in cell.split(",")]


def _token(page: Page, way: Way, cell: str, words: Sequence[str]) -> None:
    """Lay a bonus token: choose it, then its place, with a pointer on the map."""
    use, place, *over = words
    way.press(page.locator("#bonus > summary"))
    where = " ".join((use, "new" if place == cell else place, *over))
    if way is FORMS:  # without a script there is one list of all choices
        page.locator("#token-where").select_option(where)
        return
    way.choose(page.locator(f'[name=token-use][value="{use}"]'))
    target = page.locator(f'.target[data-where="{where}"]')
    if way.is_by_keys:
        way.choose(target)
    else:
        touch_on_map(page, target, way.press)
    expect(page.locator("#token-where")).to_have_value(where)


_GAMES: Final[Mapping[str, Callable[[Page, Way, str, Sequence[str]], None]]] = {
    "shifting-stones": _stones,
    "card-chess": _cards,
    "small-islands": _islands,
}
