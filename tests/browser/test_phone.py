"""The board on a phone: everything needed for a turn is visible at once, with any number of players."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise

import pytest
from playwright.sync_api import Page, expect

from games.play.models import Match
from tests.browser.matches import begun, finished, play_until_turn_of
from tests.people import act, person
from tests.serving import Site

PHONES = [(390, 664), (375, 667)]
NAMES = ("ann", "bob", "cleopatra", "dai", "maximilian")
PARTS = ("#status", "#players", "#stones-board .guide", "#stones", "#hand", ".verbs")

BOXES = """(parts) => Object.fromEntries(parts.map((part) => {
  const { top, bottom, left, right } = document.querySelector(part).getBoundingClientRect();
  return [part, { top, bottom, left, right }];
}))"""


def boxes(page: Page) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = page.evaluate(BOXES, list(PARTS))
    return found


@pytest.fixture(params=[2, 3, 4, 5])
def match(live_site: Site, request: pytest.FixtureRequest) -> Match:
    """A match some rounds old with a clock; ann is to move."""
    people = [person(name) for name in NAMES[: request.param]]
    return play_until_turn_of(begun(people, 9 * request.param, clock="300+10/600"), 0)


@pytest.mark.parametrize("size", PHONES, ids=lambda size: "x".join(map(str, size)))
def test_board_hand_and_buttons_are_in_sight_at_once(
    enter: Callable[..., Page], match: Match, size: tuple[int, int]
) -> None:
    width, height = size
    page = enter(match.seats.get(number=0).user, match.get_absolute_url(), viewport={"width": width, "height": height})
    expect(page.locator("#hint")).to_be_visible()
    found = boxes(page)
    assert page.evaluate("scrollY") == 0
    in_order = [found[part] for part in PARTS]
    for upper, lower in pairwise(in_order):
        assert upper["bottom"] <= lower["top"] + 1, found
    assert found[".verbs"]["bottom"] <= height
    assert all(box["left"] >= 0 and box["right"] <= width for box in in_order)
    assert found["#stones"]["right"] - found["#stones"]["left"] >= 200
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("size", PHONES, ids=lambda size: "x".join(map(str, size)))
def test_a_hand_of_six_is_one_row(enter: Callable[..., Page], live_site: Site, size: tuple[int, int]) -> None:
    people = [person("ann"), person("bob")]
    match = begun(people)
    for text in ("skip", "skip"):
        act(match, text)
    page = enter(people[0], match.get_absolute_url(), viewport={"width": size[0], "height": size[1]})
    tops = page.locator("#hand .pattern").evaluate_all(
        "(cards) => cards.map((card) => card.getBoundingClientRect().top)"
    )
    assert page.locator("#hand .pattern").count() == 6
    assert len(set(tops)) == 1


def test_long_words_on_the_buttons_of_a_finished_match_do_not_overlap(
    enter: Callable[..., Page], live_site: Site
) -> None:
    people = [person("ann", language="de"), person("bob")]
    page = enter(people[0], finished(people).get_absolute_url(), viewport={"width": 360, "height": 740}, locale="de")
    buttons = [
        page.locator(f"{part}:visible").bounding_box() for part in (".match-actions > a", "#open-log", "#rematch")
    ]
    for one, other in combinations([box for box in buttons if box], 2):
        beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
        assert beside or one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"], buttons
    assert all(buttons)
