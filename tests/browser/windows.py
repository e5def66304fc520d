"""The window of a page: its size, changed while the page is open, and when it is painted."""

from __future__ import annotations

from playwright.sync_api import Page, ViewportSize

PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Resolved once all that has changed so far is painted."""

LAID_OUT = f"([width, height]) => innerWidth === width && innerHeight === height && {PAINTED}.then(() => true)"


def resize(page: Page, size: ViewportSize) -> None:
    """Give the window another size; return when the page is laid out in it, which on a busy machine takes a while."""
    page.set_viewport_size(size)
    page.wait_for_function(LAID_OUT, arg=[size["width"], size["height"]])
