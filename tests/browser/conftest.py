"""Logged-in visitors of a served site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page

from accounts.models import User
from tests.browser.contexts import Contexts
from tests.browser.player import HEARD, listen, log_in
from tests.serving import Site
from tests.site_fixtures import alone_when_emptied, fresh_memory, no_permissions, one_signing_key  # noqa: F401  # fixtures for every test

settings.WHITENOISE_MAX_AGE = 3600  # a browser that is kept asks for no file twice


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> Iterator[Contexts]:
    """Keep browser contexts for the whole run."""
    kept = Contexts(browser)
    yield kept
    kept.close()


@pytest.fixture
def visitor(contexts: Contexts, live_site: Site) -> Iterator[Callable[..., BrowserContext]]:
    """Make visitors: each call opens a separate browser context, with its own cookies, at the served site.

    They have seen everything that others did, so that no page begins to tell it; unless they are `returning`. A `cold`
    browser has loaded no file of the site yet: for tests that hold up files, or count them.
    """

    def visit(**options: Any) -> BrowserContext:
        return contexts.lend(base_url=live_site.url, **options)

    yield visit
    contexts.take_back()


OF_MEDIA = ("reduced_motion", "color_scheme")
"""Options that a page can be given as well as a context: so the same context serves all of their values."""


@pytest.fixture
def enter(visitor: Callable[..., BrowserContext], live_site: Site) -> Callable[..., Page]:
    """Open a page as a user (None: a visitor) in their own browser; `page.complaints` collects its errors.

    The options are those of `visitor`.
    """

    def open_page(user: User | None, address: str, **options: Any) -> Page:
        window, media = options.pop("viewport", None), {it: options.pop(it) for it in OF_MEDIA if it in options}
        context = visitor(**options)
        if user is not None:
            log_in(context, user, live_site.url)
        page = context.new_page()
        if window:
            page.set_viewport_size(window)
        page.emulate_media(**media)
        page.add_init_script(HEARD)
        page.complaints = listen(page)  # type: ignore[attr-defined]  # read at the end of a test
        page.goto(address)
        return page

    return open_page
