"""Pictures of the games: what each title may bring, what stands in for it, and the tags that show art and examples.

A title brings its art as the files `FILES` below `static/<folder>/art/`, all or none of them; a game without art gets
the site's own, `static/site/art/`. Banners, cards and icons come in two files, for light and dark pages. Every template
knows the tags (settings).
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

KINDS: Final = {"banner": (1200, 400), "card": (800, 600), "icon": (256, 256)}
"""Width and height of the drawings in pages."""
SHOTS: Final = {"social": (1200, 630), "mail": (600, 200)}
"""Width and height of the pictures for other programs, which read no SVG."""
THEMES: Final = ("light", "dark")
FILES: Final = (*(f"{kind}-{theme}.svg" for kind in KINDS for theme in THEMES), *(f"{kind}.jpg" for kind in SHOTS))
_STAND_IN: Final = "site/art"


class Pictured(Protocol):
    """Something with pictures of its own, as a title has them."""

    @property
    def art(self) -> str:
        """The folder of the pictures below `static/`; empty if there are none."""


def folder_of(title: Pictured) -> str:
    """Return the folder below `static/` with the art of a title."""
    return title.art or _STAND_IN


def missing_art(static_files: Path, folder: str) -> list[str]:
    """Return which files a title's art lacks; a title without any art lacks nothing."""
    there = {path.name for path in (static_files / folder / "art").glob("*")}
    return sorted(set(FILES) - there) if there else []


register = template.Library()

_ONE = '<img class="game-art art-{}" src="{}" {}{}>'
_BY_SYSTEM = (
    '<picture><source media="(prefers-color-scheme: dark)" srcset="{2}">'
    '<img class="game-art art-{0}" src="{1}" {3}{4}></picture>'
)

_BOTH = (
    '<img class="game-art art-{0} only-light" src="{1}" {3} loading="lazy">'
    '<img class="game-art art-{0} only-dark" src="{2}" {3} loading="lazy">'
)


def picture(title: Pictured, kind: str, theme: str = "", alt: str = "", *, first: bool = False) -> SafeString:
    """Return a drawing of a game as an element; without a text it is decoration.

    Args:
        kind: one of `KINDS`.
        theme: the reader's: "light", "dark" or "system". Without one the element holds both drawings, and styles choose
            which of them is loaded and shown: for what is rendered once for many readers.
        first: it is at the top of the page, so it is loaded at once.
    """
    return _picture(folder_of(title), kind, theme, alt, first)


@lru_cache(maxsize=1_000)
def _picture(folder: str, kind: str, theme: str, alt: str, first: bool) -> SafeString:
    width, height = KINDS[kind]
    size = format_html('alt="{}" width="{}" height="{}" decoding="async"', alt, width, height)
    lazy = "" if first else mark_safe(' loading="lazy"')
    light, dark = (static(f"{folder}/{kind}-{each}.svg") for each in THEMES)
    if not theme:
        return format_html(_BOTH, kind, light, dark, size)
    if theme in THEMES:
        return format_html(_ONE, kind, dark if theme == "dark" else light, size, lazy)
    return format_html(_BY_SYSTEM, kind, light, dark, size, lazy)


@register.simple_tag(name="game_art_address")
def address(title: Pictured | None, kind: str) -> str:
    """Return the full address of one of the `SHOTS` of a game, or the site: `{% game_art_address title "mail" %}`."""
    folder = folder_of(title) if title else _STAND_IN
    return f"{settings.SITE_URL}{static(f'{folder}/{kind}.jpg')}"


@register.simple_tag(takes_context=True)
def game_art(context: dict[str, Any], title: Pictured, kind: str, alt: str = "", first: bool = False) -> SafeString:
    """Show a game as a "banner" (3:1), "card" (4:3) or "icon" (square): `{% game_art title "card" %}`.

    It is decoration unless it has a text, `alt`. A picture at the top of a page is marked `first=True`.
    """
    return picture(title, kind, context.get("theme", ""), alt, first=first)


@register.simple_tag(takes_context=True)
def example(context: dict[str, Any], name: str, *arguments: str | int) -> SafeString:
    """Show an example in the rules of `title`: `{% example "second-phase" %}` calls `second_phase` of its `rules_page`.

    The function is given the arguments of the tag, then the active language.
    """
    rules_page = import_module(f"{context['title'].package}.rules_page")
    shown: SafeString = getattr(rules_page, name.replace("-", "_"))(*arguments, get_language())
    return shown
