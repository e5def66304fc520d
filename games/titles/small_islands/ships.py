"""Which ships are left to a seat, and where one can be placed."""

from __future__ import annotations

from games.titles.small_islands.geometry import Cell
from games.titles.small_islands.notation import GREY, OWN
from games.titles.small_islands.state import Table
from games.titles.small_islands.tiles import FACES, GREY_SHIP, OWN_SHIP

FACE_OF = {OWN: OWN_SHIP, GREY: GREY_SHIP}
"""What an action calls a ship to the name of its face."""


def ships_left(table: Table, seat: int) -> tuple[str, ...]:
    """Return the ships a seat may place, "own" and "grey"."""
    own = (OWN,) if table.own_ship_left(seat) else ()
    return (*own, GREY) if table.grey_ships_left else own


def berths(table: Table) -> list[Cell]:
    """Return the cells where a ship can be placed."""
    return table.placement.places(FACES[GREY_SHIP].lying[0].corners)


def can_place_ship(table: Table, seat: int) -> bool:
    """Return whether a seat has a ship and a place for it, whatever lies in the Navigation stack."""
    return bool(ships_left(table, seat) and berths(table))
