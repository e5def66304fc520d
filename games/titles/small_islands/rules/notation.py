"""The actions a player can take, and how they are written.

`choose 4 9`, `choose m2 r5 m7 r1`, `start S1A 0,0 3`, `explore 2 17 1,-1 3`, the same with `token fruit 0,1 flower`,
`token any=leaf 0,1.2 fruit` or `token fruit=port 0,1 W` behind it, `explore 2 17 discard`, `land own 2,0`,
`land grey 2,0`, `settle 0,1 3,2`, `settle`: single spaces, no leading zeros, no `+`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias, assert_never

import msgspec

from games.engine.protocol import NotationError
from games.titles.small_islands.rules.components import LANDSCAPE, PORT, SIDES, START_TILES, Cell, decks
from games.titles.small_islands.rules.islands import Site

ANY: Final = "any"
OWN, GREY = "own", "grey"

# Structs instead of dataclasses: with a token there are up to a hundred thousand ways to explore, and making one costs
# a fifth. They refer to nothing that could refer back, so the garbage collector need not look at them.


class Choose(msgspec.Struct, frozen=True, gc=False):
    """Keep and put aside: of each one objective card, or in advanced mode a mission and a reward."""

    keep: tuple[int, ...]
    aside: tuple[int, ...]


class Start(msgspec.Struct, frozen=True, gc=False):
    """Place a start tile by hand; the face is "S1A" to "S4B"."""

    face: str
    cell: Cell
    turn: int


class ResourceToken(msgspec.Struct, frozen=True, gc=False):
    """Lay a bonus token over a resource; `shows` is the one it counts as."""

    name: str
    shows: str
    site: Site
    over: str


class PortToken(msgspec.Struct, frozen=True, gc=False):
    """Lay a bonus token with its Port side up on a side (0 to 3) of a tile as it lies."""

    name: str
    cell: Cell
    side: int


TokenUse: TypeAlias = ResourceToken | PortToken


class Explore(msgspec.Struct, frozen=True, gc=False):
    """Take the tile of a slot (1 to 3), place one of three tiles, and perhaps a bonus token."""

    slot: int
    tile: int
    cell: Cell
    turn: int
    token: TokenUse | None = None


class Discard(msgspec.Struct, frozen=True, gc=False):
    """Take the tile of a slot and put one of three tiles under the Reserve, as none can be placed."""

    slot: int
    tile: int


class Land(msgspec.Struct, frozen=True, gc=False):
    """Place a ship, "own" or "grey", and end the exploration."""

    ship: str
    cell: Cell


class Settle(msgspec.Struct, frozen=True, gc=False):
    """Place Houses on these house symbols, and take the reward for each island in this order."""

    sites: tuple[Site, ...]


Action: TypeAlias = Choose | Start | Explore | Discard | Land | Settle

_CARD = r"([1-9][0-9]?)"
_CELL = r"((?:0|-?[1-9][0-9]?),(?:0|-?[1-9][0-9]?))"
_SITE = r"((?:0|-?[1-9][0-9]?),(?:0|-?[1-9][0-9]?)(?:\.[12])?)"
_RESOURCE = r"(flower|fruit|leaf)"
_EXPLORE = rf"explore ([123]) {_CARD}"
_CHOOSE = re.compile(rf"choose {_CARD} {_CARD}")
_CHOOSE_APART = re.compile(rf"choose m{_CARD} r{_CARD} m{_CARD} r{_CARD}")
_START = re.compile(rf"start ({'|'.join(START_TILES)})([AB]) {_CELL} ([0-3])")
_PLACE = re.compile(rf"{_EXPLORE} {_CELL} ([0-3])(?: token (.+))?")
_DISCARD = re.compile(rf"{_EXPLORE} discard")
_RESOURCE_TOKEN = re.compile(rf"(?:{_RESOURCE}|any={_RESOURCE}) {_SITE} {_RESOURCE}")
_PORT_TOKEN = re.compile(rf"(flower|fruit|leaf|any)=port {_CELL} ([NESW])")
_LAND = re.compile(rf"land (own|grey) {_CELL}")
_SETTLE = re.compile(rf"settle(?: {_SITE}){{0,4}}")


def parse(text: str) -> Action:
    """Read an action.

    >>> parse("explore 2 17 1,-1 3 token any=port 0,1 W")
    Explore(slot=2, tile=17, cell=Cell(x=1, y=-1), turn=3, token=PortToken(name='any', cell=Cell(x=0, y=1), side=3))

    Raises:
        NotationError: the text is not an action.
    """
    match text.partition(" ")[0]:
        case "choose":
            return _choose(text)
        case "start":
            face, side, cell, turn = _fields(_START, text)
            return Start(face + side, _cell(cell), int(turn))
        case "explore":
            return _explore(text)
        case "land":
            ship, cell = _fields(_LAND, text)
            return Land(ship, _cell(cell))
        case "settle":
            _fields(_SETTLE, text)
            return Settle(tuple(map(_site, text.split(" ")[1:])))
    raise _unreadable()


def _unreadable() -> NotationError:
    return NotationError("Write “choose 4 9”, “explore 2 17 1,-1 3”, “land own 2,0”, “settle 0,1” or the like.")


def _fields(pattern: re.Pattern[str], text: str) -> Sequence[str]:
    found = pattern.fullmatch(text)
    if found is None:
        raise _unreadable()
    return found.groups()


def _choose(text: str) -> Choose:
    advanced = text.startswith("choose m")
    cards = [int(card) for card in _fields(_CHOOSE_APART if advanced else _CHOOSE, text)]
    half = len(cards) // 2
    for part in (cards[:half], cards[half:]):
        if any(card not in deck for card, deck in zip(part, decks(advanced).values(), strict=True)):
            raise NotationError("Cards are numbered from 1 to 12.")
    return Choose(tuple(cards[:half]), tuple(cards[half:]))


def _explore(text: str) -> Explore | Discard:
    if text.endswith(" discard"):
        slot, tile = _fields(_DISCARD, text)
        return Discard(int(slot), _tile(tile))
    slot, tile, cell, turn, token = _fields(_PLACE, text)
    return Explore(int(slot), _tile(tile), _cell(cell), int(turn), _token(token) if token else None)


def _token(text: str) -> TokenUse:
    if found := _PORT_TOKEN.fullmatch(text):
        return PortToken(found[1], _cell(found[2]), SIDES.index(found[3]))
    own, shown, site, over = _fields(_RESOURCE_TOKEN, text)
    return ResourceToken(own or ANY, own or shown, _site(site), over)


def _tile(text: str) -> int:
    if int(text) not in LANDSCAPE:
        raise NotationError(f"There is no tile {text}; they are numbered from 1 to {len(LANDSCAPE)}.")
    return int(text)


def _cell(text: str) -> Cell:
    x, y = text.split(",")
    return Cell(int(x), int(y))


def _site(text: str) -> Site:
    cell, _, region = text.partition(".")
    return Site(_cell(cell), int(region or 0))


def notate(action: Action) -> str:
    """Write an action.

    >>> notate(Settle((Site(Cell(0, 1), 0), Site(Cell(3, 2), 1))))
    'settle 0,1 3,2.1'
    """
    match action:
        case Choose(keep, aside):
            return f"choose {_write_cards(keep)} {_write_cards(aside)}"
        case Start(face, cell, turn):
            return f"start {face} {_write_cell(cell)} {turn}"
        case Explore(slot, tile, cell, turn, token):
            return f"explore {slot} {tile} {_write_cell(cell)} {turn}" + (f" token {write_use(token)}" if token else "")
        case Discard(slot, tile):
            return f"explore {slot} {tile} discard"
        case Land(ship, cell):
            return f"land {ship} {_write_cell(cell)}"
        case Settle(sites):
            return " ".join(("settle", *map(write_site, sites)))
        case _:
            assert_never(action)


def _write_cards(cards: Sequence[int]) -> str:
    if len(cards) == 1:
        return str(cards[0])
    mission, reward = cards
    return f"m{mission} r{reward}"


def write_use(use: TokenUse) -> str:
    """Write the use of a bonus token: the token and what it shows, then the place.

    >>> write_use(PortToken("any", Cell(0, 1), 3))
    'any=port 0,1 W'
    """
    match use:
        case PortToken(name, cell, side):
            return f"{name}={PORT} {_write_cell(cell)} {SIDES[side]}"
        case ResourceToken(name, shows, site, over):
            shown = f"{ANY}={shows}" if name == ANY else name
            return f"{shown} {write_site(site)} {over}"


def _write_cell(cell: Cell) -> str:
    return f"{cell.x},{cell.y}"


def write_site(site: Site) -> str:
    """Write a region: its cell, and in a channel tile which of the two.

    >>> write_site(Site(Cell(0, 1), 2))
    '0,1.2'
    """
    return f"{_write_cell(site.cell)}.{site.region}" if site.region else _write_cell(site.cell)
