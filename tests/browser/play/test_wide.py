"""The board on laptops and tablets: everything needed for a turn is visible at once, with any number of players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest
from playwright.sync_api import Page

from accounts.models import User
from games.play.models import Match
from games.play.reducer.positions import legal_texts
from games.titles import games
from tests.browser import matches
from tests.browser.player import opened_at
from tests.browser.windows import resize
from tests.people import act, person, running_match
from tests.serving import Site
from tests.site.titles.small_islands import playing as islands

pytestmark = pytest.mark.browser

SIZES = [(1366, 650), (1280, 720), (1024, 768), (820, 1180), (1920, 1080)]
NAMES = ("ann", "bob", "cleopatra", "dai", "maximilian")
OUT_OF_SIGHT = """(parts) => parts.filter((part) => {
  const { top, bottom, left, right } = document.querySelector(part).getBoundingClientRect();
  return top < 0 || bottom > innerHeight || left < 0 || right > innerWidth;
})"""


def stones(people: Sequence[User]) -> Match:
    return matches.play_until_turn_of(matches.begun(people, 9 * len(people), clock="300+10/600"), 0)


def chess(people: Sequence[User]) -> Match:
    """Play a turn, which is then told beside the board."""
    match = running_match(people, game="card-chess", seed=bytes(range(32)), clock="300+10/600")
    for seat in range(len(people)):
        act(match, legal_texts(match, seat)[0], seat)
    return match


def isles(people: Sequence[User]) -> Match:
    match = islands.begun(list(people), **({"alexis": "morning"} if len(people) == 1 else {}))
    islands.play_until(match, "explore", 0)
    return match


NEEDED: Mapping[str, tuple[Callable[[Sequence[User]], Match], Sequence[str]]] = {
    "shifting-stones": (stones, ("#stones", "#hand", "#verb-skip")),
    "card-chess": (chess, ("#felt", "#hand", "#confirm")),
    "small-islands": (isles, ("#map", "#row", "#turn-tile")),
}
"""What a turn takes in each game, at the first player's turn in the middle of a match."""


def test_board_hand_and_buttons_are_in_sight_at_once(enter: Callable[..., Page], live_site: Site) -> None:
    """With each number of players the page is opened in another of the sizes; fewest and most are seen in all."""
    people = [person(name) for name in NAMES]
    page, hidden, first = enter(people[0], "about:blank"), {}, 0
    for slug, (begin, parts) in NEEDED.items():
        numbers = games()[slug].seats
        for seats in numbers:
            match = begin(people[:seats])
            sizes = [*SIZES[first:], *SIZES[:first]][: None if seats in {numbers[0], numbers[-1]} else 2]
            opened_at(page, match.get_absolute_url(), *sizes[0])
            for width, height in sizes:
                resize(page, {"width": width, "height": height})
                if found := page.evaluate(OUT_OF_SIGHT, parts):
                    hidden[slug, seats, width, height] = found
            page.goto("about:blank")
            match.delete()  # so that no page says that another match waits
            first = (first + 1) % len(SIZES)
    assert hidden == {}
