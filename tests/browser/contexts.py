"""Browser contexts that serve one test after another: where the site has been loaded before, a page costs half as much.

Between two tests a context loses its cookies and all that its pages have stored. What stays is what every test would
load again: the files of the site, and the process of Chromium that has read them.
"""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

from tests.serving import PATIENCE, SEEN

MOST = 6
"""Contexts that wait for another test; each holds a process of Chromium."""

QUIET = "/healthz?live"
"""What the page shows that keeps a context's process alive: nothing that asks for anything."""

HAS_OWN_TIME = "() => !Function.prototype.toString.call(Date).includes('[native code]')"
"""Whether a test has replaced the clock, which Playwright never gives back."""


class Kept:
    """A context, and the page in it that no test sees."""

    def __init__(self, context: BrowserContext, key: str) -> None:
        self.context, self.key = context, key
        self.page: Page = context.new_page()
        self.page.goto(QUIET)
        self.protocol: CDPSession = context.new_cdp_session(self.page)

    def forget(self) -> bool:
        """Close the pages of a test and what they have stored; return whether the next one will notice nothing."""
        for page in self.context.pages:
            if page is not self.page:
                page.close()
        if self.context.service_workers or self.page.evaluate(HAS_OWN_TIME):
            return False
        self.context.unroute_all()
        self.context.set_offline(False)
        self.context.clear_cookies()
        self.context.clear_permissions()
        origin = self.page.url.removesuffix(QUIET)
        self.protocol.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        return True


class Contexts:
    """All contexts of a browser; those with the same options are interchangeable."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.lent: list[Kept] = []
        self.waiting: list[Kept] = []
        self.cold: list[BrowserContext] = []

    def lend(self, returning: bool = False, cold: bool = False, **options: Any) -> BrowserContext:
        """Return a context that has never seen anybody, and if it is to be `cold`, no file of the site either.

        What Chromium still has in its memory is not asked for again, so no route of a test could hold it up.
        """
        if cold:
            self.cold.append(self._opened(returning, options))
            return self.cold[-1]
        key = json.dumps([returning, options], sort_keys=True)
        kept = next((it for it in self.waiting if it.key == key), None)
        if kept is None:
            kept = Kept(self._opened(returning, options), key)
        else:
            self.waiting.remove(kept)
        self.lent.append(kept)
        return kept.context

    def _opened(self, returning: bool, options: dict[str, Any]) -> BrowserContext:
        context = self.browser.new_context(**options)
        if not returning:
            context.add_init_script(SEEN)
        context.set_default_timeout(PATIENCE)
        return context

    def take_back(self) -> None:
        """Make what was lent ready for another test, or close it; of more than can wait, what has waited longest."""
        while self.lent:
            kept = self.lent.pop()
            if kept.forget():
                self.waiting.append(kept)
            else:
                kept.context.close()
        while len(self.waiting) > MOST:
            self.waiting.pop(0).context.close()
        while self.cold:
            self.cold.pop().close()

    def close(self) -> None:
        for kept in self.waiting:
            kept.context.close()
