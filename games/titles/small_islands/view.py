"""What one viewer may know of a match.

The table is open to everybody. Hidden are hands, but for tiles which everybody saw being taken; objectives until they
are revealed, and cards put aside always; the order of the stacks, but for tiles which everybody saw being put under
the Reserve; the values of discovery tokens until the match is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.engine.protocol import Outcome, Viewer
from games.titles.small_islands import bonus, scoring
from games.titles.small_islands.exploration import Spots, spots
from games.titles.small_islands.geometry import Cell
from games.titles.small_islands.notation import TokenUse
from games.titles.small_islands.objectives import Objective, objective_of
from games.titles.small_islands.placement import Placed
from games.titles.small_islands.reward import Prospect, prospects
from games.titles.small_islands.rounds import start_faces
from games.titles.small_islands.scoring import Tally
from games.titles.small_islands.ships import berths, ships_left
from games.titles.small_islands.state import Cards, Dealt, State, Table


@dataclass(frozen=True, slots=True)
class View:
    """What `viewer` may know.

    Args:
        viewer: the seat that looks, None for a spectator.
        table: what everybody sees.
        reserve: how many tiles the Reserve holds.
        returned: the last tiles of the stacks as far as everybody saw them being put there, the next first.
        hand: the viewer's own tiles; empty while start tiles are placed by hand, and for a spectator.
        dealt: the viewer's own cards of this round, as in `State`; empty likewise.
        kept: the viewer's own objective cards of this round; empty before it has chosen, and for a spectator.
        aside: what the viewer put aside, likewise.
        values: those of the discovery tokens in the order of `table.discoveries`, None for what is not known.
        expedition: solo: how many cards the expedition stack holds.
    """

    viewer: int | None
    table: Table
    reserve: int
    returned: tuple[int, ...]
    hand: tuple[int, ...]
    dealt: Dealt
    kept: Cards
    aside: Cards
    values: tuple[int | None, ...]
    expedition: int

    # Who is to act, and the score.

    @property
    def to_move(self) -> tuple[int, ...]:
        return self.table.to_move

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """Where the points come from by seat, as far as the viewer knows; in a solo match Alexis's are last."""
        return scoring.tallies(self.table, self.values)

    @property
    def outcome(self) -> Outcome | None:
        return scoring.outcome(self.table, self.values) if self.table.phase == "over" else None

    # What the viewer may do.

    @property
    def choices(self) -> Dealt:
        """The cards to choose from, deck by deck: empty when the viewer has nothing to choose."""
        return self.dealt if self.table.phase == "choose" and self.viewer in self.to_move else ()

    @property
    def start_spots(self) -> Mapping[str, list[tuple[Cell, int]]]:
        """The start faces that are not placed yet to their legal places."""
        found = self.table.placement
        return {face: found.spots(face) for face in start_faces(self.table)}

    @property
    def spots(self) -> Spots:
        """The viewer's own tiles and the face-up ones to their legal places, each a cell and a turn."""
        return spots(self.table, (*self.hand, *(tile for tile in self.table.row if tile is not None)))

    @property
    def token_uses(self) -> tuple[TokenUse, ...]:
        """Every legal use of the viewer's bonus tokens on the tiles in play; on a tile still to be placed see below."""
        return bonus.uses(self.table.board, self.table.tokens, self._tokens_left)

    def token_uses_on(self, tile: int, cell: Cell, turn: int) -> tuple[TokenUse, ...]:
        """Return every legal use of the viewer's bonus tokens on a tile once it is placed so."""
        return tuple(bonus.uses_on_new(Placed(str(tile), cell, turn, self.viewer), self._tokens_left))

    @property
    def _tokens_left(self) -> tuple[str, ...]:
        return () if self.viewer is None else self.table.tokens_left(self.viewer)

    @property
    def berths(self) -> list[Cell]:
        """The cells where a ship could be placed."""
        return berths(self.table)

    @property
    def ships(self) -> tuple[str, ...]:
        """The ships the viewer could land with, "own" and "grey"; empty while the Navigation stack is not."""
        if self.viewer is None or self.table.navigation:
            return ()
        return ships_left(self.table, self.viewer)

    # What the viewer's objective would bring.

    @property
    def objective(self) -> Objective | None:
        """The viewer's objective of this round."""
        return objective_of(self.kept) if self.kept else None

    @property
    def prospects(self) -> tuple[Prospect, ...]:
        """For each island what the viewer's objective would bring now; empty without one."""
        return self.prospects_of(self.objective)

    def prospects_of(self, objective: Objective | None) -> tuple[Prospect, ...]:
        """Return for each island what an objective would bring the viewer now."""
        if self.viewer is None or objective is None:
            return ()
        return prospects(self.table, self.viewer, objective)


def view_for(state: State, viewer: Viewer) -> View:
    """Return what this viewer may know of the state."""
    table = state.table
    return View(
        viewer=viewer,
        table=table,
        reserve=state.reserve,
        returned=state.deck[len(state.deck) - state.returned :],
        hand=() if viewer is None or table.phase == "start" else state.hands[viewer],
        dealt=() if viewer is None or table.phase == "start" else state.dealt[viewer],
        kept=() if viewer is None else state.kept[viewer],
        aside=() if viewer is None else state.aside[viewer],
        values=tuple(_value(state, index, viewer) for index in range(len(state.values))),
        expedition=len(state.expedition),
    )


def _value(state: State, index: int, viewer: Viewer) -> int | None:
    table = state.table
    own = table.houses[table.discoveries[index].house].seat == viewer
    return state.values[index] if own or table.phase == "over" else None
