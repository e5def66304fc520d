"""Browser contexts that serve one test after another: where the site has been loaded before, a page costs half as much.

Between two tests a context loses its cookies and all that its pages have stored. What stays is what every test would
load again: the files of the site, and the process of Chromium that has read them.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

from tests.serving import PATIENCE, SEEN

MOST = 8
"""Contexts that wait for another test; each holds a process of Chromium."""

QUIET = "/healthz?live"
"""What the page shows that keeps a context's process alive: nothing that asks for anything."""


class _Kept:
    """A context, and the page in it that no test sees; a `cold` one is used once."""

    def __init__(self, context: BrowserContext, key: str, cold: bool) -> None:
        self.context, self.key, self.cold = context, key, cold
        self.page: Page = context.new_page()
        self.page.goto(QUIET)
        self.protocol: CDPSession = context.new_cdp_session(self.page)

    def forget(self) -> bool:
        """Close the pages of a test and what they have stored; return whether the next one will notice nothing."""
        if self.cold or self.context.service_workers:
            return False
        pages = [page for page in self.context.pages if page is not self.page]
        origins = {origin(page.url) for page in (self.page, *pages)}
        for page in pages:
            page.close()
        self.context.unroute_all()
        self.context.set_offline(False)
        self.context.clear_cookies()
        self.context.clear_permissions()
        for each in origins:
            self.protocol.send("Storage.clearDataForOrigin", {"origin": each, "storageTypes": "all"})
        return True


class Contexts:
    """All contexts of a browser; those with the same options are interchangeable."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.lent: list[_Kept] = []
        self.waiting: list[_Kept] = []

    def lend(self, options: dict[str, Any], returning: bool = False, cold: bool = False) -> BrowserContext:
        """Return a context that has never seen anybody, and if it is to be `cold`, no file of the site either.

        What Chromium still has in its memory is not asked for again, so no route of a test can hold it up.
        """
        key = json.dumps([returning, options], sort_keys=True)
        kept = None if cold else next((kept for kept in self.waiting if kept.key == key), None)
        if kept is None:
            kept = _Kept(self._opened(options, returning), key, cold)
        else:
            self.waiting.remove(kept)
        self.lent.append(kept)
        return kept.context

    def _opened(self, options: dict[str, Any], returning: bool) -> BrowserContext:
        context = self.browser.new_context(**options)
        if not returning:
            context.add_init_script(SEEN)
        context.set_default_timeout(PATIENCE)
        return context

    def take_back(self) -> None:
        """Make what was lent ready for another test; of more than can wait, close those that have waited longest."""
        while self.lent:
            kept = self.lent.pop()
            if kept.forget():
                self.waiting.append(kept)
            else:
                kept.context.close()
        while len(self.waiting) > MOST:
            self.waiting.pop(0).context.close()

    def __enter__(self) -> Contexts:
        return self

    def __exit__(self, *_: object) -> None:
        for kept in (*self.lent, *self.waiting):
            kept.context.close()


def origin(url: str) -> str:
    """Return what of an address says whose storage its page uses."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
