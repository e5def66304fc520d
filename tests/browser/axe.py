"""Run axe-core on a page in its present state, in both themes."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from playwright.sync_api import Page

SOURCE = (Path(__file__).parent / "axe.min.js").read_text(encoding="utf-8")
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
RUN = """async () => (await axe.run(document)).violations.map(
    (it) => `${it.id}: ${it.help} at ${it.nodes.map((node) => node.target.join(" ")).slice(0, 4).join(", ")}`)"""


def violations(page: Page) -> list[str]:
    """Return axe's findings, each with the theme. This switches motion off, which would be measured half-way."""
    page.evaluate(SOURCE)
    found = []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found += [f"{page.url}, {theme}: {it}" for it in page.evaluate(RUN)]
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    return found


def accessible(page: Page) -> None:
    """Fail if axe finds anything; then switch motion on again."""
    found = violations(page)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    assert found == [], "\n".join(found)
