"""Pictures of positions, as a spectator sees them: thumbnails for lists, and PNGs for links.

A thumbnail is drawn once for each version of a match and says nothing in words, so that all readers share it;
`sprites` must be in its page once. Messengers and social sites show no SVG: for them it is drawn as a PNG, with what is
written as strokes (`lettering`).
"""

from __future__ import annotations

import logging
import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import resvg_py
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.play.access import ViewedMatch
from games.play.boards.fragments import scene_of
from games.play.boards.lettering import written
from games.play.models import Match, Seat
from games.play.records import current_position
from games.play.reducer import positions
from games.titles import titles
from games.titles.thumbnails import BOARD, seat_mark

log = logging.getLogger(__name__)

# --- numbers as strokes -----------------------------------------------------------------------------------------------

_TEXT: Final = re.compile(r"<text ([^>]*)>([^<]*)</text>")
_ATTRIBUTE: Final = re.compile(r'([\w-]+)="([^"]*)"')


def numbers_as_strokes(svg: str) -> str:
    """Return a drawing with its numbers as strokes in place of text."""
    return _TEXT.sub(lambda found: _number(dict(_ATTRIBUTE.findall(found[1])), found[2]), svg)


def _number(attributes: Mapping[str, str], text: str) -> str:
    x, y, size = (float(attributes[name]) for name in ("x", "y", "font-size"))
    return written(text, x, y, size, attributes["fill"], at_end=attributes.get("text-anchor") == "end")


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
"""Pictures of some 40 kB each."""

_TOKEN: Final = re.compile(r"--([\w-]+):\s*(?:light-dark\(([^,()]+),[^()]*\)|([^;()]+));")
_COLOUR: Final = re.compile(r"var\(--([\w-]+)\)|light-dark\(([^,()]+),[^()]*\)")
_OPENING: Final = '<svg class="thumbnail" viewBox="0 0 160 120" aria-hidden="true">'

_LEFT, _RIGHT, _HEADING, _ROW, _NUMBER = 660, 1160, 100, 84, 100
"""Where what stands beside the board begins and ends, the heights of heading and rows, and the width of a number."""

_INK, _PAPER = "var(--text)", "var(--surface-raised)"

_FLAG: Final = '<path d="M4 36V4H28L22 12L28 20H4" fill="none" stroke="{}" stroke-width="4" stroke-linejoin="round"/>'
_MEDAL: Final = (
    '<circle cx="18" cy="20" r="15" fill="{}"/><path d="M10 20l6 6L26 14" fill="none" stroke="{}" stroke-width="4"/>'
)


def picture(viewed: ViewedMatch) -> bytes | None:
    """Return a match as a PNG in the light theme: its position as everybody may see it, its game, players and result.

    A medal marks who came first, a flag who left. None before the match begins.
    """
    position = thumbnails([viewed.match]).get(viewed.match.pk)
    return None if position is None else _pixels(viewed.match.game, position, _beside(viewed))


def _beside(viewed: ViewedMatch) -> str:
    """Return what stands beside the board: the game, and a row for each player."""
    width, height = _RIGHT - _LEFT, _HEADING + _ROW * len(viewed.seats)
    top = (HEIGHT - height) // 2
    panel = f'<rect x="{_LEFT}" y="{top}" width="{width}" height="{height}" rx="24" fill="{_PAPER}"/>'
    game = written(viewed.match.title.game.name, _LEFT + 32, top + 64, 44, _INK, most=width - 64)
    scores = _scores(viewed)
    rows = (_row(seat, scores[seat.number], top + 88 + _ROW * at) for at, seat in enumerate(_in_order(viewed)))
    return "".join((panel, game, *rows))


def _in_order(viewed: ViewedMatch) -> Sequence[Seat]:
    """Return the seats, the best first once there are places."""
    return sorted(viewed.seats, key=lambda seat: (seat.place or 0, seat.number))


def _scores(viewed: ViewedMatch) -> Sequence[str]:
    """Return what the match was decided by, or stands at; as long as it runs that is the first fact beside a name."""
    if viewed.match.is_over:
        return ["" if seat.score is None else f"{seat.score}".replace("-", "−") for seat in viewed.seats]
    scene = scene_of(viewed, current_position(viewed.match), None, active=False)
    return [facts[0].value if facts else "" for facts in viewed.match.title.board.facts(scene)]


def _row(seat: Seat, score: str, top: int) -> str:
    number, sign_at = _RIGHT - 32, _RIGHT - 32 - _NUMBER - 44
    sign = _FLAG.format(_INK) if seat.has_left else _MEDAL.format("var(--accent)", _PAPER) if seat.place == 1 else ""
    return "".join(
        (
            f'<g transform="translate({_LEFT + 32} {top + 22})scale(3.2)">{seat_mark(seat.number, 0, 0)}</g>',
            written(seat.name, _LEFT + 92, top + 54, 42, _INK, most=sign_at - _LEFT - 100),
            f'<g transform="translate({sign_at} {top + 20})">{sign}</g>',
            written(score, number, top + 54, 52, _INK, most=_NUMBER, at_end=True),
        )
    )


@lru_cache(maxsize=CACHED_PICTURES)
def _pixels(game: str, position: str, beside: str) -> bytes:
    """Draw a thumbnail as what needs nothing else: no symbols of the page, no theme and, as a rule, no fonts."""
    sprite = titles()[game].board.THUMBNAIL_SPRITE
    symbols = render_to_string(sprite) if sprite else ""
    # Its points, to the right, are told beside it.
    opening = f'<svg x="40" y="15" width="580" height="600" viewBox="0 0 {BOARD} 120">'
    board = numbers_as_strokes(position.replace(_OPENING, opening))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f'{symbols}<path fill="var(--wood)" d="M0 0H{WIDTH}V{HEIGHT}H0z"/>'
        f"{board}{beside}</svg>"
    )
    coloured = _COLOUR.sub(lambda found: found[2] or _light().get(found[1], "none"), svg)
    return bytes(resvg_py.svg_to_bytes(svg_string=coloured, skip_system_fonts="<text" not in coloured))


@cache
def _light() -> Mapping[str, str]:
    """Return the colours of the light theme by their names in `tokens.css`."""
    text = Path(str(finders.find("site/tokens.css"))).read_text()
    return {name: (light or value).strip() for name, light, value in _TOKEN.findall(text)}
