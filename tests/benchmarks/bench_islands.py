"""Small Islands in the engine alone, one core: legal places, islands, random matches, each against its aim."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from games.engine.contract.playouts import Chooser, random_match
from games.engine.protocol import Seat
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.components import LANDSCAPE
from games.titles.small_islands.rules.islands import Board, Placed, bare, islands, placement, tiles_at, united
from games.titles.small_islands.rules.rounds import AUTOMATIC_START, LARGE, REACHES

TILES = 60
ROUNDS = 200
MATCHES = 60
PLACES_AIM, MATCH_AIM = 5.0, 150.0
"""In milliseconds."""


def large_board() -> Board:
    """Return a board with this many tiles, placed at random."""
    board, free = AUTOMATIC_START, Chooser(bytes(32))
    for tile in (*LANDSCAPE, *LANDSCAPE):
        places = placement(board, REACHES[LARGE]).spots(str(tile))
        if places and len(board) < TILES:
            board = (*board, Placed(str(tile), *free.pick(places), None))
    return board


def forget() -> None:
    """Empty the caches of boards."""
    for remembered in (placement, tiles_at, united, bare, islands):
        remembered.cache_clear()


def milliseconds(work: Callable[[], object], before: Callable[[], object] = forget) -> float:
    """Return the median time of some work, with preparation before each run that does not count."""
    times = []
    for _ in range(ROUNDS):
        before()
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return median(times) * 1000


def match_times(seats: int) -> list[float]:
    """Return how long random matches took, in milliseconds."""
    options, times = {"alexis": "night"} if seats == 1 else {}, []
    for number in range(MATCHES):
        seed = number.to_bytes(32, "big")
        started = time.perf_counter()
        random_match(GAME, seats, options, seed, Chooser(seed))
        times.append((time.perf_counter() - started) * 1000)
    return times


def view_time(seats: int) -> float:
    """Return how long it takes to make a view and what a page needs from it, in the middle of a match."""
    seed = bytes(32)
    options = {"alexis": "night"} if seats == 1 else {}
    plays = random_match(GAME, seats, options, seed, Chooser(seed)).plays
    state = plays[len(plays) // 2].state

    def look() -> None:
        view = GAME.view_for(state, Seat(0))
        assert view.spots is not None
        assert view.prospects is not None
        assert view.tallies

    return milliseconds(look)


def main() -> None:
    board = large_board()
    print(f"{'what':62} {'median':>9} {'slowest':>9} {'aim':>7} {'median of aim':>14}")

    def row(what: str, middle: float, slowest: float | None = None, aim: float | None = None) -> None:
        worst = "" if slowest is None else f"{slowest:.2f} ms"
        share = "" if aim is None else f"{middle / aim:.1%}"
        print(f"{what:62} {middle:6.2f} ms {worst:>9} {'' if aim is None else f'{aim:.0f} ms':>7} {share:>14}")

    three = LANDSCAPE[16], LANDSCAPE[37], LANDSCAPE[50]
    what = f"legal places of 3 tiles and 4 turns, {len(board)} tiles"
    reach = REACHES[LARGE]
    row(what, milliseconds(lambda: [placement(board, reach).spots(str(tile)) for tile in three]), aim=PLACES_AIM)
    row(f"islands of {len(board)} tiles, nothing remembered", milliseconds(lambda: islands(board, ())))
    row("the same after one more tile", milliseconds(lambda: islands(board, ()), lambda: _all_but_the_last(board)))
    for seats in GAME.seats:
        row(f"view, places, prospects and points, {seats} seats, nothing remembered", view_time(seats))
    for seats in GAME.seats:
        times = match_times(seats)
        row(f"a whole random match, {seats} seats", median(times), max(times), MATCH_AIM)


def _all_but_the_last(board: Board) -> None:
    forget()
    islands(board[:-1], ())


if __name__ == "__main__":
    main()
