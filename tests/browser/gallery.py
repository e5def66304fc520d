"""`python -m tests.browser.gallery OUT [NAME...]`: every page that a player sees often, from what `make demo` made up.

`DATA_DIR` names the folder with that database; what moderators see is added to it (`tests.browser.troubles`). Each page
is taken in four sizes and both themes, and in German and Italian on a phone and a laptop; `<page>.html` beside the
pictures shows those of a page together. Names are of pages (`lobby`), of looks (`360-light-it`) or of languages (`it`):
without any of a kind, all of that kind are taken. With `whole` among them, pictures show pages down to their end.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from config.ops.stack import free_port
from tests.benchmarks.site import served
from tests.browser import troubles
from tests.browser.scenes import Scene, scenes
from tests.serving import CHROMIUM_FLAGS, SEEN, chromium

SIZES = ((360, 640), (390, 844), (1280, 800), (1920, 1080))
TRANSLATED_SIZES = ((360, 640), (1280, 800))
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
AT_REST = 600
WHOLE = "whole"
DRAWN = """() => document.querySelectorAll("main *").forEach((it) => {
  it.style.contentVisibility = "visible";
  if (it.loading === "lazy") it.loading = "eager";
})"""
"""Draws what a browser leaves until somebody scrolls there."""


@dataclass(frozen=True)
class Look:
    """How a page is shown."""

    width: int
    height: int
    theme: Literal["light", "dark"]
    language: str = "en"

    @property
    def name(self) -> str:
        return f"{self.width}-{self.theme}" + ("" if self.language == "en" else f"-{self.language}")


def looks() -> Iterator[Look]:
    for (width, height), theme in product(SIZES, THEMES):
        yield Look(width, height, theme)
    for size, theme, language in product(TRANSLATED_SIZES, THEMES, ("de", "it")):
        yield Look(*size, theme, language)


@contextmanager
def languages_of_browsers() -> Iterator[None]:
    """Let the browser decide in which language everybody reads."""
    from accounts.models import User

    chosen = dict(User.objects.exclude(language="").values_list("pk", "language"))
    User.objects.update(language="")
    try:
        yield
    finally:
        for pk, language in chosen.items():
            User.objects.filter(pk=pk).update(language=language)


def opened(browser: Browser, url: str, scene: Scene, look: Look) -> Page:
    """Open a page as its reader, who has seen what happened."""
    context = browser.new_context(
        base_url=url,
        viewport={"width": look.width, "height": look.height},
        color_scheme=look.theme,
        locale=look.language,
        reduced_motion="reduce",
        has_touch=look.width < 600,
        is_mobile=look.width < 600,
    )
    context.add_init_script(SEEN)
    if scene.reader is not None:
        context.add_cookies([{"name": "tessera_session", "value": scene.reader.session, "url": url}])
    page = context.new_page()
    page.goto(scene.address)
    if scene.then is not None:
        scene.then(page)
    page.wait_for_timeout(AT_REST)
    return page


def overflow(page: Page) -> str:
    """Say how much wider than the window a page is, which it must not be."""
    wide = int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))
    return f"  {wide} px too wide" if wide > 0 else ""


def sheet(out: Path, name: str, taken: Iterable[Look]) -> None:
    """Write a page with all pictures of one scene."""
    pictures = "".join(
        f'<figure><img src="{name}-{it.name}.png"><figcaption>{it.name}</figcaption></figure>' for it in taken
    )
    style = "body{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}img{max-height:90vh;border:1px solid}"
    (out / f"{name}.html").write_text(f"<!DOCTYPE html><title>{name}</title><style>{style}</style>{pictures}")


def main(out: str, *wanted: str) -> None:
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    os.environ |= {
        "SITE_URL": f"http://127.0.0.1:{port}",
        "SINGLE_PROCESS": "1",
        "LOG_LEVEL": "WARNING",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("collectstatic", interactive=False, verbosity=0)
    every = {look.name: look for look in looks()}
    taken = [look for name, look in every.items() if {name, look.language} & set(wanted)] or list(every.values())
    pages = set(wanted) - set(every) - {look.language for look in every.values()} - {WHOLE}
    every_scene = {**scenes(), **troubles.scenes()}
    found = {name: scene for name, scene in every_scene.items() if not pages or name in pages}
    with languages_of_browsers(), served(port), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        for (name, scene), look in product(found.items(), taken):
            page = opened(browser, f"http://127.0.0.1:{port}", scene, look)
            if WHOLE in wanted:
                page.evaluate(DRAWN)
                page.wait_for_timeout(AT_REST)
            page.screenshot(path=folder / f"{name}-{look.name}.png", full_page=WHOLE in wanted)
            print(f"{name}-{look.name}{overflow(page)}", flush=True)
            page.context.close()
        browser.close()
    for name in found:
        sheet(folder, name, taken)


if __name__ == "__main__":
    main(*sys.argv[1:])
