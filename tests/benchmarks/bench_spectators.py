"""What a move costs that others watch, relative to one that nobody does: `python -m tests.benchmarks spectators`.

The same people watch both matches: they have no more sockets than one person and one network address may have
(`accounts.limits.SOCKETS`). Even if one player made all the moves, they would send no more messages than a socket may
(`games.play.live.sockets`).
"""

from __future__ import annotations

import argparse
from functools import partial

from tests.benchmarks import site
from tests.benchmarks.alternating import HEAD, ROUNDS, alternate, ratio, row
from tests.benchmarks.driving import Plan
from tests.benchmarks.load import Kind
from tests.benchmarks.trees import ROOT, prepared

PLAN = Plan(2, is_paced=True, pace=5)
SPECTATORS = (0, 10, 200)
"""Of each match."""
AIMS = {200: ", aim at most 2"}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    site.pin(0, 1)
    print(f"{asked.rounds} runs each, in turn\n{HEAD}")
    with prepared(ROOT) as tree:
        sides = {number: partial(tree.side, kind=Kind(spectators=number)) for number in SPECTATORS}
        results = alternate({f"{number} spectators": side for number, side in sides.items()}, PLAN, asked.rounds)
    for name, runs in results.items():
        print(row(PLAN, name, runs))
    unwatched, *watched = results.values()
    for number, runs in zip(SPECTATORS[1:], watched, strict=True):
        costs = ratio(runs, unwatched, lambda run: run.cost)
        print(f"CPU per move, {number} spectators / none: {costs}{AIMS.get(number, '')}")


if __name__ == "__main__":
    main()
