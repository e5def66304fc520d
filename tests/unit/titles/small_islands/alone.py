"""Positions of a solo match in which Alexis acts."""

from __future__ import annotations

from typing import Any

from games.engine.protocol import Step
from games.titles.small_islands.rules.components import Cell
from games.titles.small_islands.rules.events import TilePlaced
from games.titles.small_islands.rules.islands import Board
from games.titles.small_islands.rules.state import State
from tests.unit.titles.small_islands.positions import choose_all, position, tiles, told

LAND = 0
LARGEST, MOST_TEMPLES, LAST_PLACED = (1, 2, 3), (4, 5, 6), (7, 8, 9)
"""The Explore cards by target, for the slots 1, 2 and 3."""
SMALLEST = 10
WALLED = tiles("52 0,0 0")
DECK = tuple(range(20, 40))


def his_turn(board: Board, row: tuple[int | None, ...], *cards: int, **changes: Any) -> Step[State]:
    """Let Alexis begin the second round with these expedition cards, inside the player's choice."""
    fields: dict[str, Any] = {"deck": DECK, "round": 2, **changes}
    state = position(
        1, phase="choose", chosen=(False,), turn=1, starter=1, board=board, row=row, expedition=cards, **fields
    )
    return choose_all(state, number=17)


def his_place(board: Board, tile: int, card: int, **changes: Any) -> tuple[Cell, int]:
    """Return where Alexis places a tile, the cell and the turn."""
    (placed,) = told(his_turn(board, (tile, tile, tile), card, **changes), TilePlaced)
    return placed.cell, placed.turn
