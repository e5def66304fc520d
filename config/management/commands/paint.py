"""`manage.py paint`: draw the pictures of the games again, from the modules `picture` of the titles.

Needs the packages of requirements-dev.txt, and Chromium for the JPEGs and PNGs.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games.titles import apps
from games.titles.art import KINDS, SHOTS, THEMES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
_PLAIN = "games.painting.plain"
ICONS = (180, 192, 512)
"""The sides of the icons of the installed app, in pixels."""


class Command(BaseCommand):
    help = "Draw the pictures of the games again."

    def handle(self, *_: Any, **__: Any) -> None:
        for folder, scene in scenes():
            folder.mkdir(parents=True, exist_ok=True)
            for name, text in drawings(scene):
                (folder / name).write_text(text)
            _photograph(scene, folder)
            self.stdout.write(f"Painted {folder}.")
        _paint_icons(importlib.import_module(_PLAIN), settings.BASE_DIR / "static" / "site")


def scenes() -> Iterator[tuple[Path, ModuleType]]:
    """Yield each folder of art with the module that paints it; a title may have drawn its own otherwise."""
    yield settings.BASE_DIR / "static" / "site" / "art", importlib.import_module(_PLAIN)
    for app in apps():
        if find_spec(f"{app}.picture"):
            module = importlib.import_module(f"{app}.picture")
            name = app.rpartition(".")[2]
            yield Path(str(module.__file__)).parent / "static" / name / "art", module


def drawings(scene: ModuleType) -> Iterator[tuple[str, str]]:
    """Yield name and text of each SVG of a scene."""
    for kind, size in KINDS.items():
        for theme in THEMES:
            yield f"{kind}-{theme}.svg", painted(scene, kind, size, dark=theme == "dark")


def painted(scene: ModuleType, kind: str, size: tuple[int, int], *, dark: bool) -> str:
    """Return a scene as an SVG."""
    from games.painting.canvas import Canvas  # noqa: PLC0415  only development needs it
    from games.painting.things import daylight, table  # noqa: PLC0415  as above

    canvas = Canvas(scene.camera(kind, *size), dark=dark)
    table(canvas)
    scene.paint(canvas, kind)
    daylight(canvas)
    return canvas.svg()


def _photograph(scene: ModuleType, folder: Path) -> None:
    with _browser() as browser:
        for name, size in SHOTS.items():
            kind = "banner" if name == "mail" else name
            drawn = painted(scene, kind, KINDS.get(kind, size), dark=False)
            _page(browser, drawn, size).screenshot(path=folder / f"{name}.jpg", type="jpeg", quality=84)


def _paint_icons(scene: ModuleType, folder: Path) -> None:
    """Paint the icons of the installed app, which systems cut to different shapes."""
    with _browser() as browser:
        for side in ICONS:
            drawn = painted(scene, "app", (512, 512), dark=False)
            _page(browser, drawn, (side, side)).screenshot(path=folder / f"icon-{side}.png")


def _page(browser: Browser, drawn: str, size: tuple[int, int]) -> Page:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.set_content(f"<style>body{{margin:0}}svg{{display:block;width:100%;height:auto}}</style>{drawn}")
    return page


@contextmanager
def _browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  only development needs it

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()
