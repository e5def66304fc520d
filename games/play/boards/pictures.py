"""The picture of a match for whoever is sent a link to it: the position as everybody may see it, in one file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

from games.play.boards.thumbnails import thumbnails
from games.play.models import Match

WIDTH, HEIGHT = 1200, 630
"""What the sites that show such pictures ask for."""

_TOKEN: Final = re.compile(r"--([\w-]+):\s*(?:light-dark\(([^,()]+),[^()]*\)|([^;()]+));")
_COLOUR: Final = re.compile(r"var\(--([\w-]+)\)|light-dark\(([^,()]+),[^()]*\)")
_OPENING: Final = '<svg class="thumbnail" viewBox="0 0 160 120" aria-hidden="true">'


def picture(match: Match) -> str | None:
    """Return the position of a match as an SVG that needs nothing else, in the light theme; None before it begins."""
    drawn = thumbnails([match]).get(match.pk)
    if drawn is None:
        return None
    sprite = match.title.board.THUMBNAIL_SPRITE
    symbols = render_to_string(sprite) if sprite else ""
    position = drawn.replace(_OPENING, '<svg viewBox="0 0 160 120">')
    return _plain(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="system-ui, sans-serif">{symbols}<path fill="var(--wood)" d="M0 0H{WIDTH}V{HEIGHT}H0z"/>'
        f"{position}</svg>"
    )


def _plain(svg: str) -> str:
    """Return a drawing with its colours written out: a file of its own knows no theme."""
    return _COLOUR.sub(lambda found: found[2] or _light().get(found[1], "none"), svg)


@cache
def _light() -> Mapping[str, str]:
    """Return the colours of the light theme by their names in `tokens.css`."""
    text = Path(str(finders.find("site/tokens.css"))).read_text()
    return {name: (light or value).strip() for name, light, value in _TOKEN.findall(text)}
