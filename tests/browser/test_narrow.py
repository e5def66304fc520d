"""No page is wider than the narrowest window, in any language."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from playwright.sync_api import Page

from accounts import friends
from accounts.models import User
from games.play.models import Match
from tests.chat.rooms import say, write
from tests.config.world import World, build
from tests.serving import Site

NARROWEST = {"width": 320, "height": 568}

WIDEST = (
    "home",
    "lobby",
    "pairing",
    "my_matches",
    "table_new",
    "people",
    "profile",
    "archive",
    "leaderboard",
    "leaderboard_pool",
    "notices",
    "messages",
    "match",
    "match_chat",
    "match_resign",
    "replay",
    "rules",
    "learn_game",
    "puzzles",
    "settings",
    "settings_profile",
    "settings_notices",
    "settings_devices",
    "settings_security",
    "settings_data",
)
"""Pages with tables, rows of buttons and long words."""

TOO_WIDE = """() => [...document.body.querySelectorAll('*')]
  .filter((it) => it.getBoundingClientRect().right > innerWidth + 0.5 && it.checkVisibility())
  .slice(-3).map((it) => it.outerHTML.slice(0, 120))"""


@pytest.fixture
def world(live_site: Site) -> World:
    """A site on which something has happened."""
    found = build()
    seat, mate = (User.objects.get(username=name) for name in ("seat", "mate"))
    friends.ask(mate, seat)
    friends.accept(seat, mate)
    write(mate, seat, "https://example.org/" + "a-word-that-does-not-end-" * 8)
    say(mate, Match.objects.get(slug=found.slugs["public"]), "Donaudampfschifffahrtsgesellschaftskapitän" * 3)
    return found


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_no_page_is_wider_than_the_narrowest_window(enter: Callable[..., Page], world: World, language: str) -> None:
    seat = User.objects.get(username="seat")
    page = enter(seat, world.path("settings"), viewport=NARROWEST, locale=language, reduced_motion="reduce")
    wide = {}
    for name in WIDEST:
        path = world.path(name, "over" if name == "replay" else "public")
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == 200, path
        assert page.locator("html").get_attribute("lang") == language
        if page.evaluate("document.documentElement.scrollWidth") > NARROWEST["width"]:
            wide[path] = page.evaluate(TOO_WIDE)
    assert wide == {}
