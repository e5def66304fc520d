"""A server to which push messages are sent, and the page of devices."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from accounts.models import User
from tests.browser.notifications.pushing import ALLOWED, PAGE, SUBSCRIBES
from tests.site.notifications.conftest import listener  # noqa: F401  # a fixture


@pytest.fixture
def page_of(enter: Callable[..., Page]) -> Callable[..., Page]:
    """Open the page of devices as somebody; with fields of a subscription in a browser that has a push service.

    A script changes what the browser can do.
    """

    def open_page(
        user: User, fields: dict[str, str] | None = None, allowed: bool = True, script: str = "", **options: Any
    ) -> Page:
        page = enter(user, "about:blank", **options)
        if allowed:
            page.context.grant_permissions(["notifications"])
            page.add_init_script(ALLOWED)
        page.add_init_script(script)
        if fields:
            page.add_init_script(f"({SUBSCRIBES})({json.dumps(fields)})")
        page.goto(PAGE)
        return page

    return open_page
