"""The drawings that a page holds once: the tiles, made from their corners, symbols, Houses, ships and cards.

Everything is drawn without a turn. A tile is turned where it is used, with the class `r1`, `r2` or `r3`, which keeps
its symbols upright (`board.css`). Inside `<use>` only selectors without ancestors match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.titles.regions import joined
from games.titles.small_islands.layout import SIDE, Mark, printed_marks
from games.titles.small_islands.objectives import MISSIONS, REWARDS
from games.titles.small_islands.tiles import FACES, GREY_SHIP, SHIP_FACES, Symbols

LANDS = {
    "tip": "M0 0H50C50 40 40 50 0 50Z",
    "shore": "M0 0H100V50C76 50 70 57 50 57S24 50 0 50Z",
    "isthmus": "M0 0H50C50 30 70 50 100 50V100H50C50 70 30 50 0 50Z",
    "bay": "M0 0H100V100H50C50 70 30 50 0 50Z",
    "inland": "M0 0H100V100H0Z",
}
"""The land of each shape. Coasts meet the sides at right angles in the middle, so that they go on next door."""
_BANK = "M0 0H50C50 28 28 50 0 50Z"
"""The first part of a channel: narrower than a tip, so that open sea is seen between the two parts even when small."""
COASTS = {
    "tip": "M50 0C50 40 40 50 0 50",
    "shore": "M100 50C76 50 70 57 50 57S24 50 0 50",
    "isthmus": "M50 0C50 30 70 50 100 50M50 100C50 70 30 50 0 50",
    "bay": "M50 100C50 70 30 50 0 50",
    "channel": "M50 0C50 28 28 50 0 50M50 100C50 72 72 50 100 50",
}
_WAVES = {
    "tip": "M66 34q4-4 8 0t8 0M30 76q4-4 8 0t8 0M72 72q4-4 8 0t8 0",
    "shore": "M20 78q4-4 8 0t8 0M64 86q4-4 8 0t8 0",
    "isthmus": "M78 20q4-4 8 0t8 0M8 82q4-4 8 0t8 0",
    "channel": "M76 18q4-4 8 0t8 0M10 84q4-4 8 0t8 0",
    "bay": "M10 84q4-4 8 0t8 0",
    "ship": "M12 24q4-4 8 0t8 0M72 16q4-4 8 0t8 0M10 86q4-4 8 0t8 0M74 90q4-4 8 0t8 0",
}


_SIGNS = (*Symbols._fields, "any", "size", "ship", "discovery")
_SEATS = range(4)
_FAR = range(-60, 61)
"""The columns and rows a tile can lie in: there are not enough tiles to reach farther."""


# --- tiles ----------------------------------------------------------------------------------------------------------


@cache
def tile_symbols() -> SafeString:
    """Return the drawings of all faces: `land-*` and `ground-*` by shape, `face-*` by name, ships `face-own-<seat>`."""
    return joined((*_lands(), *map(_ground, (*LANDS, "channel", "ship")), *map(_tile, FACES), *map(_own_ship, _SEATS)))


@cache
def land_symbols() -> SafeString:
    """Return the land of each shape with its beach, `isle-*`, in colours of its own: thumbnails have no styles."""
    return joined(_isle(shape) for shape in (*LANDS, "channel"))


def _isle(shape: str) -> SafeString:
    outline = LANDS.get(shape) or f"{_BANK}M100 100H50C50 72 72 50 100 50Z"
    drawn = format_html('<path d="{}" fill="light-dark(#93b86c, #4c7040)"/>', outline)
    if shape in COASTS:
        coast = '<path d="{}" fill="none" stroke="light-dark(#f2deab, #b79f68)" stroke-width="9"/>'
        drawn += format_html(coast, COASTS[shape])
    return format_html('<g id="isle-{}">{}</g>', shape, drawn)


def _lands() -> Iterator[SafeString]:
    for shape, outline in (*LANDS.items(), ("bank", _BANK)):
        yield format_html('<path id="land-{}" d="{}"/>', shape, outline)


def _ground(shape: str) -> SafeString:
    """Draw sea, shallows, beach and land."""
    parts = [mark_safe('<rect class="art-sea" width="100" height="100"/>')]
    if shape in _WAVES:
        parts.append(format_html('<path class="art-waves" d="{}"/>', _WAVES[shape]))
    if shape in COASTS:
        parts += [format_html('<path class="art-{}" d="{}"/>', kind, COASTS[shape]) for kind in ("shallows", "beach")]
    if shape == "channel":
        parts.append(
            _land("bank") + mark_safe('<use class="art-land" href="#land-bank" transform="rotate(180 50 50)"/>')
        )
    elif shape in LANDS:
        parts.append(_land(shape))
    edge = mark_safe('<rect class="art-edge" x=".6" y=".6" width="98.8" height="98.8"/>')
    return format_html('<g id="ground-{}">{}</g>', shape, joined((*parts, edge)))


def _land(shape: str) -> SafeString:
    return format_html('<use class="art-land" href="#land-{}"/>', shape)


def _tile(face: str) -> SafeString:
    ship = mark_safe('<use href="#art-ship" class="s-none"/>') if face == GREY_SHIP else ""
    signs = joined(map(_sign, printed_marks(face)) if face not in SHIP_FACES else ())
    return format_html('<g id="face-{0}"><use href="#ground-{1}"/>{2}{3}</g>', face, FACES[face].shape, ship, signs)


def _own_ship(seat: int) -> SafeString:
    return format_html(
        '<g id="face-own-{0}"><use href="#ground-ship"/><g class="s{0}"><use href="#art-ship"/>'
        '<use class="art-emblem" href="#emblem-{0}" x="57" y="36"/></g></g>',
        seat,
    )


def _sign(mark: Mark) -> SafeString:
    return format_html(
        '<g transform="translate({} {})"><use class="art-upright" href="#sign-{}"/></g>', mark.x, mark.y, mark.name
    )


@cache
def sign_symbols() -> SafeString:
    """Return `s-*`, each symbol as a picture that needs no place."""
    return joined(
        format_html('<symbol id="s-{0}" viewBox="-12 -12 24 24"><use href="#sign-{0}"/></symbol>', name)
        for name in _SIGNS
    )


@cache
def house_symbols() -> SafeString:
    """Return `house-<seat>` for the map and `h-<seat>` as a picture."""
    return joined(
        format_html(
            '<g id="house-{0}" class="s{0}"><path class="art-house" d="M-13.5 0L0-13.5L13.5 0H10.5V12H-10.5V0Z"/>'
            '<use class="art-emblem" href="#emblem-{0}" y="2.4"/></g>'
            '<symbol id="h-{0}" viewBox="-15 -15 30 30"><use href="#house-{0}"/></symbol>',
            seat,
        )
        for seat in _SEATS
    )


@cache
def rulers() -> SafeString:
    """Return the numbers of all columns, in a line from west to east, and of all rows, from north to south."""
    columns = joined(_number("x", column) for column in _FAR)
    rows = joined(_number("y", row) for row in _FAR)
    return format_html('<g id="columns">{}</g><g id="rows">{}</g>', columns, rows)


def _number(axis: str, number: int) -> SafeString:
    middle = number * SIDE + SIDE // 2
    return format_html('<text {}="{}">{}</text>', mark_safe(axis), middle, f"{number}".replace("-", "−"))  # noqa: S308  "x" or "y"


# --- cards ----------------------------------------------------------------------------------------------------------


@cache
def card_symbols() -> SafeString:
    """Return the pictures of all missions and rewards: `mission-N` and `reward-N`, 108 x 28."""
    missions = (_card("mission", number, _mission(card)) for number, card in MISSIONS.items())
    rewards = (_card("reward", number, _reward(card)) for number, card in REWARDS.items())
    return joined((*missions, *rewards))


def _card(kind: str, number: int, picture: Iterable[str]) -> SafeString:
    """Draw signs and words from left to right, in the middle; a word in braces is a sign."""
    parts = tuple(picture)
    width, drawn = sum(map(_width, parts)), list[SafeString]()
    x = 54 - width / 2
    for part in parts:
        middle = x + _width(part) / 2
        if part[0] == "{":
            drawn.append(format_html('<use href="#sign-{}" x="{}" y="14"/>', part[1:-1], f"{middle:g}"))
        else:
            drawn.append(format_html('<text class="art-words" x="{}" y="19">{}</text>', f"{middle:g}", part))
        x += _width(part)
    return format_html('<symbol id="{}-{}" viewBox="0 0 108 28">{}</symbol>', kind, number, joined(drawn))


def _width(part: str) -> float:
    return 26 if part[0] == "{" else 9 * len(part) + 3


def _mission(card: Mapping[str, Any]) -> Iterator[str]:
    match card["kind"]:
        case "more":
            yield from (_sign_of(card["more"]), ">", _sign_of(card["less"]))
        case "at_least":
            yield from (_sign_of(name) for name, least in card["needs"].items() for _ in range(least))
        case "equal_named":
            yield from (_sign_of(card["resource"]), "=", _sign_of("any"))
        case _:
            yield from (_sign_of("any"), "=", _sign_of("any"))


def _reward(card: Mapping[str, Any]) -> Iterator[str]:
    match card["kind"]:
        case "per_symbol":
            yield from map(_sign_of, card["each"])
            yield f"×1 +{card['plus']}" if card["plus"] else "×1"
        case "lowest_present":
            yield from (_sign_of("rarest"), f"×{card['each']} +{card['plus']}")
        case "chosen":
            yield from (_sign_of("most"), f"×{card['each']} +{card['plus']}")
        case "flat":
            yield str(card["points"])
        case "size":
            yield from (_sign_of("size"), "4-6-8-10")
        case _:
            yield from (_sign_of("temple"), "→", _sign_of("discovery"))


def _sign_of(name: str) -> str:
    return f"{{{name}}}"


# --- pieces of the page ---------------------------------------------------------------------------------------------


@cache
def sign(name: str) -> SafeString:
    """Return a symbol as a small picture without a name; its meaning is written beside it."""
    return format_html('<svg class="sign" aria-hidden="true"><use href="#s-{}"/></svg>', name)


@cache
def house_picture(seat: int) -> SafeString:
    """Return a House of a seat as a small picture without a name."""
    return format_html('<svg class="sign" aria-hidden="true"><use href="#h-{}"/></svg>', seat)


@cache
def picture(face: str) -> SafeString:
    """Return a tile as a picture without a name."""
    return format_html('<svg class="tile" viewBox="0 0 100 100" aria-hidden="true"><use href="#face-{}"/></svg>', face)


@cache
def card_picture(kind: str, number: int) -> SafeString:
    """Return the picture of a "mission" or "reward"; its meaning is written beside it."""
    return format_html('<svg class="rule" aria-hidden="true"><use href="#{}-{}"/></svg>', kind, number)


def lying_picture(face: str, turn: int, name: str) -> SafeString:
    """Return a tile as a picture with a name, turned this many quarters clockwise."""
    return format_html(
        '<svg class="tile" viewBox="0 0 100 100" role="img" aria-label="{}">'
        '<use href="#face-{}" class="r{}" transform="rotate({} 50 50)"/></svg>',
        name, face, turn, 90 * turn,
    )  # fmt: skip
