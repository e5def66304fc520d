"""The examples of the rules: maps, islands and what the rules say of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Final

from games.engine.fair import FairChance
from games.engine.protocol import complete_options
from games.titles.small_islands import GAME, alexis
from games.titles.small_islands.geometry import Cell
from games.titles.small_islands.islands import Island, Islands, Site, Token, islands
from games.titles.small_islands.placement import Board, Placed, placement
from games.titles.small_islands.setup import AUTOMATIC_START, LARGE, REACHES, SMALL
from games.titles.small_islands.state import House, State, Table
from games.titles.small_islands.tiles import COMPONENTS, GREY_SHIP, OWN_SHIP

_SEED: Final = bytes(range(32))


def _placed(text: str) -> Placed:
    """Return a tile written "face x y turn"."""
    face, x, y, turn = text.split()
    return Placed(face, Cell(int(x), int(y)), int(turn), 0)


def _board(tiles: str, start: Board = AUTOMATIC_START) -> Board:
    return (*start, *map(_placed, filter(None, tiles.split(";"))))


_GROWN: Final = "24 0 -1 3;44 -1 0 0;23 2 0 2"
_RING: Final = "7 0 0 1;1 0 1 3;2 1 1 2;3 2 1 3;8 2 0 0;10 0 -1 2;11 2 -1 3"
BOARDS: Final[Mapping[str, Board]] = {
    "start": AUTOMATIC_START,
    "grown": _board(_GROWN),
    "channel": _board("38 0 -1 3"),
    "isthmus": _board("35 0 -1 3"),
    "edge": _board("15 4 0 0;16 5 0 0", ()),
    "apart": _board(_RING, ()),
    "joined": _board(f"{_RING};15 1 0 0", ()),
    "landed": (*_board(_GROWN), Placed(OWN_SHIP, Cell(0, 2), 0, 0)),
}
"""Tiles as they lie, in the order in which they were placed."""

LAND_CARDS: Final[int] = COMPONENTS["solo"]["expedition"]["land"]
"""How many of the expedition cards land."""

REACH: Final = {"edge": REACHES[SMALL]}

PLACES: Final = {
    "fits": ("start", "18 1 -1 0"),
    "coast": ("start", "56 1 -1 0"),
    "diagonal": ("start", "18 2 2 0"),
    "edge": ("edge", "17 6 0 0"),
}
"""Tiles that are to be placed: on which board, and where."""

TOKENS: Final[Mapping[str, tuple[Token, ...]]] = {
    "": (),
    "leaf": (Token(0, "leaf", "leaf", Site(Cell(0, -1), 0), "flower"),),
    "port": (Token(0, "fruit", "port", Site(Cell(0, -1), 0), "N"),),
}
HOUSES: Final[Mapping[str, tuple[House, ...]]] = {
    "": (),
    "one": (House(0, 1, Site(Cell(0, 0), 0), 1, 1, 5),),
    "joined": (House(0, 1, Site(Cell(0, 0), 0), 9, 9, 6), House(0, 2, Site(Cell(2, 0), 0), 9, 9, 6)),
}

WEST, EAST = Site(Cell(0, 0), 0), Site(Cell(1, 0), 0)
"""A region of each of the two islands of most examples."""


def lying(name: str, tokens: str = "") -> Islands:
    """Return the islands of a board with some tokens."""
    return islands(BOARDS[name], TOKENS[tokens])


def island(name: str, site: Site = WEST, tokens: str = "") -> Island:
    """Return the island of a region."""
    return lying(name, tokens).of(site)


def place(name: str) -> tuple[Board, Placed, str | None]:
    """Return a board, a tile that is to be placed there, and the code of the rule against it, None if it fits."""
    board, text = PLACES[name]
    placed = _placed(text)
    found = placement(BOARDS[board], REACH.get(board, REACHES[LARGE]))
    return BOARDS[board], placed, found.refusal(placed.face, placed.cell, placed.turn)


def start(seats: int) -> State:
    """Return a match that has just begun; alone against Alexis in the morning."""
    chosen = {"alexis": "morning"} if seats == 1 else {}
    return GAME.start(seats, complete_options(GAME, seats, chosen), FairChance(_SEED, 0)).state


@cache
def alone() -> State:
    """Return a match against Alexis in the middle of its exploration, on the board of most examples."""
    state = start(1)
    table = replace(state.table, phase="explore", turn=1, board=BOARDS["grown"], row=(27, 41, 8), navigation=0)
    return replace(state, table=table)


def alone_with(board: Board) -> Table:
    """Return a table with these tiles and no tokens."""
    return replace(alone().table, board=board)


def explored(slot: int, target: str) -> Placed:
    """Return where Alexis places the face-up tile of a slot.

    Raises:
        ValueError: the tile fits nowhere, so the example is wrong.
    """
    table = alone().table
    tile = table.row[slot - 1]
    found = None if tile is None else alexis.best_place(table, tile, target)
    if found is None:
        raise ValueError("This tile fits nowhere.")
    return found


def landed() -> Placed:
    """Return where Alexis lands."""
    return Placed(GREY_SHIP, alexis.landing(alone().table).cell, 0, 1)
