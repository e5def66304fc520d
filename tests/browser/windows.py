"""The size of a page's window, changed while the page is open."""

from __future__ import annotations

from playwright.sync_api import Page, ViewportSize

LAID_OUT = """([width, height]) => innerWidth === width && innerHeight === height && new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
})"""


def resize(page: Page, size: ViewportSize) -> None:
    """Give the window another size; return when the page is laid out in it, which on a busy machine takes a while."""
    page.set_viewport_size(size)
    page.wait_for_function(LAID_OUT, arg=[size["width"], size["height"]])
