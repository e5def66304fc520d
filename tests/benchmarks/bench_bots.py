"""What bots manage on one core: decisions at each level, and futures played, each second and for each game."""

from __future__ import annotations

from time import process_time
from typing import Any

from games.engine import runner
from games.engine.bots import LEVELS, Level, Search, SoFar, choose as choose_at
from games.engine.contract.playouts import option_combinations
from games.engine.dice import Dice
from games.engine.insight import choose
from games.engine.protocol import AnyGame, Seat
from games.titles import games, titles

POSITIONS = 24
MINUTE = 60.0


def searches(game: AnyGame, seats: int) -> list[Search]:
    """Return searches in positions spread over a match that the policy plays."""
    insight, seed, found = titles()[game.slug].insight, bytes(range(32)), []
    play: runner.Play[Any] = runner.begin(game, seats, option_combinations(game, seats)[0], seed)
    while play.outcome is None:
        seat = Seat(min(play.to_move))
        found.append(Search(game, insight, game.view_for(play.state, seat), seat, Dice(play.number)))
        action = choose(game, insight.policy, play.state, seat, seed[:31] + bytes([play.number % 256]))
        play = runner.act(game, play.position, seat, action, seed)
    return found[:: max(1, len(found) // POSITIONS)]


def decisions(level: Level, found: list[Search]) -> tuple[float, float]:
    """Return how many decisions of a level a second holds, and the 95th percentile of one in seconds."""
    times = []
    for search in found:
        started = process_time()
        choose_at(level, search, SoFar(search.view, (), bytes(32)), MINUTE)
        times.append(process_time() - started)
    return len(times) / sum(times), sorted(times)[int(0.95 * (len(times) - 1))]


def playouts(found: list[Search]) -> float:
    """Return how many whole matches the policy plays to their ends in a second, from worlds that fit a view."""
    count, started = 0, process_time()
    for search in found[::4]:
        state, game, insight = search.insight.suppose(search.view, search.dice), search.game, search.insight
        while movers := sorted(game.to_move(state)):
            state = game.apply(state, movers[0], insight.policy(state, movers[0], search.dice), search.dice).state
        count += 1
    return count / (process_time() - started)


def main() -> None:
    print(f"{'what':44} {'in a second':>12} {'slowest but 5 %':>16}")
    for slug, game in games().items():
        for seats in (2, max(game.seats)):
            found = searches(game, seats)
            for level in LEVELS.values():
                many, late = decisions(level, found)
                print(f"{f'{slug}, {seats} seats: decisions of {level.name}':44} {many:12.1f} {late * 1000:13.1f} ms")
            print(f"{f'{slug}, {seats} seats: playouts':44} {playouts(found):12.1f}", flush=True)


if __name__ == "__main__":
    main()
