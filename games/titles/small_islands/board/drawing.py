"""The drawings that a page holds once: the tiles, made from their corners, symbols, Houses, ships and cards.

Everything is drawn without a turn. A tile is turned where it is used, with the class `r1`, `r2` or `r3`, which keeps
its symbols upright (`board.css`). Inside `<use>` only selectors without ancestors match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.titles.regions import joined
from games.titles.small_islands.rules import components
from games.titles.small_islands.rules.components import FACES, GREY_SHIP, PORT, SEA, SHIP_FACES, Cell, Symbols
from games.titles.small_islands.rules.islands import Placed, Token

# --- where the symbols of a tile are drawn, from its north-west corner ------------------------------------------------

SIDE: Final = 100
"""The length of a side of a tile."""
_ON_LAND = tuple(name for name in Symbols._fields if name != PORT)
_SPOTS: Mapping[str, Mapping[int, tuple[tuple[int, int], ...]]] = {
    "tip": {1: ((21, 21),), 2: ((14, 34), (31, 13))},
    "shore": {1: ((50, 26),), 2: ((31, 25), (69, 25)), 3: ((20, 24), (50, 27), (80, 24))},
    "isthmus": {3: ((21, 21), (50, 50), (79, 79))},
    "bay": {
        2: ((33, 27), (74, 64)),
        3: ((24, 25), (72, 24), (77, 71)),
        4: ((20, 21), (51, 34), (81, 20), (80, 72)),
    },
    "inland": {3: ((26, 29), (74, 29), (50, 72)), 4: ((27, 27), (73, 27), (27, 73), (73, 73))},
}
"""For each shape and number of symbols where they are printed, Ports left out."""
_MIDDLES = ((50, 12), (88, 50), (50, 88), (12, 50))
_ALONG = ((1, 0), (0, 1), (-1, 0), (0, -1))
_OFF_SHORE = 8


class Mark(NamedTuple):
    """A symbol on a tile.

    Args:
        name: a resource, "temple", "port" or "house".
        region: the region it belongs to.
        x, y: where its middle is.
        token: whether a bonus token shows it.
    """

    name: str
    region: int
    x: int
    y: int
    token: bool = False


@cache
def printed_marks(face: str) -> tuple[Mark, ...]:
    """Return the printed symbols of a face that is not turned."""
    shape, found = FACES[face].shape, list[Mark]()
    for region in FACES[face].regions.values():
        names = [name for name in _ON_LAND for _ in range(region.symbols.of(name))]
        spots = _SPOTS["tip" if shape == "channel" else shape][len(names)]
        if region.number > 1:
            spots = tuple((SIDE - y, SIDE - x) for x, y in spots)
        found += [Mark(name, region.number, x, y) for name, (x, y) in zip(names, spots, strict=True)]
        found += [port_mark(face, 0, side) for side in region.coasts[: region.symbols.port]]
    return tuple(found)


@cache
def port_mark(face: str, turn: int, side: int) -> Mark:
    """Return where a Port is drawn on a side of a tile as it lies: at the coast, a little off shore."""
    lying = FACES[face].lying[turn]
    (x, y), (right, down) = _MIDDLES[side], _ALONG[side]
    off = _OFF_SHORE if lying.lands[side] != SEA else -_OFF_SHORE
    return Mark(PORT, lying.coasts[side], x + off * right, y + off * down)


@cache
def marks(face: str, turn: int) -> tuple[Mark, ...]:
    """Return the printed symbols of a face as it lies."""
    if not turn:
        return printed_marks(face)
    return tuple(mark._replace(x=SIDE - mark.y, y=mark.x) for mark in marks(face, turn - 1))


def marks_on(placed: Placed, tokens: Sequence[Token]) -> list[Mark]:
    """Return the symbols on a tile in play, with the bonus tokens laid on it in place of what they cover."""
    shown = list(marks(placed.face, placed.turn))
    for token in tokens:
        if token.shows == PORT:
            side = "NESW".index(token.spot)
            shown.append(port_mark(placed.face, placed.turn, side)._replace(token=True))
        else:
            covered = token.spot, token.site.region
            index = next(i for i, mark in enumerate(shown) if (mark.name, mark.region) == covered)
            shown[index] = shown[index]._replace(name=token.shows, token=True)
    return shown


def tokens_at(tokens: Iterable[Token]) -> Mapping[Cell, tuple[Token, ...]]:
    """Return the bonus tokens of each cell that has some."""
    found: dict[Cell, tuple[Token, ...]] = {}
    for token in tokens:
        found[token.site.cell] = (*found.get(token.site.cell, ()), token)
    return found


def on_map(cell: Cell, mark: Mark) -> tuple[int, int]:
    """Return where a symbol of a tile is drawn on the map."""
    return cell.x * SIDE + mark.x, cell.y * SIDE + mark.y


def house_spot(placed: Placed, region: int) -> tuple[int, int]:
    """Return where a House on a region of a tile is drawn on the map."""
    printed = marks(placed.face, placed.turn)
    return on_map(placed.cell, next(mark for mark in printed if mark.name == "house" and mark.region == region))


# --- what the drawings are made of ------------------------------------------------------------------------------------

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


_PLACELESS = (*Symbols._fields, "any", "size", "ship", "discovery")
_SIGNS = {*_PLACELESS, "rarest", "most"}
_SEATS = range(4)
_FAR = range(-60, 61)
"""The columns and rows a tile can lie in: there are not enough tiles to reach farther."""


# --- tiles ----------------------------------------------------------------------------------------------------------


@cache
def tile_symbols() -> SafeString:
    """Return the drawings of all faces: `land-*` and `ground-*` by shape, `face-*` by name, ships `face-own-<seat>`."""
    lands = (format_html('<path id="land-{}" d="{}"/>', *land) for land in (*LANDS.items(), ("bank", _BANK)))
    own_ship = (
        '<g id="face-own-{0}"><use href="#ground-ship"/><g class="s{0}"><use href="#art-ship"/>'
        '<use class="art-emblem" href="#emblem-{0}" x="57" y="36"/></g></g>'
    )
    own_ships = (format_html(own_ship, seat) for seat in _SEATS)
    return joined((*lands, *map(_ground, (*LANDS, "channel", "ship")), *map(_tile, FACES), *own_ships))


@cache
def land_symbols() -> SafeString:
    """Return the land of each shape with its beach, `isle-*`, in colours of its own: thumbnails have no styles."""
    isles = []
    for shape in (*LANDS, "channel"):
        outline = LANDS.get(shape) or f"{_BANK}M100 100H50C50 72 72 50 100 50Z"
        drawn = format_html('<path d="{}" fill="light-dark(#93b86c, #4c7040)"/>', outline)
        if shape in COASTS:
            coast = '<path d="{}" fill="none" stroke="light-dark(#f2deab, #b79f68)" stroke-width="9"/>'
            drawn += format_html(coast, COASTS[shape])
        isles.append(format_html('<g id="isle-{}">{}</g>', shape, drawn))
    return joined(isles)


def _ground(shape: str) -> SafeString:
    """Draw sea, shallows, beach and land."""
    parts = [mark_safe('<rect class="art-sea" width="100" height="100"/>')]
    if shape in _WAVES:
        parts.append(format_html('<path class="art-waves" d="{}"/>', _WAVES[shape]))
    if shape in COASTS:
        parts += [format_html('<path class="art-{}" d="{}"/>', kind, COASTS[shape]) for kind in ("shallows", "beach")]
    if shape in LANDS:
        parts.append(format_html('<use class="art-land" href="#land-{}"/>', shape))
    elif shape == "channel":
        bank = '<use class="art-land" href="#land-bank"{}/>'
        parts += [format_html(bank, turned) for turned in ("", mark_safe(' transform="rotate(180 50 50)"'))]
    edge = mark_safe('<rect class="art-edge" x=".6" y=".6" width="98.8" height="98.8"/>')
    return format_html('<g id="ground-{}">{}</g>', shape, joined((*parts, edge)))


def _tile(face: str) -> SafeString:
    ship = mark_safe('<use href="#art-ship" class="s-none"/>') if face == GREY_SHIP else ""
    sign = '<g transform="translate({} {})"><use class="art-upright" href="#sign-{}"/></g>'
    marks = () if face in SHIP_FACES else printed_marks(face)
    signs = joined(format_html(sign, mark.x, mark.y, mark.name) for mark in marks)
    return format_html('<g id="face-{0}"><use href="#ground-{1}"/>{2}{3}</g>', face, FACES[face].shape, ship, signs)


@cache
def sign_symbols() -> SafeString:
    """Return `s-*`, each symbol as a picture that needs no place."""
    symbol = '<symbol id="s-{0}" viewBox="-12 -12 24 24"><use href="#sign-{0}"/></symbol>'
    return joined(format_html(symbol, name) for name in _PLACELESS)


@cache
def house_symbols() -> SafeString:
    """Return `house-<seat>` for the map and `h-<seat>` as a picture."""
    symbols = (
        '<g id="house-{0}" class="s{0}"><path class="art-house" d="M-13.5 0L0-13.5L13.5 0H10.5V12H-10.5V0Z"/>'
        '<use class="art-emblem" href="#emblem-{0}" y="2.4"/></g>'
        '<symbol id="h-{0}" viewBox="-15 -15 30 30"><use href="#house-{0}"/></symbol>'
    )
    return joined(format_html(symbols, seat) for seat in _SEATS)


@cache
def rulers() -> SafeString:
    """Return the numbers of all columns, in a line from west to east, and of all rows, from north to south."""
    numbers = [(number * SIDE + SIDE // 2, f"{number}".replace("-", "−")) for number in _FAR]
    columns = joined(format_html('<text x="{}">{}</text>', *number) for number in numbers)
    rows = joined(format_html('<text y="{}">{}</text>', *number) for number in numbers)
    return format_html('<g id="columns">{}</g><g id="rows">{}</g>', columns, rows)


# --- cards ----------------------------------------------------------------------------------------------------------


@cache
def card_symbols() -> SafeString:
    """Return the pictures of all missions and rewards: `mission-N` and `reward-N`."""
    missions = (_card("mission", number) for number in components.MISSIONS)
    rewards = (_card("reward", number) for number in components.REWARDS)
    return joined((*missions, *rewards))


def _card(kind: str, number: int) -> SafeString:
    """Draw signs, given by their names, and words from left to right."""
    x, drawn = 0.0, list[SafeString]()
    for part in _pictured(kind, number):
        middle = f"{x + _width(part) / 2:g}"
        if part in _SIGNS:
            drawn.append(format_html('<use href="#sign-{}" x="{}" y="14"/>', part, middle))
        else:
            drawn.append(format_html('<text class="art-words" x="{}" y="19">{}</text>', middle, part))
        x += _width(part)
    return format_html('<symbol id="{}-{}" viewBox="{}">{}</symbol>', kind, number, _frame(kind, number), joined(drawn))


def _width(part: str) -> int:
    return 26 if part in _SIGNS else 9 * len(part) + 3


def _frame(kind: str, number: int) -> str:
    """Return the view box of a picture."""
    return f"0 0 {sum(map(_width, _pictured(kind, number)))} 28"


@cache
def _pictured(kind: str, number: int) -> tuple[str, ...]:
    """Return what a "mission" or a "reward" is drawn with: names of signs, and words."""
    return tuple(_mission(components.MISSIONS[number]) if kind == "mission" else _reward(components.REWARDS[number]))


def _mission(card: Mapping[str, Any]) -> Iterable[str]:
    match card["kind"]:
        case "more":
            return card["more"], ">", card["less"]
        case "at_least":
            return (name for name, least in card["needs"].items() for _ in range(least))
        case "equal_named":
            return card["resource"], "=", "any"
        case _:
            return "any", "=", "any"


def _reward(card: Mapping[str, Any]) -> Iterable[str]:
    match card["kind"]:
        case "per_symbol":
            return *card["each"], f"×1 +{card['plus']}" if card["plus"] else "×1"
        case "lowest_present":
            return "rarest", f"×{card['each']} +{card['plus']}"
        case "chosen":
            return "most", f"×{card['each']} +{card['plus']}"
        case "flat":
            return (str(card["points"]),)
        case "size":
            return "size", "4-6-8-10"
        case _:
            return "temple", "→", "discovery"


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
    rule = '<svg class="rule" viewBox="{}" aria-hidden="true"><use href="#{}-{}"/></svg>'
    return format_html(rule, _frame(kind, number), kind, number)


def lying_picture(face: str, turn: int, name: str) -> SafeString:
    """Return a tile as a picture with a name, turned this many quarters clockwise."""
    tile = (
        '<svg class="tile" viewBox="0 0 100 100" role="img" aria-label="{}">'
        '<use href="#face-{}" class="r{}" transform="rotate({} 50 50)"/></svg>'
    )
    return format_html(tile, name, face, turn, 90 * turn)
