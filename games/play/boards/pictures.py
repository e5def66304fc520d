"""The picture of a match for whoever is sent a link to it: the position as everybody may see it, as a PNG.

Messengers and social sites show no SVG. It is drawn once for each version of a match, in the thread of the request.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import resvg_py
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

from games.play.boards import numerals
from games.play.boards.thumbnails import thumbnails
from games.play.models import Match
from games.titles import titles

WIDTH, HEIGHT = 1200, 630
"""What the sites that show such pictures ask for."""

CACHED = 100
"""Pictures of some 30 kB each."""

_TOKEN: Final = re.compile(r"--([\w-]+):\s*(?:light-dark\(([^,()]+),[^()]*\)|([^;()]+));")
_COLOUR: Final = re.compile(r"var\(--([\w-]+)\)|light-dark\(([^,()]+),[^()]*\)")
_OPENING: Final = '<svg class="thumbnail" viewBox="0 0 160 120" aria-hidden="true">'


def picture(match: Match) -> bytes | None:
    """Return the position of a match as a PNG in the light theme; None before it begins."""
    position = thumbnails([match]).get(match.pk)
    return None if position is None else _pixels(match.game, position)


@lru_cache(maxsize=CACHED)
def _pixels(game: str, position: str) -> bytes:
    return bytes(resvg_py.svg_to_bytes(svg_string=_drawing(game, position), skip_system_fonts=True))


def _drawing(game: str, position: str) -> str:
    """Return a thumbnail as an SVG that needs nothing else: no symbols of the page, no theme, no fonts."""
    sprite = titles()[game].board.THUMBNAIL_SPRITE
    symbols = render_to_string(sprite) if sprite else ""
    board = numerals.drawn(position.replace(_OPENING, '<svg viewBox="0 0 160 120">'))
    return _plain(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f'{symbols}<path fill="var(--wood)" d="M0 0H{WIDTH}V{HEIGHT}H0z"/>'
        f"{board}</svg>"
    )


def _plain(svg: str) -> str:
    """Return a drawing with its colours written out: a file of its own knows no theme."""
    return _COLOUR.sub(lambda found: found[2] or _light().get(found[1], "none"), svg)


@cache
def _light() -> Mapping[str, str]:
    """Return the colours of the light theme by their names in `tokens.css`."""
    text = Path(str(finders.find("site/tokens.css"))).read_text()
    return {name: (light or value).strip() for name, light, value in _TOKEN.findall(text)}
