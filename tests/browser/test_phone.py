"""The board on a phone: everything needed for a turn is visible at once, with any number of players."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise

import pytest
from playwright.sync_api import Page, expect

from games.engine.protocol import Seat
from games.play.course import positions
from games.play.models import Match
from games.titles import games
from tests.browser.matches import begun, finished, play_until_turn_of
from tests.people import act, person, running_match
from tests.serving import Site

PHONES = [(390, 664), (360, 640)]
NAMES = ("ann", "bob", "cleopatra", "dai", "maximilian")
PARTS = ("#status", "#players", "#stones-board .guide", "#stones", "#hand", ".verbs")

BOXES = """(parts) => Object.fromEntries(parts.map((part) => {
  const { top, bottom, left, right } = document.querySelector(part).getBoundingClientRect();
  return [part, { top, bottom, left, right }];
}))"""


def boxes(page: Page, parts: Sequence[str] = PARTS) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = page.evaluate(BOXES, list(parts))
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


def test_the_header_of_a_match_fits_whatever_the_width(enter: Callable[..., Page], live_site: Site) -> None:
    people = [person("Wilhelmine-von-Waldau"), person("bob")]
    page = enter(people[0], begun(people).get_absolute_url(), viewport={"width": 1280, "height": 800})
    for width in (320, 640, 830, 840, 900, 1000, 1080, 1100, 1190, 1200):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width


SCORES_AT_THE_EDGE = bytes(31) + b"\x06"
"""A deal in which the last of six cards can be scored at once."""

STICKING_OUT = "(cards) => cards.filter((card) => card.scrollWidth > card.clientWidth + 4).map((card) => card.id)"
"""Cards out of which more sticks than the two pixels of their mark on either side."""


@pytest.mark.parametrize("size", [*PHONES, (320, 740)], ids=lambda size: "x".join(map(str, size)))
def test_a_hand_of_six_is_one_row(enter: Callable[..., Page], live_site: Site, size: tuple[int, int]) -> None:
    people = [person("ann"), person("bob")]
    match = running_match(people, seed=SCORES_AT_THE_EDGE)
    for text in ("skip", "skip"):
        act(match, text)
    page = enter(people[0], match.get_absolute_url(), viewport={"width": size[0], "height": size[1]})
    cards = page.locator("#hand .pattern")
    tops = cards.evaluate_all("(cards) => cards.map((card) => card.getBoundingClientRect().top)")
    assert (len(tops), len(set(tops))) == (6, 1)
    expect(cards.last.get_by_role("radio")).to_have_accessible_name(re.compile("Scores now$"))
    assert cards.evaluate_all(STICKING_OUT) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


OTHERS = {
    "card-chess": ("#status", "#players", "#columns", "#hand", "#confirm"),
    "small-islands": ("#status", "#players", "#map", "#row", "#verb-send"),
}
TABLES = [(slug, seats) for slug in OTHERS for seats in games()[slug].seats if seats > 1]


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_table_hand_and_the_decisive_button_are_in_sight_in_the_other_games(
    enter: Callable[..., Page], live_site: Site, slug: str, seats: int
) -> None:
    people = [person(name) for name in NAMES[:seats]]
    match = running_match(people, game=slug, clock="300+10/600", seed=bytes(32))
    while slug == "small-islands" and not _explores(match):
        seat = match.seats.filter(to_move=True).order_by("number")[0].number
        act(match, positions.legal_texts(match, seat)[0], seat)
    page = enter(people[0], match.get_absolute_url(), viewport={"width": 360, "height": 640})
    parts = OTHERS[slug]
    expect(page.locator(parts[-1])).to_be_visible()
    found = boxes(page, parts)
    assert page.evaluate("scrollY") == 0
    for upper, lower in pairwise(found[part] for part in parts):
        assert upper["bottom"] <= lower["top"] + 1, found
    assert found[parts[-1]]["bottom"] <= 640
    assert all(0 <= box["left"] < box["right"] <= 360 for box in found.values())
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def _explores(match: Match) -> bool:
    """Return whether it is the first player's turn to choose tiles."""
    match.refresh_from_db()
    state = positions.decode_state(match)
    return bool(match.rules.view_for(state, Seat(0)).table.phase == "explore" and match.seats.get(number=0).to_move)


def test_long_words_on_the_buttons_of_a_finished_match_do_not_overlap(
    enter: Callable[..., Page], live_site: Site
) -> None:
    people = [person("ann", language="de"), person("bob")]
    page = enter(people[0], finished(people).get_absolute_url(), viewport={"width": 360, "height": 740}, locale="de")
    buttons = [page.locator(f"{part}:visible").bounding_box() for part in ("#to-replay", "#share", "#rematch")]
    for one, other in combinations([box for box in buttons if box], 2):
        beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
        assert beside or one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"], buttons
    assert all(buttons)
