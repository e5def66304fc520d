"""What happened: a player who comes back sees what others did, step by step, and then the present."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play.access import ViewedMatch, access_match
from games.play.boards import fragments
from games.play.boards.fragments import board_at
from games.play.models import Match, Presence
from games.play.reducer import positions
from games.titles import games
from tests.browser.axe import accessible
from tests.browser.player import connected
from tests.people import act, eager, person, running_match
from tests.serving import Site
from tests.traits import has_lines

Enter = Callable[..., Page]
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
BOARD = "() => [...document.querySelectorAll('#board use')].map((drawn) => drawn.getAttribute('href')).join()"


def played(slug: str, people: list[User]) -> Match:
    """Return a match in which it is ann's turn, after the others have acted."""
    match = running_match(people, game=slug, seed=bytes(32))
    for _ in range(60):
        seat = match.seats.filter(to_move=True).order_by("-number")[0].number
        if seat == 0 and match.length > 4 and match.actions.order_by("-number")[0].seat != 0:
            return match
        act(match, eager(match, positions.legal_texts(match, seat)), seat)
    raise AssertionError("It is never ann's turn.")


@pytest.fixture(params=[slug for slug in games() if has_lines(slug)])
def match(live_site: Site, request: pytest.FixtureRequest) -> Match:
    return played(request.param, [person("ann"), person("bob"), person("cid")])


@pytest.fixture
def ann(match: Match) -> User:
    return User.objects.get(username="ann")


def beside_names(viewed: ViewedMatch, number: int) -> list[str]:
    """Return the numbers in the players' boxes after so many actions."""
    return [fact.value for facts in board_at(viewed, number, viewed.viewer).facts for fact in facts]


def to_its_beginning(page: Page) -> None:
    """Stop the telling, and step back to the board before everything."""
    page.locator("#past-play").click()
    while not page.locator("#past-number").inner_text().startswith("0 / "):
        page.locator("#past-before").click()


def test_it_is_told_by_itself_and_then_the_present_is_there(enter: Enter, match: Match, ann: User) -> None:
    page = connected(enter(ann, match.get_absolute_url(), returning=True, **PHONE))
    viewed = access_match(ann, match.slug)
    expect(page.locator("#past")).to_be_visible()
    to_its_beginning(page)
    past, numbers = page.evaluate(BOARD), page.locator("#players .seat-facts dd")
    first = fragments.steps(viewed, fragments.untold(viewed))[0].number
    expect(numbers).to_have_text(beside_names(viewed, first))
    assert not page.locator("#board button[form=act]:enabled").count()
    page.locator("#past-play").click()
    expect(page.locator("#past-told")).to_contain_text("bob")
    expect(page.locator("#past")).to_be_hidden(timeout=60_000)
    present = page.evaluate(BOARD)
    page.reload()
    expect(page.locator("#past")).to_be_hidden()
    assert past != present == page.evaluate(BOARD)
    expect(numbers).to_have_text(beside_names(viewed, match.length))
    assert match.game != "shifting-stones" or beside_names(viewed, first) != beside_names(viewed, match.length)
    assert page.complaints == []  # type: ignore[attr-defined]  # collected by `enter`


def test_everybody_can_step_skip_and_be_told_again(enter: Enter, match: Match, ann: User) -> None:
    page = connected(enter(ann, match.get_absolute_url(), returning=True, **PHONE))
    bar, number = page.locator("#past"), page.locator("#past-number")
    expect(bar).to_be_visible()
    to_its_beginning(page)
    page.locator("#past-told").evaluate("(told) => { told.textContent = 'Bob has confirmed. '.repeat(40) }")
    assert page.evaluate("document.getElementById('past').offsetHeight <= 0.3 * innerHeight")  # the board is in sight
    accessible(page)
    page.locator("#past-after").click()
    expect(number).to_contain_text("1 / ")
    page.locator("#past-before").click()
    expect(number).to_contain_text("0 / ")
    expect(page.locator("#past-play")).to_have_attribute("aria-pressed", "false")
    page.locator("#past-skip").click()
    expect(bar).to_be_hidden()
    expect(page.locator("#status")).to_be_focused()
    page.locator("#more").click()
    page.locator("#what-happened").click()
    expect(bar).to_be_visible()
    page.locator("#past-play").click()
    last = int(number.inner_text().partition(" / ")[2])
    while not number.inner_text().startswith(f"{last - 1} / "):
        page.locator("#past-after").click()
    page.locator("#past-play").click()
    expect(number).to_have_text(f"{last} / {last}")
    expect(page.locator("#past-play")).to_have_attribute("aria-pressed", "false")
    expect(bar).to_be_visible()  # until whoever asked has read it
    page.keyboard.press("Escape")
    expect(bar).to_be_hidden()


def test_it_gives_way_to_what_happens_now(enter: Enter, live_site: Site) -> None:
    people = [person("ann"), person("bob"), person("cid")]
    match = running_match(people, seed=bytes(32))
    act(match, "skip", 0)
    act(match, "skip", 1)
    page = connected(enter(people[0], match.get_absolute_url(), returning=True, **PHONE))
    expect(page.locator("#past")).to_be_visible()
    page.locator("#past-play").click()
    act(match, "skip", 2)
    expect(page.locator("#past")).to_be_hidden()
    expect(page.locator("#match")).to_have_attribute("data-length", "3")
    expect(page.locator("#stones-board[data-mode=play]")).to_be_visible()


def test_whoever_has_seen_it_is_told_nothing(enter: Enter, match: Match, ann: User) -> None:
    Presence.objects.create(user=ann, match=match, at=timezone.now())
    page = connected(enter(ann, match.get_absolute_url(), returning=True, **PHONE))
    page.wait_for_load_state("networkidle")
    expect(page.locator("#past")).to_be_hidden()
    spectator = enter(person("dan"), match.get_absolute_url(), returning=True, **PHONE)
    expect(spectator.locator("#past")).to_have_count(0)
    expect(spectator.locator("#what-happened")).to_have_count(0)
