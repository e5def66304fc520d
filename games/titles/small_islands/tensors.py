"""Small Islands in numbers, for programs that learn: an action is told piece by piece.

With bonus tokens there are thousands of ways to explore. In words it is one choice after the other: the tile, the slot,
column and row, how it is turned, then no token, or which, what it shows and where.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from games.titles.small_islands.rules.components import (
    CORNERS,
    DISCOVERY_TOKENS,
    FACES,
    LANDSCAPE,
    MISSIONS,
    OBJECTIVES,
    QUARTERS,
    RESOURCES,
    REWARDS,
    SHIP_FACES,
    SHIPS,
    SIDES,
    START_TILES,
    Cell,
    Symbols,
    add_up,
)
from games.titles.small_islands.rules.islands import Site
from games.titles.small_islands.rules.notation import (
    GREY,
    OWN,
    Action,
    Choose,
    Discard,
    Explore,
    Land,
    ResourceToken,
    Settle,
    Start,
    TokenUse,
)
from games.titles.small_islands.rules.rounds import LARGE, REACHES
from games.titles.small_islands.rules.scoring import CARDS
from games.titles.small_islands.rules.state import HOUSES, HOUSES_IN_HAND, NAVIGATION, SLOTS, TOKENS, Table
from games.titles.small_islands.rules.view import View
from games.titles.tensors import counts, from_own, one_hot, share

LINES: Final = range(-REACHES[LARGE], REACHES[LARGE] + 2)
"""The columns and rows of the largest table; on a small one the outer ones stay empty."""
_PARTS: Final = range(3)
_NONE, _DONE = "no token", "done"
_CARDS: Final = (
    *map(str, OBJECTIVES),
    *(f"m{number}" for number in MISSIONS),
    *(f"r{number}" for number in REWARDS),
)


def _place_words(of: str) -> list[str]:
    return [f"{of}{line} {number}" for line in ("column", "row") for number in LINES]


WORDS: Final = (
    *(f"{verb} {card}" for verb in ("keep", "aside") for card in _CARDS),
    *(f"start {tile}{side}" for tile in START_TILES for side in "AB"),
    "explore",
    "discard",
    f"land {OWN}",
    f"land {GREY}",
    *(f"tile {tile}" for tile in LANDSCAPE),
    *(f"slot {slot}" for slot in range(1, SLOTS + 1)),
    *_place_words(""),
    *(f"turn {turn}" for turn in QUARTERS),
    _NONE,
    *(f"token {name}" for name in TOKENS),
    *(f"as {name}" for name in RESOURCES),
    *(f"port {side}" for side in SIDES),
    *_place_words("token "),
    *(f"token part {part}" for part in _PARTS),
    *(f"over {name}" for name in RESOURCES),
    *(
        word
        for house in range(1, HOUSES_IN_HAND + 1)
        for word in (*_place_words(f"house {house} "), *(f"house {house} part {part}" for part in _PARTS))
    ),
    _DONE,
)
"""The cards kept and put aside; start tiles; how a tile, a token or a ship is placed; where each House goes."""


def words(action: Action) -> Sequence[str]:
    """Return an action piece by piece: what, then where, then how."""
    match action:
        case Choose(keep, aside):
            return [f"{verb} {card}" for verb, cards in (("keep", keep), ("aside", aside)) for card in _named(cards)]
        case Start(face, cell, turn):
            return [f"start {face}", *_at(cell), f"turn {turn}"]
        case Explore(slot, tile, cell, turn, token):
            return ["explore", f"tile {tile}", f"slot {slot}", *_at(cell), f"turn {turn}", *_with(token)]
        case Discard(slot, tile):
            return ["discard", f"tile {tile}", f"slot {slot}"]
        case Land(ship, cell):
            return [f"land {ship}", *_at(cell)]
        case Settle(sites):
            houses = (word for house, site in enumerate(sites, start=1) for word in _on(site, f"house {house} "))
            return [*houses, _DONE]
        case _:
            assert_never(action)


def _named(cards: Sequence[int]) -> list[str]:
    return [str(card) for card in cards] if len(cards) == 1 else [f"m{cards[0]}", f"r{cards[1]}"]


def _at(cell: Cell, of: str = "") -> list[str]:
    return [f"{of}column {cell.x}", f"{of}row {cell.y}"]


def _on(site: Site, of: str) -> list[str]:
    return [*_at(site.cell, of), f"{of}part {site.region}"]


def _with(token: TokenUse | None) -> list[str]:
    if token is None:
        return [_NONE]
    if isinstance(token, ResourceToken):
        return [f"token {token.name}", f"as {token.shows}", *_on(token.site, "token "), f"over {token.over}"]
    return [f"token {token.name}", f"port {SIDES[token.side]}", *_at(token.cell, "token ")]


# --- what is seen -----------------------------------------------------------------------------------------------------

_SYMBOLS: Final = 4
"""More symbols of a kind than this on a tile count as so many."""
_POINTS: Final = 150
_PHASES: Final = ("start", "choose", "explore", "reward", "over")


def observed(view: View) -> Sequence[float]:
    """Return the map, the tiles in the row and in hand, objectives, and what each seat has."""
    table = view.table
    found = [*_map(table, view.viewer), *counts(view.hand, LANDSCAPE)]
    for tile in table.row:
        found += one_hot(tile, LANDSCAPE)
    for cards in (view.kept, view.aside):
        found += _objectives(*((card,) for card in cards))
    found += _objectives(*view.dealt)
    for seat in from_own(range(table.seats), view.viewer):
        found += counts(table.shown[seat], LANDSCAPE)
        found += _objectives(*((card,) for card in table.revealed[seat]))
        found += counts(table.tokens_left(seat), TOKENS)
        found += [
            share(view.tallies[seat].total, _POINTS),
            share(table.houses_placed(seat), HOUSES),
            share(table.houses_in_hand(seat), HOUSES_IN_HAND),
            float(table.own_ship_left(seat)),
            float(table.chosen[seat]),
            float(seat in table.to_move),
        ]
    return [
        *found,
        *one_hot(table.phase, _PHASES),
        *one_hot(table.alexis, tuple(CARDS)),
        share(view.tallies[-1].total if table.solo else 0, _POINTS),
        float(table.advanced),
        share(table.reach, REACHES[LARGE]),
        share(table.round, SHIPS),
        share(table.navigation, NAVIGATION),
        share(view.reserve, len(LANDSCAPE)),
        share(table.grey_ships_left, SHIPS),
        share(table.discovery_tokens_left, len(DISCOVERY_TOKENS)),
    ]


def _objectives(*decks: Sequence[int]) -> list[float]:
    """Return some cards of each deck: of one, objectives; of two, missions and rewards."""
    first, second = ("m", "r") if len(decks) > 1 else ("", "")
    named = [f"{first}{card}" for card in decks[0]] if decks else []
    named += [f"{second}{card}" for cards in decks[1:] for card in cards]
    return counts(named, _CARDS)


def _map(table: Table, viewer: int | None) -> list[float]:
    """Return for each cell, row by row: its corners, its symbols, whose Houses are on it, and whether it is a ship.

    Bonus tokens count as what they show.
    """
    width, each = len(LINES), len(CORNERS) + len(Symbols()) + table.seats + 1
    found = [0.0] * (width * width * each)
    symbols, own = table.islands.symbols, viewer or 0
    for placed in table.board:
        sites = [Site(placed.cell, number) for number in FACES[placed.face].regions]
        here = [symbols[site] for site in sites]
        houses = {house.seat for house in table.houses if house.site in sites}
        begin = ((placed.cell.y - LINES[0]) * width + placed.cell.x - LINES[0]) * each
        found[begin : begin + each] = [
            *(float(placed.lying.corners >> corner & 1) for corner in range(len(CORNERS))),
            *(share(count, _SYMBOLS) for count in add_up(here)),
            *(float(seat in houses) for seat in from_own(range(table.seats), own)),
            float(placed.face in SHIP_FACES),
        ]
    return found
