"""Pictures of positions, as a spectator sees them: thumbnails for lists, and PNGs for links.

A thumbnail is drawn once for each version of a match and says nothing in words, so that all readers share it;
`sprites` must be in its page once. Messengers and social sites show no SVG: for them it is drawn as a PNG, with what is
written as strokes, which look the same where no font is installed.
"""

from __future__ import annotations

import logging
import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias
from unicodedata import normalize

import resvg_py
from django import template
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from games.play.access import ViewedMatch
from games.play.boards.fragments import scene_of
from games.play.models import Match, Seat
from games.play.records import current_position
from games.play.reducer import positions
from games.titles import titles
from games.titles.thumbnails import BOARD, seat_mark

log = logging.getLogger(__name__)

register = template.Library()


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


@register.simple_tag(name="thumbnail_sprites")
def sprites() -> SafeString:
    """Return the symbols that pictures of all games refer to: `{% thumbnail_sprites %}`, once and before them."""
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
            written(score, number, top + 54, 52, _INK, most=_NUMBER, anchor="end"),
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
    return as_png(f"{symbols}{board}{beside}")


def as_png(svg: str) -> bytes:
    """Draw what stands on a picture to share, which is `WIDTH` by `HEIGHT`, on wood and in the light theme.

    Args:
        svg: what stands there; colours can be those of `tokens.css`, as "var(--accent)".
    """
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f'<path fill="var(--wood)" d="M0 0H{WIDTH}V{HEIGHT}H0z"/>{svg}</svg>'
    )
    coloured = _COLOUR.sub(lambda found: found[2] or _light().get(found[1], "none"), svg)
    return bytes(resvg_py.svg_to_bytes(svg_string=coloured, skip_system_fonts="<text" not in coloured))


@cache
def _light() -> Mapping[str, str]:
    """Return the colours of the light theme by their names in `tokens.css`."""
    text = Path(str(finders.find("site/tokens.css"))).read_text()
    return {name: (light or value).strip() for name, light, value in _TOKEN.findall(text)}


# --- letters as strokes -----------------------------------------------------------------------------------------------
# A sign is a path 8 units high, from the top of a capital letter to its foot, and as wide as it needs. A letter with an
# accent is put together from both, as Unicode takes it apart.

_TALL: Final = 8
_SIZE: Final = 0.7
"""The height of a capital letter as a share of its font size."""

_STROKE: Final = 1.1
_APART: Final = 2.1
"""From the right edge of a sign to the left edge of the next one."""

_BOWL: Final = "M2 2.8A2 2.6 0 0 1 2 8A2 2.6 0 0 1 2 2.8Z"
"""What a, b, d, g, p and q have in common."""

_SIGNS: Final = {
    "0": (5, "M2.5 0A2.5 2.5 0 0 1 5 2.5V5.5A2.5 2.5 0 0 1 0 5.5V2.5A2.5 2.5 0 0 1 2.5 0Z"),
    "1": (5, "M.9 1.7L3 0V8"),
    "2": (5, "M.1 2.5A2.4 2.4 0 0 1 4.9 2.4C4.9 4.5 1.4 5.9 .2 8H5"),
    "3": (5, "M.3 1.6A2.2 1.9 0 1 1 2.4 3.8A2.4 2.1 0 1 1 .1 6.4"),
    "4": (5, "M4 8V0L0 5.7H5.4"),
    "5": (5, "M4.6 0H.9L.5 3.6A2.5 2.4 0 1 1 .1 6.6"),
    "6": (5, "M4.4 .8A2.6 2.6 0 0 0 0 3V5.5A2.5 2.5 0 1 0 2.5 3A2.5 2.5 0 0 0 0 5.5"),
    "7": (5, "M0 0H5L1.8 8"),
    "8": (5, "M2.5 3.8A1.9 1.9 0 1 1 2.5 0A1.9 1.9 0 1 1 2.5 3.8A2.3 2.1 0 1 1 2.5 8A2.3 2.1 0 1 1 2.5 3.8Z"),
    "9": (5, "M.6 7.2A2.6 2.6 0 0 0 5 5V2.5A2.5 2.5 0 1 0 2.5 5A2.5 2.5 0 0 0 5 2.5"),
    "−": (5, "M.4 4.2H4.6"),
    "#": (5, "M1.8 .4L.9 7.6M4.1 .4L3.2 7.6M0 2.8H5M0 5.2H5"),
    "A": (5.6, "M0 8L2.8 0L5.6 8M1 5.3H4.6"),
    "B": (4.9, "M0 3.7H2.4A1.85 1.85 0 0 0 2.4 0H0V8H2.7A2.15 2.15 0 0 0 2.7 3.7"),
    "C": (5.4, "M5.4 1.6A3.1 4 0 1 0 5.4 6.4"),
    "D": (6, "M0 0V8H2A4 4 0 0 0 2 0Z"),
    "E": (4.4, "M4.4 0H0V8H4.4M0 3.9H3.8"),
    "F": (4.4, "M4.4 0H0V8M0 3.9H3.8"),
    "G": (5.7, "M5.4 1.5A3.1 4 0 1 0 5.7 4.5H3.6"),
    "H": (5.2, "M0 0V8M5.2 0V8M0 3.9H5.2"),
    "I": (0, "M0 0V8"),
    "J": (3.4, "M3.4 0V5.8A1.7 2.2 0 0 1 0 5.9"),
    "K": (5, "M0 0V8M4.8 0L0 4.9M1.7 3.3L5 8"),
    "L": (4.2, "M0 0V8H4.2"),
    "M": (6.6, "M0 8V0L3.3 5L6.6 0V8"),
    "N": (5.2, "M0 8V0L5.2 8V0"),
    "O": (6.4, "M3.2 0A3.2 4 0 0 1 3.2 8A3.2 4 0 0 1 3.2 0Z"),
    "P": (4.9, "M0 8V0H2.6A2.3 2.3 0 0 1 2.6 4.6H0"),
    "Q": (6.4, "M3.2 0A3.2 4 0 0 1 3.2 8A3.2 4 0 0 1 3.2 0ZM4 5.8L6.3 8.4"),
    "R": (4.9, "M0 8V0H2.6A2.3 2.3 0 0 1 2.6 4.6H0M2.4 4.6L4.9 8"),
    "S": (4.7, "M4.6 1.3A2.3 2 0 0 0 2.4 0A2.2 1.95 0 0 0 2.4 3.9A2.3 2.05 0 0 1 2.3 8A2.4 2.1 0 0 1 0 6.5"),
    "T": (5, "M0 0H5M2.5 0V8"),
    "U": (5.2, "M0 0V5.3A2.6 2.7 0 0 0 5.2 5.3V0"),
    "V": (5.4, "M0 0L2.7 8L5.4 0"),
    "W": (7.6, "M0 0L1.9 8L3.8 1L5.7 8L7.6 0"),
    "X": (5, "M0 0L5 8M5 0L0 8"),
    "Y": (5.2, "M0 0L2.6 4L5.2 0M2.6 4V8"),
    "Z": (4.8, "M0 0H4.8L0 8H4.8"),
    "a": (4, f"M4 2.8V8{_BOWL}"),
    "b": (4, f"M0 0V8{_BOWL}"),
    "c": (3.8, "M3.8 3.9A2.1 2.6 0 1 0 3.8 6.9"),
    "d": (4, f"M4 0V8{_BOWL}"),
    "e": (4, "M0 5.3H4A2 2.55 0 1 0 3.5 7.1"),
    "f": (2.8, "M3 .2A1.7 1.7 0 0 0 1.1 1.9V8M0 2.8H2.7"),
    "g": (4, f"M4 2.8V8.6A2 2 0 0 1 .4 9.6{_BOWL}"),
    "h": (4, "M0 0V8M0 5A2 2.2 0 0 1 4 5V8"),
    "i": (0, "M0 2.8V8M0 .7V.8"),
    "ı": (0, "M0 2.8V8"),
    "j": (1, "M1 2.8V9A1.3 1.3 0 0 1 -.4 10.2M1 .7V.8"),
    "k": (3.6, "M0 0V8M3.4 2.8L0 5.9M1.3 4.8L3.6 8"),
    "l": (0, "M0 0V8"),
    "m": (6.4, "M0 2.8V8M0 4.9A1.6 2.1 0 0 1 3.2 4.9V8M3.2 4.9A1.6 2.1 0 0 1 6.4 4.9V8"),
    "n": (4, "M0 2.8V8M0 5A2 2.2 0 0 1 4 5V8"),
    "o": (4.2, "M2.1 2.8A2.1 2.6 0 0 1 2.1 8A2.1 2.6 0 0 1 2.1 2.8Z"),
    "ø": (4.2, "M2.1 2.8A2.1 2.6 0 0 1 2.1 8A2.1 2.6 0 0 1 2.1 2.8ZM.2 8.2L4 2.6"),
    "p": (4, f"M0 2.8V10.6{_BOWL}"),
    "q": (4, f"M4 2.8V10.6{_BOWL}"),
    "r": (2.6, "M0 2.8V8M0 5A2 2.2 0 0 1 2.6 3"),
    "s": (3.4, "M3.3 3.7A1.7 1.3 0 0 0 1.75 2.8A1.5 1.25 0 0 0 1.75 5.3A1.6 1.35 0 0 1 1.7 8A1.8 1.4 0 0 1 0 7"),
    "ß": (4.2, "M0 8V2A2 2 0 0 1 4 2A1.9 1.9 0 0 1 2.2 3.8A2.1 2.1 0 0 1 2 8"),
    "t": (3, "M1.1 .8V6.4A1.6 1.6 0 0 0 3 7.9M0 2.8H2.8"),
    "u": (4, "M0 2.8V5.8A2 2.2 0 0 0 4 5.8M4 2.8V8"),
    "v": (4, "M0 2.8L2 8L4 2.8"),
    "w": (6, "M0 2.8L1.5 8L3 3.4L4.5 8L6 2.8"),
    "x": (3.8, "M0 2.8L3.8 8M3.8 2.8L0 8"),
    "y": (4.2, "M0 2.8L2.1 8M4.2 2.8L1.6 9.6A1.2 1.2 0 0 1 0 10.3"),
    "z": (3.6, "M0 2.8H3.6L0 8H3.6"),
    " ": (1.2, ""),
    ".": (0, "M0 7.9V8"),
    ",": (0.6, "M.6 7.9L0 9.6"),
    ":": (0, "M0 3.9V4M0 7.9V8"),
    "_": (4, "M0 9H4"),
    "-": (2.4, "M0 5H2.4"),
}
"""By sign its width and its path."""

_ACCENTS: Final = {
    "\u0300": "M-.9 -.8L.4 .6",
    "\u0301": "M.9 -.8L-.4 .6",
    "\u0302": "M-1.3 .6L0 -.8L1.3 .6",
    "\u0303": "M-1.5 .5C-.8 -1 .8 1.2 1.5 -.3",
    "\u0304": "M-1.4 0H1.4",
    "\u0306": "M-1.4 -.7A1.4 1.2 0 0 0 1.4 -.7",
    "\u0307": "M0 0V.1",
    "\u0308": "M-1.2 0V.1M1.2 0V.1",
    "\u030a": "M0 -1.2A.9 .9 0 0 1 0 .6A.9 .9 0 0 1 0 -1.2Z",
    "\u030b": "M0 -.8L-1 .6M1.6 -.8L.6 .6",
    "\u030c": "M-1.3 -.8L0 .6L1.3 -.8",
    "\u0327": "M0 8V8.9A.8 .8 0 0 1 -.8 10",
    "\u0328": "M.4 8A1 1 0 0 0 1.4 10",
}
"""By combining sign its path, from the middle of a letter; those above a letter begin at the height of one without."""

_BELOW: Final = frozenset("\u0327\u0328")


class Lettered(NamedTuple):
    """A text as strokes: the paths of its signs with where each begins, and how wide it is, in units of signs."""

    paths: list[tuple[float, float, str]]
    width: float


def lettered(text: str) -> Lettered | None:
    """Return a text as strokes; None if there is a sign of which no strokes are known.

    >>> lettered("Zoë").width == lettered("Zoe").width
    True
    >>> lettered("漢字")
    """
    paths: list[tuple[float, float, str]] = []
    right = middle = 0.0
    letter = ""
    for sign in _apart(text):
        if sign in _ACCENTS and letter:
            above = 0.0 if sign in _BELOW else 1.2 if letter.islower() else -1.6
            paths.append((middle, above, _ACCENTS[sign]))
        elif sign in _SIGNS:
            width, path = _SIGNS[sign]
            left = right + _APART if letter else 0.0
            paths.append((left, 0.0, path))
            letter, middle, right = sign, left + width / 2, left + width
        else:
            return None
    return Lettered(paths, right)


def _apart(text: str) -> Iterator[str]:
    """Yield letters and accents; a letter with an accent has no dot."""
    signs = normalize("NFD", text)
    for sign, following in zip(signs, [*signs[1:], ""], strict=True):
        yield "ı" if sign == "i" and following in _ACCENTS and following not in _BELOW else sign


Anchor: TypeAlias = Literal["start", "middle", "end"]

_BEFORE: Final[Mapping[Anchor, float]] = {"start": 0, "middle": 0.5, "end": 1}
"""Which share of a text lies before its anchor."""


def written(
    text: str, x: float, y: float, size: float, colour: str, *, most: float = 0, anchor: Anchor = "start"
) -> str:
    """Return a text as SVG: as strokes or, where some of its signs are not known, as text for a font of the machine.

    Args:
        text: what is written.
        x, y: where it is anchored, and the foot of its letters.
        size: of the font.
        colour: of the strokes.
        most: how wide it may be; a longer one is made smaller. 0: as it is.
        anchor: whether it begins at x, has its middle there, or ends.
    """
    found = lettered(text)
    if found is None:
        anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'
        fit = f' textLength="{most:g}" lengthAdjust="spacingAndGlyphs"' if most and len(text) * size > most else ""
        return (
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-family="sans-serif" font-weight="600" '
            f'fill="{colour}"{anchored}{fit}>{escape(text)}</text>'
        )
    scale = size * _SIZE / _TALL
    length = (found.width + _STROKE) * scale
    if most and length > most:
        scale *= most / length
        length = most
    left = x - _BEFORE[anchor] * length
    signs = "".join(
        f'<path transform="translate({at:g} {down:g})" d="{path}"/>' for at, down, path in found.paths if path
    )
    place = f"translate({left + _STROKE / 2 * scale:.2f} {y - _TALL * scale:.2f})scale({scale:.3f})"
    return (
        f'<g transform="{place}" fill="none" '
        f'stroke="{colour}" stroke-width="{_STROKE}" stroke-linecap="round" stroke-linejoin="round">{signs}</g>'
    )


_TEXT: Final = re.compile(r"<text ([^>]*)>([^<]*)</text>")
_ATTRIBUTE: Final = re.compile(r'([\w-]+)="([^"]*)"')


def numbers_as_strokes(svg: str) -> str:
    """Return a drawing with its numbers as strokes in place of text."""
    return _TEXT.sub(lambda found: _number(dict(_ATTRIBUTE.findall(found[1])), found[2]), svg)


def _number(attributes: Mapping[str, str], text: str) -> str:
    x, y, size = (float(attributes[name]) for name in ("x", "y", "font-size"))
    return written(
        text, x, y, size, attributes["fill"], anchor="end" if attributes.get("text-anchor") == "end" else "start"
    )
