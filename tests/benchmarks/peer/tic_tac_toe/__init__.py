"""Tic-tac-toe that is never over, as a title: the game that `server.js` describes to boardgame.io."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.engine.open_game import OpenGame
from games.engine.protocol import Options

CELLS = "123456789"
LINES = ("123", "456", "789", "147", "258", "369", "159", "357")


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells that each seat has taken, and the seat to move."""

    taken: tuple[str, str] = ("", "")
    turn: int = 0

    @property
    def is_over(self) -> bool:
        full = len("".join(self.taken)) == len(CELLS)
        return full or any(set(line) <= set(cells) for line in LINES for cells in self.taken)


class TicTacToe(OpenGame[Grid, str]):
    """Three in a row, or a full grid, clears it: a load of many moves needs no new matches."""

    slug, name, seats, state_type = "tic-tac-toe", "Tic-tac-toe", range(2, 3), Grid
    actions = CELLS

    def begin(self, seats: int, options: Options) -> Grid:
        return Grid()

    def moves(self, state: Grid) -> Iterable[str]:
        return [cell for cell in CELLS if cell not in "".join(state.taken)]

    def after(self, state: Grid, action: str) -> Grid:
        crosses, noughts = state.taken
        taken = (crosses, noughts + action) if state.turn else (crosses + action, noughts)
        filled = Grid(taken, 1 - state.turn)
        return Grid(turn=filled.turn) if filled.is_over else filled

    def standing(self, state: Grid) -> tuple[int, ...]:
        return (0, 0)


GAME = TicTacToe()
