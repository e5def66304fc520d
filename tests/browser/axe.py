"""Run axe-core on a page in its present state, in both themes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Page

from tests.browser.windows import resize

SOURCE = (Path(__file__).parent / "axe.min.js").read_text(encoding="utf-8")
OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules whose findings can differ between the themes, which differ in colours alone."""

Theme = Literal["light", "dark"]
RULES: dict[Theme, dict[str, Any]] = {"dark": {"runOnly": OF_COLOURS}, "light": {}}
"""What axe is asked in each theme, where the page is the same in both."""

WIDE = (1280, 900)

RUN = """async (options) => {
    const passing = document.getAnimations().filter((it) => it.effect.getComputedTiming().endTime < Infinity);
    await Promise.all(passing.map((it) => it.finished.catch(() => {})));
    const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false, ...options });
    return violations.map(
        (it) => `${it.id}: ${it.help} at ${it.nodes.map((node) => node.target.join(" ")).slice(0, 4).join(", ")}`);
}"""
"""First waits for what began to move before motion was switched off: half-way in, text is half transparent.

Nothing is loaded once more: only rules about sound and turned screens, which we have no use for, read what that brings.
"""


def violations(page: Page) -> list[str]:
    """Return axe's findings, each with the theme.

    This switches motion off, so that nothing is measured half-way, and leaves the light theme, which comes last.
    """
    return [it for theme, options in RULES.items() for it in _found(page, theme, options)]


def violations_at_both_widths(page: Page, narrow: int = 360) -> list[str]:
    """Return axe's findings in a wide window in the light theme and on a phone in the dark one, which it leaves.

    What differs between the widths is how things are laid out, and between the themes their colours.
    """
    found = []
    sizes: dict[Theme, tuple[int, int]] = {"light": WIDE, "dark": (narrow, 740)}
    for theme, (width, height) in sizes.items():
        resize(page, {"width": width, "height": height})
        found += [f"{width}: {it}" for it in _found(page, theme, {})]
    return found


def violations_in(page: Page, theme: Theme) -> list[str]:
    """Return axe's findings in one theme, which this leaves."""
    return _found(page, theme, {})


def _found(page: Page, theme: Theme, options: dict[str, Any]) -> list[str]:
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(SOURCE)
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    return [f"{page.url}, {theme}: {it}" for it in page.evaluate(RUN, options)]


def accessible(page: Page) -> None:
    """Fail if axe finds anything; then switch motion on again."""
    found = violations(page)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    assert found == [], "\n".join(found)
