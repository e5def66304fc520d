"""`python -m tests.browser.screenshots OUT [NAME...]`: pictures of the pages, from a database of their own.

Names are `<page>-<width>-<theme>`, for instance `match-360-dark`; without any, all pictures are taken.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.site import Player, player, prepare, served
from tests.browser.pictures import smaller
from tests.serving import CHROMIUM_FLAGS, chromium

if TYPE_CHECKING:
    from games.play.models import Match

SIZES = {"1280": (1280, 800), "360": (360, 740)}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@dataclass(frozen=True)
class Scene:
    """A page as a user sees it; `chosen` inputs are checked before the picture is taken."""

    reader: Player
    address: str
    chosen: tuple[str, ...] = ()


def scenes() -> Mapping[str, Scene]:
    """Fill the empty database and return the scenes for pictures."""
    from games.matchmaking import tables
    from games.matchmaking.tables import TableSetup
    from tests.browser.matches import begun, finished, play_until_turn_of
    from tests.people import person

    ann, bob, cleo, dai = [person(name) for name in ("Ann", "Bob", "Cleo", "Dai")]
    for rated in (True, True, False, False):  # few a day between two people are rated
        finished([ann, bob], rated=rated)
        finished([cleo, ann], rated=rated)
    over = finished([ann, bob], rated=True)
    begun([bob, cleo, dai], 20)
    begun([dai, cleo], 9)
    ours = play_until_turn_of(begun([ann, bob], 17), 0)
    live = play_until_turn_of(begun([ann, bob], 17, clock="300+10/600"), 0)
    days = begun([ann, bob, cleo], 12, clock="259200+86400/259200", speed="days")
    table = tables.open_table(ann, TableSetup("shifting-stones", 4))
    tables.join(table.pk, bob)
    tables.open_table(cleo, TableSetup("shifting-stones", 2))
    tables.open_table(dai, TableSetup("shifting-stones", 5, rated=False))
    address = ours.get_absolute_url()
    as_ann, as_bob = player("Ann"), player("Bob")
    return {
        "lobby": Scene(as_bob, "/lobby/"),
        "table": Scene(as_ann, table.get_absolute_url()),
        "match": Scene(as_ann, address, _first_choice(ours)),
        "match-others-turn": Scene(as_bob, address),
        "match-live": Scene(as_ann, live.get_absolute_url()),
        "match-days": Scene(as_ann, days.get_absolute_url()),
        "clocks": Scene(as_ann, "/settings/play/"),
        "table-new": Scene(as_ann, "/tables/new/?game=shifting-stones"),
        "table-new-days": Scene(as_ann, "/tables/new/?game=shifting-stones", ("[name=speed][value=days]",)),
        "match-over": Scene(as_ann, over.get_absolute_url()),
        "replay": Scene(as_ann, f"{over.get_absolute_url()}replay/?at=14"),
        "review": Scene(as_ann, _reviewed(over)),
        "profile": Scene(as_ann, "/@Ann/"),
    }


def _reviewed(match: Match) -> str:
    """Make the review of a match; return its address."""
    from games.review.jobs import go_on
    from games.review.judge import steps_of
    from games.review.models import Review

    review = Review.objects.create(match=match, steps=steps_of(match.length))
    while go_on(review.pk):
        pass
    return f"{match.get_absolute_url()}review/"


def _first_choice(match: Match) -> tuple[str, ...]:
    """Return the inputs of the action that the player would take now."""
    from tests.browser.matches import next_action

    _, action = next_action(match)
    return tuple(f"#{'card' if word.isdecimal() else 'cell'}-{word}" for word in action.split()[1:])


def pages(browser: Browser, url: str, wanted: frozenset[str], found: Mapping[str, Scene]) -> Iterator[tuple[str, Page]]:
    """Open each wanted page in each size and theme."""
    for (name, scene), width, theme in product(found.items(), SIZES, THEMES):
        title = f"{name}-{width}-{theme}"
        if wanted and title not in wanted:
            continue
        size = {"width": SIZES[width][0], "height": SIZES[width][1]}
        context = browser.new_context(base_url=url, viewport=size, color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]  # a ViewportSize
        context.add_cookies([{"name": "tessera_session", "value": scene.reader.session, "url": url}])
        page = context.new_page()
        page.goto(scene.address)
        for selector in scene.chosen:
            page.locator(selector).check()
        page.evaluate("scrollTo(0, document.querySelector('.verbs') && innerWidth < 600 ? 57 : 0)")  # past the header
        page.mouse.move(0, 0)
        page.wait_for_timeout(400)
        yield title, page
        context.close()


def main(out: str, *wanted: str) -> None:
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    port = prepare()
    found = scenes()
    with served(port), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        for title, page in pages(browser, f"http://127.0.0.1:{port}", frozenset(wanted), found):
            picture = smaller(page.screenshot())
            (folder / f"{title}.png").write_bytes(picture)
            print(f"{title:32} {len(picture) / 1000:6.0f} kB")
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
