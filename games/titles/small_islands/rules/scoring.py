"""Points, places and the outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games.engine.protocol import Outcome, ranks
from games.titles.small_islands.rules.components import COMPONENTS, OWN_SHIP, Cell, around
from games.titles.small_islands.rules.islands import islands
from games.titles.small_islands.rules.state import ALEXIS, Table

CARDS: Mapping[str, Mapping[str, Any]] = {card["id"]: card for card in COMPONENTS["solo"]["alexis"]}
"""The cards Alexis plays by, by name."""


class Tally(NamedTuple):
    """Where the points of one player come from.

    Args:
        card: the points on Alexis's card; 0 for everybody else.
        islands: the rewards for islands with a House.
        discoveries: discovery tokens, as far as they are known.
        ports: Ports around one's own ship.
    """

    card: int
    islands: int
    discoveries: int
    ports: int

    @property
    def total(self) -> int:
        return sum(self)


def ports_around(table: Table, cell: Cell) -> int:
    """Return the number of Ports, printed or token, on the eight tiles around a cell."""
    near = frozenset(around(cell))
    symbols = islands(table.board, table.tokens).symbols
    return sum(counts.port for site, counts in symbols.items() if site.cell in near)


def ports_of(table: Table, seat: int) -> int:
    """Return the number of Ports around a seat's own ship, 0 as long as it has not been placed."""
    own = [tile.cell for tile in table.board if tile.face == OWN_SHIP and tile.seat == seat]
    return sum(ports_around(table, cell) for cell in own)


def tallies(table: Table, values: Sequence[int | None]) -> tuple[Tally, ...]:
    """Return where the points come from, by seat; in a solo match Alexis's are last.

    Args:
        table: what everybody sees.
        values: those of the kept discovery tokens, in the order of `table.discoveries`; unknown values count as 0.
    """
    found = []
    for seat in range(table.players):
        card = CARDS[table.alexis]["end_points"] if table.alexis is not None and seat == ALEXIS else 0
        rewards = sum(house.points for house in table.houses if house.seat == seat)
        kept = zip(table.discoveries, values, strict=True)
        discoveries = sum(value or 0 for token, value in kept if table.houses[token.house].seat == seat)
        found.append(Tally(card, rewards, discoveries, ports_of(table, seat)))
    return tuple(found)


def scores(table: Table, values: Sequence[int | None]) -> tuple[int, ...]:
    """Return each seat's score, Alexis's not among them; arguments as for `tallies`."""
    return tuple(tally.total for tally in tallies(table, values)[: table.seats])


def outcome(table: Table, values: Sequence[int | None]) -> Outcome:
    """Return how a match came out that is over: the reason is why it ended, alone "alexis" and his score.

    Places go by points, then by Houses, Ports around the ship, and who placed a tile last.
    """
    found = tallies(table, values)
    totals = tuple(tally.total for tally in found)
    if table.solo:
        mine, his = totals
        return Outcome((1,) if mine > his else (2,), (mine,), f"alexis {his}")
    last = {placed.seat: number for number, placed in enumerate(table.board)}
    keys = (
        (-tally.total, -table.houses_placed(seat), -tally.ports, -last.get(seat, -1))
        for seat, tally in enumerate(found)
    )
    return Outcome(ranks(keys), totals, str(table.end))
