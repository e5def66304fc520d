"""The recorded matches of Small Islands: who plays them, and what each shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from games.titles.small_islands import GAME
from games.titles.small_islands.rules.components import SHIP_FACES, Cell
from games.titles.small_islands.rules.scoring import tallies
from games.titles.small_islands.rules.state import State
from tests.unit.titles.recording import Wanted, ended_with
from tests.unit.titles.small_islands.choosers import (
    Plays,
    closer,
    explorer,
    greedy,
    lander,
    play_match,
    wanderer,
)

__all__ = ["GAME", "play_match"]

FOLDER = Path(__file__).with_name("records")


def tie(broken_by: int) -> Callable[[Plays], bool]:
    """Return whether two players with equal points are separated by the first, second or third tie-break."""

    def shows(plays: Plays) -> bool:
        outcome = plays[-1].outcome
        keys = _tie_breaks(plays[-1].state)
        first = next((number for number, (one, other) in enumerate(zip(*keys, strict=True)) if one != other), None)
        return first == broken_by and outcome is not None and sorted(outcome.places) == [1, 2]

    return shows


def _tie_breaks(state: State) -> list[tuple[int, int, int, int]]:
    """Return for each seat its points, Houses, Ports and the number of the tile it placed last."""
    table = state.table
    last = {tile.seat: number for number, tile in enumerate(table.board)}
    return [
        (tally.total, table.houses_placed(seat), tally.ports, last.get(seat, -1))
        for seat, tally in enumerate(tallies(table, state.values))
    ]


def put_back(plays: Plays) -> bool:
    """Return whether a player could place none of three tiles, and the match went on to its end."""
    return any(play.text.endswith("discard") for play in plays)


def discovered(plays: Plays) -> bool:
    """Return whether a token was kept out of several, and several players have tokens."""
    table = plays[-1].state.table
    owners = {table.houses[found.house].seat for found in table.discoveries}
    return len(owners) > 1 and any(found.drawn > 1 for found in table.discoveries)


def won(plays: Plays) -> bool:
    """Return whether a match played alone was won, by strictly more points than Alexis."""
    outcome = plays[-1].outcome
    return outcome is not None and outcome.places == (1,)


def lost(plays: Plays) -> bool:
    """Return whether a match played alone was lost."""
    outcome = plays[-1].outcome
    return outcome is not None and outcome.places == (2,)


def expedition_reshuffled(plays: Plays) -> bool:
    """Return whether the expedition stack was shuffled anew, in a match that was lost."""
    return bool(plays[-1].state.table.expedition_cards) and lost(plays)


def at_the_edge(plays: Plays) -> bool:
    """Return whether tiles lie at all four edges of the table, and a ship at one of them."""
    table = plays[-1].state.table
    tiles = {edge for tile in table.board for edge in _edges(tile.cell, table.reach)}
    ships = [tile for tile in table.board if tile.face in SHIP_FACES and _edges(tile.cell, table.reach)]
    return tiles == set("NESW") and bool(ships)


def off_centre(plays: Plays) -> bool:
    """Return whether a start tile lies two steps from the edge of the table or nearer, and a tile at the edge."""
    table = plays[-1].state.table
    near = any(_edges(tile.cell, table.reach - 2) for tile in table.board[:4])
    return near and any(_edges(tile.cell, table.reach) for tile in table.board)


def _edges(cell: Cell, reach: int) -> str:
    """Return the sides on which a cell lies at the edge of a table with this reach, or beyond it."""
    beyond = {"N": -cell.y, "E": cell.x - 1, "S": cell.y - 1, "W": -cell.x}
    return "".join(side for side, far in beyond.items() if far >= reach)


def left_behind(plays: Plays) -> bool:
    """Return whether somebody who left is placed last although somebody who stayed scored less."""
    outcome = plays[-1].outcome
    if outcome is None or outcome.places[1] != 3:
        return False
    return outcome.scores[1] > min(outcome.scores[0], outcome.scores[2])


WANTED = (
    Wanted("all-ships", [greedy] * 3, ended_with("ships")),
    Wanted("all-ships-advanced", [greedy] * 2, ended_with("ships"), {"mode": "advanced"}),
    Wanted("all-ships-by-hand", [lander] * 4, ended_with("ships"), {"start": "by_hand"}),
    Wanted("reserve", [explorer] * 2, ended_with("reserve")),
    Wanted("stranded", [explorer, lander, explorer, explorer], ended_with("stranded"), {"mode": "advanced"}),
    Wanted("tie-houses", [lander] * 2, tie(1)),
    Wanted("tie-ports", [lander] * 2, tie(2), {"start": "by_hand", "mode": "advanced"}),
    Wanted("tie-last", [lander] * 2, tie(3)),
    Wanted("put-back", [closer] * 2, put_back),
    Wanted("discovery", [wanderer] * 3, discovered),
    Wanted("solo-won", [greedy], won, {"alexis": "morning"}),
    Wanted("solo-lost", [wanderer], lost, {"alexis": "night"}),
    Wanted(
        "solo-by-hand",
        [explorer],
        expedition_reshuffled,
        {"alexis": "afternoon", "start": "by_hand", "mode": "advanced"},
    ),
    Wanted("small-table", [explorer] * 4, at_the_edge, {"table": "small"}),
    Wanted(
        "small-table-by-hand", [explorer] * 2, off_centre, {"table": "small", "start": "by_hand", "mode": "advanced"}
    ),
    Wanted("small-table-alone", [explorer], at_the_edge, {"table": "small", "alexis": "night"}),
    Wanted("resigned", [wanderer] * 2, ended_with("resign"), leaves=((15, 1, "resign"),)),
    Wanted("solo-timed-out", [wanderer], ended_with("timeout"), {"alexis": "night"}, ((12, 0, "timeout"),)),
    Wanted("left-behind", [wanderer] * 3, left_behind, leaves=((30, 1, "resign"),)),
)
