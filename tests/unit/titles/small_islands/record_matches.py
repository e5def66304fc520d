"""Records a match for each way in which one can end; run it when a change of rules alters matches.

    python -m tests.unit.titles.small_islands.record_matches

For each recording matches are played, by players who steer towards it, until one has what is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from games.engine import runner
from games.engine.contract import playouts
from games.engine.fair import final_seed
from games.engine.protocol import Seat
from games.engine.record import Record, write
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.components import SHIP_FACES, Cell
from games.titles.small_islands.rules.scoring import tallies
from games.titles.small_islands.rules.state import State
from tests.unit.titles.recording import record_of
from tests.unit.titles.small_islands.choosers import (
    NONCES,
    Chooser,
    Plays,
    closer,
    explorer,
    greedy,
    lander,
    next_play,
    play_match,
    server_seed,
    wanderer,
)

FOLDER = Path(__file__).with_name("records")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A recording to be made.

    Args:
        name: of the file.
        choosers: one per seat.
        shows: whether a match is what is wanted.
        options: of the match.
        leaves: actions after which a seat leaves, with the text.
    """

    name: str
    choosers: Sequence[Chooser]
    shows: Callable[[Plays], bool]
    options: dict[str, str] = field(default_factory=dict)
    leaves: tuple[tuple[int, int, str], ...] = ()


def ended_with(reason: str) -> Callable[[Plays], bool]:
    """Return whether the match ended for this reason."""
    return lambda plays: _reason(plays) == reason


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


def _reason(plays: Plays) -> str | None:
    outcome = plays[-1].outcome
    return None if outcome is None else outcome.reason


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


def record(wanted: Wanted) -> Record:
    """Play until a match shows what is wanted and return it."""
    for attempt in count():
        name = f"{wanted.name} {attempt}"
        plays = _with_leavers(wanted, name) if wanted.leaves else play_match(name, wanted.choosers, **wanted.options)
        if wanted.shows(plays):
            return record_of(GAME, plays, server_seed(name), NONCES, wanted.options)
    raise AssertionError


def _with_leavers(wanted: Wanted, name: str) -> Plays:
    seats, due = len(wanted.choosers), list(wanted.leaves)
    seed, free = final_seed(server_seed(name), NONCES[:seats]), playouts.Chooser(server_seed(f"choices of {name}"))
    plays = [runner.begin(GAME, seats, wanted.options, seed)]
    while plays[-1].outcome is None:
        if due and plays[-1].number >= due[0][0]:
            _, seat, text = due.pop(0)
            plays.append(runner.leave(GAME, plays[-1].position, Seat(seat), text))
        else:
            plays.append(next_play(plays[-1], wanted.choosers, free, seed))
    return tuple(plays)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for wanted in WANTED:
        (FOLDER / f"{wanted.name}.json").write_text(write(record(wanted)), encoding="utf-8")


if __name__ == "__main__":
    main()
