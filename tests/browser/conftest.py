"""Logged-in visitors of a served site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connections
from playwright.sync_api import Browser, BrowserContext, Page

from accounts.models import User
from tests.browser.contexts import Contexts
from tests.browser.player import HEARD, listen, log_in
from tests.serving import Served, Site
from tests.site_fixtures import alone_when_emptied, fresh_memory, no_permissions  # noqa: F401  # fixtures for every test


@pytest.fixture(scope="session")
def server(django_db_setup: None) -> Iterator[Served]:
    """Serve the site for the whole run."""
    served = Served()
    with served:
        yield served


@pytest.fixture
def live_site(server: Served, transactional_db: None) -> Iterator[Site]:
    """Serve the site for one test; it must not run inside the test's transaction."""
    yield server.site
    server.settle()
    connections.close_all()


@pytest.fixture(scope="session")
def contexts(browser: Browser, server: Served) -> Iterator[Contexts]:
    """Keep browser contexts for the whole run."""
    with Contexts(browser, server.site.url) as kept:
        yield kept


@pytest.fixture
def visitor(contexts: Contexts, live_site: Site) -> Iterator[Callable[..., BrowserContext]]:
    """Make visitors: each call opens a separate browser context, with its own cookies, at the served site.

    They have seen everything that others did, so that no page begins to tell it; unless they are `returning`.
    """

    def visit(returning: bool = False, **options: Any) -> BrowserContext:
        return contexts.lend(returning, options)

    yield visit
    contexts.take_back()


@pytest.fixture
def enter(visitor: Callable[..., BrowserContext], live_site: Site) -> Callable[..., Page]:
    """Open a page as a user (None: a visitor) in their own browser; `page.complaints` collects its errors.

    Users who are `returning` are told what happened, all others have seen it.
    """

    def open_page(user: User | None, address: str, returning: bool = False, **options: Any) -> Page:
        context = visitor(returning=returning, **options)
        if user is not None:
            log_in(context, user, live_site.url)
        page = context.new_page()
        page.add_init_script(HEARD)
        page.complaints = listen(page)  # type: ignore[attr-defined]  # read at the end of a test
        page.goto(address)
        return page

    return open_page
