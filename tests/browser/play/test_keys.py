"""Single keys: they act on boards alone, can be switched off by everybody, and give no turn away unasked."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from accounts.moments import today
from games.play.models import Match
from tests.browser.player import connected, in_a_moment
from tests.people import act, person, running_match
from tests.waiting import wait_until

Enter = Callable[..., Page]

SIGNS = string.ascii_letters + string.digits + string.punctuation

STATE = """() => JSON.stringify([
  location.href, document.querySelector("[data-length]")?.dataset.length, document.getElementById("hint")?.textContent,
  [...document.querySelectorAll(":checked:not(#single-keys)")].map((it) => it.id), document.activeElement.id,
  document.querySelectorAll("dialog[open], :popover-open").length,
  document.querySelector("#map")?.getAttribute("viewBox"),
  document.getElementById("play")?.getAttribute("aria-pressed"),
])"""
"""Everything a key could have changed."""


def pressed(page: Page, signs: str) -> bool:
    """Press keys one after the other, the focus being nowhere; say whether any of them did something."""
    page.evaluate("document.activeElement.blur()")
    before = page.evaluate(STATE)
    for sign in signs:
        page.keyboard.press(sign)
    page.wait_for_timeout(200)
    return bool(page.evaluate(STATE) != before)


TYPE = """(signs) => {
  for (const key of signs) {
    for (const type of ["keydown", "keyup"]) {
      document.activeElement.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true }));
    }
  }
}"""


def typed(page: Page, signs: str) -> bool:
    """Let a script press keys, which is ten times as quick; say whether any of them did something."""
    page.evaluate("document.activeElement.blur()")
    before = page.evaluate(STATE)
    page.evaluate(TYPE, signs)
    page.wait_for_timeout(200)
    return bool(page.evaluate(STATE) != before)


@pytest.fixture
def boards(live_site: object) -> Mapping[str, Match]:
    """Matches in which `ann` is to move, by game."""
    users = [person("ann"), person("bob")]
    return {game: running_match(users, game=game) for game in ("card-chess", "shifting-stones", "small-islands")}


def test_no_single_key_does_anything_once_it_is_switched_off(enter: Enter, boards: Mapping[str, Match]) -> None:
    """On every page with keys of its own; with the switch on, one of them is enough."""
    ann = User.objects.get(username="ann")
    matches = [match.get_absolute_url() for match in boards.values()]
    replay = f"{matches[1]}replay/"
    puzzles = [f"/puzzles/{game}/{today()}/" for game in boards]
    lessons = ["/learn/shifting-stones/what-lies-there/"]
    acts = dict(zip((*matches, *puzzles, replay, *lessons), "11+11+??", strict=True))
    act(boards["shifting-stones"], "end")
    act(boards["shifting-stones"], "end")
    on = enter(ann, "/")
    for address, sign in acts.items():
        on.goto(address)
        assert typed(on, sign), address
    User.objects.filter(pk=ann.pk).update(single_keys=False)
    visitor = enter(None, "/")
    visitor.evaluate("localStorage.setItem('tessera-single-keys', 'off')")
    for page, addresses in ((on, acts), (visitor, [puzzles[0], *lessons, replay])):  # the boards are those of members
        for address in addresses:
            page.goto(address)
            assert not typed(page, SIGNS + " "), address
            assert not pressed(page, acts[address]), address
            expect(page.locator("[aria-keyshortcuts]")).to_have_count(0)
    assert [match.actions.count() for match in boards.values()] == [0, 2, 0]


@pytest.mark.parametrize("member", [True, False])
def test_everybody_can_switch_them_off_where_they_are_listed(enter: Enter, member: bool) -> None:
    ann = person("ann")
    page = enter(ann if member else None, f"/puzzles/shifting-stones/{today()}/")
    for is_on in (False, True):
        page.get_by_role("button", name="Shortcuts").click()
        page.get_by_label("Shortcuts with single keys").set_checked(is_on)
        page.get_by_role("button", name="Close").click()
        if member:
            wait_until(User.objects.filter(pk=ann.pk, single_keys=is_on).exists)
        page.reload()
        expect(page.locator("html")).to_have_attribute("data-single-keys", "on" if is_on else "off")
        assert pressed(page, "?") == is_on


def test_keys_pressed_while_writing_or_choosing_from_a_list_do_nothing_else(
    enter: Enter, boards: Mapping[str, Match]
) -> None:
    """Letters choose in a list: what they would do on the board is not done as well."""
    page = enter(User.objects.get(username="ann"), boards["card-chess"].get_absolute_url())
    page.evaluate("""() => {
      const field = Object.assign(document.createElement("select"), {id: "list"});
      const text = Object.assign(document.createElement("input"), {id: "text"});
      document.getElementById("chess-board").append(field, text);
    }""")
    for field in ("#list", "#text"):
        page.locator(field).focus()
        before = page.evaluate(STATE)
        for sign in "1sgtnlu?":
            page.keyboard.press(sign)
        assert page.evaluate(STATE) == before
    expect(page.locator("#text")).to_have_value("1sgtnlu?")


HEIGHT_BELOW = "(it) => innerHeight - it.getBoundingClientRect().bottom"


def test_a_turn_is_not_given_away_by_one_key_or_by_one_that_is_held(enter: Enter, boards: Mapping[str, Match]) -> None:
    match = boards["shifting-stones"]
    page = connected(enter(User.objects.get(username="ann"), match.get_absolute_url()))
    for _ in range(2):
        page.keyboard.press("d")
        expect(page.locator("#verb-skip")).to_be_focused()
    with in_a_moment(page):
        page.keyboard.press("e")
        expect(page.get_by_role("alert")).to_contain_text("You haven’t done anything this turn.")
        expect(page.locator("#sure")).to_be_focused()
        assert page.locator("#notice").evaluate(HEIGHT_BELOW) < 10, "the question is not near the thumb"
        page.keyboard.press("Enter")  # the end of a double press
    assert match.actions.count() == 0
    page.goto(page.url)
    connected(page)
    page.locator("#verb-end").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#sure")).to_be_focused()
    page.wait_for_timeout(600)
    page.keyboard.press("Enter")
    expect(page.locator("#match")).to_have_attribute("data-length", "1")
    expect(page.locator("#status")).to_be_focused()


def test_a_turn_is_skipped_without_a_question(enter: Enter, boards: Mapping[str, Match]) -> None:
    """Its button says all that it does."""
    match = boards["shifting-stones"]
    page = connected(enter(User.objects.get(username="ann"), match.get_absolute_url()))
    page.keyboard.press("d")
    page.keyboard.press("Enter")
    expect(page.locator("#match")).to_have_attribute("data-length", "1")
    assert match.actions.get().text == "skip"
