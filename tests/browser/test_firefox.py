"""The main flow in Firefox ESR (`make matrix`): register, meet at a table, play by clicks and keys, back, reload."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from games.play.models import Match
from tests.browser import firefox
from tests.browser.firefox import Firefox, Window
from tests.browser.planning import Seen, choose
from tests.browser.player import READ, link_sent_to
from tests.people import PASSWORD
from tests.serving import Site

pytestmark = pytest.mark.firefox

MOVES = 10

LENGTH = '() => Number(document.querySelector("#match")?.dataset.length)'
SHOWS = '(length) => document.querySelector("#match")?.dataset.length === length'
TO_MOVE = '() => Boolean(document.querySelector("#stones-board[data-mode=play]"))'
MARK = "() => { document.body.dataset.marked = 'yes'; }"
IS_MARKED = "() => document.body.dataset.marked === 'yes'"


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Firefox, Firefox]]:
    with firefox.running(tmp_path / "ann") as one, firefox.running(tmp_path / "bob") as other:
        yield one, other


def test_two_people_register_meet_and_play(two: tuple[Firefox, Firefox], live_site: Site) -> None:
    ann, bob = (_newcomer(browser, live_site, name) for browser, name in zip(two, ("Ann", "Bob"), strict=True))
    _sit_down_together(live_site, ann, bob)
    for number in range(1, MOVES + 1):
        mover, other = (ann, bob) if ann.read(TO_MOVE) else (bob, ann)
        _play(mover, with_keys=number % 2 == 0)
        for window in (mover, other):
            window.wait(SHOWS, str(number))
            assert window.read(IS_MARKED)  # was never loaded again
        assert ann.read(READ)["grid"] == bob.read(READ)["grid"]
    assert Match.objects.get().length == MOVES
    _back_and_reload(live_site, ann, bob)
    assert [browser.complaints for browser in two] == [[], []]


def _newcomer(browser: Firefox, site: Site, name: str) -> Window:
    window, address = browser.window(), f"{name.lower()}@example.org"
    window.go(f"{site.url}/account/signup/")
    for field, text in (("username", name), ("email", address), ("password1", PASSWORD)):
        window.write(f"main [name={field}]", text)
    window.click("main button", "Register")
    window.wait('() => document.querySelector("h1")?.textContent.includes("Check your email")')
    window.go(site.url + "/" + link_sent_to(address).split("/", 3)[3])
    window.click("main button", "Confirm")
    window.wait("(name) => document.querySelector('.menu-name')?.textContent === name", name)
    return window


def _sit_down_together(site: Site, ann: Window, bob: Window) -> None:
    """Ann opens a table; it appears in the lobby Bob is looking at, and he sits down."""
    bob.go(f"{site.url}/lobby/")
    bob.read(MARK)
    ann.go(f"{site.url}/lobby/")
    ann.click("a", "New table")
    ann.click("main a", "Shifting Stones")
    ann.click("main button", "Open the table")
    ann.wait('() => document.querySelector("#status")?.textContent.includes("1 of 2")')
    ann.read(MARK)
    bob.find("#tables > li")
    assert bob.read(IS_MARKED)
    bob.click("#tables > li button", "Sit down")
    for window in (ann, bob):
        window.wait('() => Boolean(document.querySelector("#match[data-status=running]"))')
    assert ann.read(IS_MARKED)
    bob.read(MARK)
    for window in (ann, bob):
        window.wait(SHOWS, "0")


def _play(mover: Window, with_keys: bool) -> None:
    """Do what a greedy player would, with the mouse, or with the keys that every page understands."""
    seen = mover.read(READ)
    verb, *words = choose(Seen(tuple(seen["grid"]), tuple(seen["hand"]), seen["maySkip"])).split()
    chosen = [f"#{'card' if word.isdecimal() else 'cell'}-{word}" for word in words]
    for selector in chosen:
        if with_keys:
            _reach(mover, selector)
            mover.press("Space")
        else:
            mover.click(selector)
        mover.wait("(selector) => document.querySelector(selector).checked", selector)
    if with_keys:
        mover.focus(f"#verb-{verb}")
        mover.press("Enter")
    else:
        mover.click(f"#verb-{verb}")


def _reach(mover: Window, selector: str) -> None:
    """Go to a card or a stone: Tab leads to the group, arrows lead on in it."""
    focused = "() => document.activeElement.id"
    mover.focus("#hand input" if selector.startswith("#card") else "#stones input")
    if selector.startswith("#cell"):
        here, wanted = str(mover.read(focused))[-2:], selector[-2:]
        across, down = ord(wanted[0]) - ord(here[0]), int(wanted[1]) - int(here[1])
        mover.press(*["ArrowRight" if across > 0 else "ArrowLeft"] * abs(across))
        mover.press(*["ArrowDown" if down > 0 else "ArrowUp"] * abs(down))
    for _ in range(10):
        if f"#{mover.read(focused)}" == selector:
            return
        mover.press("ArrowRight")
    raise AssertionError(f"the arrows do not lead to {selector}")


def _back_and_reload(site: Site, ann: Window, bob: Window) -> None:
    """Whoever was elsewhere meanwhile sees the position as it is, when they come back and when they load it again."""
    ann.go(f"{site.url}/rules/shifting-stones/")
    if bob.read(TO_MOVE):
        _play(bob, with_keys=False)
        bob.wait(SHOWS, str(MOVES + 1))
    length = str(bob.read(LENGTH))
    ann.back()
    ann.wait(SHOWS, length)
    for window in (ann, bob):
        window.reload()
        window.wait(SHOWS, length)
    mover, other = (ann, bob) if ann.read(TO_MOVE) else (bob, ann)
    _play(mover, with_keys=True)
    other.wait(SHOWS, str(int(length) + 1))
