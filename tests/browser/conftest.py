"""Logged-in visitors of a served site."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from accounts.models import User
from tests.browser.player import HEARD, listen, log_in
from tests.serving import Site
from tests.site_fixtures import alone_when_emptied, fresh_memory, no_permissions  # noqa: F401  # fixtures for every test


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
