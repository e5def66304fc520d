"""Random matches of every number of players, both modes and both starts; people with browsers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from accounts.models import User
from games.engine.playouts import Match
from tests.browser.player import HEARD, listen, log_in
from tests.people import person
from tests.serving import Site
from tests.titles.small_islands.choosers import NAME, SETTINGS, random_plays, server_seed


@pytest.fixture(scope="module", params=SETTINGS, ids=str)
def match(request: pytest.FixtureRequest) -> Match:
    seats, options = request.param
    return Match(seats, options, server_seed(NAME), random_plays(seats, NAME, **options))


@pytest.fixture
def players(live_site: Site) -> list[User]:
    return [person("ann"), person("bob")]


@pytest.fixture
def enter(visitor: Callable[..., BrowserContext], live_site: Site) -> Callable[..., Page]:
    """Open a page as somebody, in a browser of their own; `page.complaints` collects its errors."""

    def open_page(user: User, address: str, **options: Any) -> Page:
        context = visitor(**options)
        log_in(context, user, live_site.url)
        page = context.new_page()
        page.add_init_script(HEARD)
        page.complaints = listen(page)  # type: ignore[attr-defined]  # read at the end of a test
        page.goto(address)
        return page

    return open_page
