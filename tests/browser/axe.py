"""Run axe-core on a page in its present state, in both themes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Page

SOURCE = (Path(__file__).parent / "axe.min.js").read_text(encoding="utf-8")
OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules whose findings can differ between the themes, which differ in colours alone."""

THEMES: dict[Literal["light", "dark"], dict[str, Any]] = {"dark": {"runOnly": OF_COLOURS}, "light": {}}

RUN = """async (options) => {
    const passing = document.getAnimations().filter((it) => it.effect.getComputedTiming().endTime < Infinity);
    await Promise.all(passing.map((it) => it.finished.catch(() => {})));
    const { violations } = await axe.run(document, { resultTypes: ["violations"], ...options });
    return violations.map(
        (it) => `${it.id}: ${it.help} at ${it.nodes.map((node) => node.target.join(" ")).slice(0, 4).join(", ")}`);
}"""
"""First waits for what began to move before motion was switched off: half-way in, text is half transparent."""


def violations(page: Page) -> list[str]:
    """Return axe's findings, each with the theme.

    This switches motion off, so that nothing is measured half-way, and leaves the light theme, which comes last.
    """
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(SOURCE)
    found = []
    for theme, rules in THEMES.items():
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found += [f"{page.url}, {theme}: {it}" for it in page.evaluate(RUN, rules)]
    return found


def accessible(page: Page) -> None:
    """Fail if axe finds anything; then switch motion on again."""
    found = violations(page)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    assert found == [], "\n".join(found)
