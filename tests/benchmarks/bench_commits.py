"""What a move costs now, relative to another commit: `python -m tests.benchmarks commits --against COMMIT`.

Both trees run with this Python and this load, in turn, each server on the first core. So does each game, with two
players and with the most; `python -m tests.benchmarks.bench_commits --help` says how to choose. Matches of some games
are short: there are so many that few end during a run.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from functools import partial

from games.titles import games
from tests.benchmarks import site
from tests.benchmarks.alternating import HEAD, ROUNDS, alternate, ratio, row
from tests.benchmarks.driving import Plan
from tests.benchmarks.load import Kind
from tests.benchmarks.trees import ROOT, Tree, checked_out, prepared

SATURATED, PACED = Plan(150, is_paced=False), Plan(200, is_paced=True)
AIM = "at most 0.55 of 389fdd1a"


def kinds(slugs: Iterable[str], seats: str | None) -> Iterator[Kind]:
    """Yield what is played: each game with `two` players, with the `most`, or with both if neither is named."""
    for game in map(games().__getitem__, slugs):
        for name, number in {"two": 2, "most": max(game.seats)}.items():
            if seats in (None, name):
                yield Kind(game, number)


def compare(trees: dict[str, Tree], plan: Plan, kind: Kind, rounds: int) -> None:
    """Alternate the trees, and print the medians of each and what a move costs in the first relative to the second."""
    results = alternate({name: partial(tree.side, kind=kind) for name, tree in trees.items()}, plan, rounds)
    for name, runs in results.items():
        print(row(plan, name, runs))
    ours, theirs = results.values()
    costs = ratio(ours, theirs, lambda run: run.cost)
    print(f"{kind.game.slug}, {kind.seats} seats: CPU per move, {' / '.join(trees)}: {costs}, aim {AIM}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--against", metavar="COMMIT")
    parser.add_argument("--games", nargs="+", choices=games(), default=games(), help="all, unless some are named")
    parser.add_argument("--seats", choices=("two", "most"), help="both, unless one is named")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--paced", action="store_true", help=f"{PACED} as well")
    asked = parser.parse_args()
    if asked.against is None:
        print("skipped: name the other commit with --against COMMIT")
        return
    site.pin(0, 1)
    with checked_out(asked.against) as folder, prepared(folder) as before, prepared(ROOT) as now:
        print(f"{asked.rounds} runs each, in turn\n{HEAD}")
        for kind in kinds(asked.games, asked.seats):
            for plan in (SATURATED, PACED) if asked.paced else (SATURATED,):
                compare({"this tree": now, asked.against[:14]: before}, plan, kind, asked.rounds)


if __name__ == "__main__":
    main()
