"""Side by side with boardgame.io 0.50.2, which stores in files: each server on the first core, the load on the other.

Theirs is tic-tac-toe with credentials, which boardgame.io sends without compression. Ours is the same game as a title
with one template; the same again, but without compression; and Shifting Stones. All are in SQLite, rendered for each
viewer, with sessions. Both have done with a move when the opponent has been told (boardgame.io tells before it has
stored, and it stores the whole log of a match at every move, so that its moves cost more the longer a match is).

`python -m tests.benchmarks.bench_peer --plans "50 saturated"` runs one plan alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from tests.benchmarks import node, site
from tests.benchmarks.alternating import HEAD, ROUNDS, Side, alternate, ratio, row
from tests.benchmarks.driving import Plan
from tests.benchmarks.load import Kind
from tests.benchmarks.peer import serving, tic_tac_toe
from tests.benchmarks.trees import ROOT, prepared, with_title

PLANS = (Plan(50, is_paced=False), Plan(200, is_paced=False), Plan(200, is_paced=True))
SAME, PLAIN, OTHER = "same game", "uncompressed", "Shifting Stones"
RATE_AIMS = {SAME: "at least 1.0", PLAIN: "at least 1.0", OTHER: "at least 0.75"}
LATE_AIM = "at most 4"
TITLE = Path(tic_tac_toe.__file__).parent


def compare(plan: Plan, forms: Mapping[str, Side], rounds: int) -> Iterator[str]:
    """Alternate boardgame.io with our forms; yield the medians of each and how ours relate to theirs."""
    results = alternate({**forms, "boardgame.io": serving.side}, plan, rounds)
    for name, runs in results.items():
        yield row(plan, name, runs)
    theirs = results.pop("boardgame.io")
    for name, ours in results.items():
        if plan.is_paced:
            compared = f"p99 {ratio(ours, theirs, lambda run: run.late)}, aim {LATE_AIM}"
        else:
            compared = f"moves/s {ratio(ours, theirs, lambda run: run.rate)}, aim {RATE_AIMS[name]}"
        costs = f"CPU per move {ratio(ours, theirs, lambda run: run.cost)}"
        yield f"{plan}, {name}, ours / theirs: {compared}; {costs}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--plans", nargs="+", choices=list(map(str, PLANS)), help="all, unless some are named")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    try:
        serving.install()
    except node.Absent as reason:
        print(f"skipped: {reason}")
        return
    site.pin(0, 1)
    print(f"{asked.rounds} runs each, in turn\n{HEAD}")
    with prepared(ROOT) as own, with_title(TITLE) as source, prepared(source) as same:
        forms: dict[str, Side] = {
            SAME: partial(same.side, kind=Kind(tic_tac_toe.GAME)),
            PLAIN: partial(same.side, kind=Kind(tic_tac_toe.GAME, is_compressed=False)),
            OTHER: own.side,
        }
        for plan in PLANS:
            if not asked.plans or str(plan) in asked.plans:
                print("\n".join(compare(plan, forms, asked.rounds)), flush=True)


if __name__ == "__main__":
    main()
