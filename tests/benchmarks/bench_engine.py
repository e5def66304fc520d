"""Random matches and actions per second in the engine alone, on one core: rules, chance, legal actions."""

from __future__ import annotations

import time

from games.engine import fair, runner
from games.engine.protocol import AnyGame
from games.titles import games

SECONDS = 4.0


def random_matches(game: AnyGame, seats: int, seconds: float = SECONDS) -> tuple[int, int, float]:
    """Play random matches for this many seconds; return matches, actions and the seconds taken."""
    started, matches, actions = time.perf_counter(), 0, 0
    while time.perf_counter() - started < seconds:
        seed = fair.final_seed(matches.to_bytes(32, "big"), [b""] * seats)
        choices = fair.Stream(seed, "benchmark:choices")
        play = runner.begin(game, seats, {}, seed)
        while play.outcome is None:
            seat = min(play.to_move)
            legal = list(game.legal_actions(play.state, seat))
            play = runner.act(game, play.position, seat, legal[choices.below(len(legal))], seed)
        matches, actions = matches + 1, actions + play.number
    return matches, actions, time.perf_counter() - started


def main() -> None:
    print(f"{'game':20} {'seats':>5} {'matches/s':>10} {'actions/s':>10} {'of 10,000':>10}")
    for slug, game in games().items():
        for seats in game.seats:
            if not any(option.required and option.exists_for(seats) for option in game.options):
                matches, actions, seconds = random_matches(game, seats)
                rate = actions / seconds
                print(f"{slug:20} {seats:5} {matches / seconds:10.1f} {rate:10,.0f} {rate / 10_000:9.2f}x")


if __name__ == "__main__":
    main()
