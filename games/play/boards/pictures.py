"""Pictures of positions, as a spectator sees them: thumbnails for lists, and PNGs for links.

A thumbnail is drawn once for each version of a match and says nothing in words, so that all readers share it;
`sprites` must be in its page once. Messengers and social sites show no SVG: for them it is drawn as a PNG, with its
numbers as strokes, which look the same where no font is installed.
"""

from __future__ import annotations

import logging
import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import resvg_py
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.play.models import Match
from games.play.reducer import positions
from games.titles import titles

log = logging.getLogger(__name__)

# --- numbers as strokes -----------------------------------------------------------------------------------------------

_TALL: Final = 8
"""The height of a sign in its own units; signs are 5 wide."""

_PITCH: Final = 7.2
_STROKE: Final = 1.3
_SIZE: Final = 0.7
"""The height of a number as a share of its font size."""

_STROKES: Final = {
    "0": "M2.5 0A2.5 2.5 0 0 1 5 2.5V5.5A2.5 2.5 0 0 1 0 5.5V2.5A2.5 2.5 0 0 1 2.5 0Z",
    "1": "M.9 1.7L3 0V8",
    "2": "M.1 2.5A2.4 2.4 0 0 1 4.9 2.4C4.9 4.5 1.4 5.9 .2 8H5",
    "3": "M.3 1.6A2.2 1.9 0 1 1 2.4 3.8A2.4 2.1 0 1 1 .1 6.4",
    "4": "M4 8V0L0 5.7H5.4",
    "5": "M4.6 0H.9L.5 3.6A2.5 2.4 0 1 1 .1 6.6",
    "6": "M4.4 .8A2.6 2.6 0 0 0 0 3V5.5A2.5 2.5 0 1 0 2.5 3A2.5 2.5 0 0 0 0 5.5",
    "7": "M0 0H5L1.8 8",
    "8": "M2.5 3.8A1.9 1.9 0 1 1 2.5 0A1.9 1.9 0 1 1 2.5 3.8A2.3 2.1 0 1 1 2.5 8A2.3 2.1 0 1 1 2.5 3.8Z",
    "9": "M.6 7.2A2.6 2.6 0 0 0 5 5V2.5A2.5 2.5 0 1 0 2.5 5A2.5 2.5 0 0 0 5 2.5",
    "−": "M.4 4.2H4.6",
    "#": "M1.8 .4L.9 7.6M4.1 .4L3.2 7.6M0 2.8H5M0 5.2H5",
}

_TEXT: Final = re.compile(r"<text ([^>]*)>([^<]*)</text>")
_ATTRIBUTE: Final = re.compile(r'([\w-]+)="([^"]*)"')


def numbers_as_strokes(svg: str) -> str:
    """Return a drawing with its numbers as strokes in place of text. Signs that are in no number are left out."""
    return _TEXT.sub(lambda found: _number(dict(_ATTRIBUTE.findall(found[1])), found[2]), svg)


def _number(attributes: dict[str, str], text: str) -> str:
    size = float(attributes["font-size"])
    scale = size * _SIZE / _TALL
    length = (_PITCH * (len(text) - 1) + 5 + _STROKE) * scale
    left = float(attributes["x"]) - (length if attributes.get("text-anchor") == "end" else 0)
    top = float(attributes["y"]) - size * _SIZE
    signs = "".join(
        f'<path transform="translate({_PITCH * at:g})" d="{_STROKES[sign]}"/>'
        for at, sign in enumerate(text)
        if sign in _STROKES
    )
    return (
        f'<g transform="translate({left:.2f} {top:.2f})scale({scale:.3f})" fill="none" stroke="{attributes["fill"]}" '
        f'stroke-width="{_STROKE}" stroke-linecap="round" stroke-linejoin="round">{signs}</g>'
    )


# --- thumbnails -------------------------------------------------------------------------------------------------------

CACHED_THUMBNAILS = 2_000

_drawn: OrderedDict[tuple[str, int], SafeString] = OrderedDict()
"""By a match's slug and version, the oldest first. An `lru_cache` could not say which are missing, to load at once."""


def thumbnails(matches: Iterable[Match]) -> Mapping[int, SafeString]:
    """Return the picture of each match that has begun, by its id.

    Args:
        matches: with whatever is loaded of them; a position is read only for a version not drawn before.
    """
    found = {match.pk: _drawn.get((match.slug, match.version)) for match in matches if match.started_at is not None}
    missing = [key for key, drawn in found.items() if drawn is None]
    for match in Match.objects.filter(pk__in=missing) if missing else ():
        found[match.pk] = _drawn[match.slug, match.version] = _draw(match)
        while len(_drawn) > CACHED_THUMBNAILS:
            _drawn.popitem(last=False)
    return {key: picture for key, picture in found.items() if picture is not None}


def sprites() -> SafeString:
    """Return the symbols that the pictures of all games refer to."""
    drawn = (render_to_string(path) for title in titles().values() if (path := title.board.THUMBNAIL_SPRITE))
    return mark_safe("".join(drawn))  # noqa: S308  # templates of the titles


def _draw(match: Match) -> SafeString:
    try:
        view = match.rules.view_for(positions.decode_state(match), None)
        inside = match.title.board.thumbnail(view)
    except Exception:
        log.exception("no thumbnail of match %s", match.slug)  # it must not take the whole list with it
        inside = ""
    return format_html('<svg class="thumbnail" viewBox="0 0 160 120" aria-hidden="true">{}</svg>', mark_safe(inside))  # noqa: S308  # of a title


# --- PNGs -------------------------------------------------------------------------------------------------------------

WIDTH, HEIGHT = 1200, 630
"""What the sites that show such pictures ask for."""

CACHED_PICTURES = 100
"""Pictures of some 30 kB each."""

_TOKEN: Final = re.compile(r"--([\w-]+):\s*(?:light-dark\(([^,()]+),[^()]*\)|([^;()]+));")
_COLOUR: Final = re.compile(r"var\(--([\w-]+)\)|light-dark\(([^,()]+),[^()]*\)")
_OPENING: Final = '<svg class="thumbnail" viewBox="0 0 160 120" aria-hidden="true">'


def picture(match: Match) -> bytes | None:
    """Return the position of a match as a PNG in the light theme; None before it begins."""
    position = thumbnails([match]).get(match.pk)
    return None if position is None else _pixels(match.game, position)


@lru_cache(maxsize=CACHED_PICTURES)
def _pixels(game: str, position: str) -> bytes:
    """Draw a thumbnail as what needs nothing else: no symbols of the page, no theme, no fonts."""
    sprite = titles()[game].board.THUMBNAIL_SPRITE
    symbols = render_to_string(sprite) if sprite else ""
    board = numbers_as_strokes(position.replace(_OPENING, '<svg viewBox="0 0 160 120">'))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f'{symbols}<path fill="var(--wood)" d="M0 0H{WIDTH}V{HEIGHT}H0z"/>'
        f"{board}</svg>"
    )
    coloured = _COLOUR.sub(lambda found: found[2] or _light().get(found[1], "none"), svg)
    return bytes(resvg_py.svg_to_bytes(svg_string=coloured, skip_system_fonts=True))


@cache
def _light() -> Mapping[str, str]:
    """Return the colours of the light theme by their names in `tokens.css`."""
    text = Path(str(finders.find("site/tokens.css"))).read_text()
    return {name: (light or value).strip() for name, light, value in _TOKEN.findall(text)}
