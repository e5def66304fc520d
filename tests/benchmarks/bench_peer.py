"""Side by side with boardgame.io 0.50.2, which stores in files: each server on the first core, the load on the other.

Ours is Shifting Stones in SQLite, rendered for each viewer, with sessions; theirs is tic-tac-toe with credentials. Both
have done with a move when the opponent has been told (boardgame.io tells before it has stored, and it stores the whole
log of a match at every move, so that its moves cost more the longer a match is).
"""

from __future__ import annotations

from tests.benchmarks import node, site
from tests.benchmarks.alternating import HEAD, ROUNDS, Side, alternate, ratio, row
from tests.benchmarks.driving import Plan
from tests.benchmarks.peer import serving
from tests.benchmarks.trees import ROOT, prepared

PLANS = (Plan(50, is_paced=False), Plan(200, is_paced=False), Plan(200, is_paced=True))
RATE_AIM, LATE_AIM = "at least 0.9", "at most 4"


def compare(plan: Plan, ours: Side) -> str:
    """Alternate both servers; return the medians of each and how ours relate to theirs."""
    results = alternate({"Tessera": ours, "boardgame.io": serving.side}, plan)
    lines = [row(plan, name, runs) for name, runs in results.items()]
    tessera, peer = results.values()
    if plan.is_paced:
        compared = f"p99 ours / theirs: {ratio(tessera, peer, lambda run: run.late)}, aim {LATE_AIM}"
    else:
        compared = f"moves/s ours / theirs: {ratio(tessera, peer, lambda run: run.rate)}, aim {RATE_AIM}"
    costs = f"CPU per move ours / theirs: {ratio(tessera, peer, lambda run: run.cost)}"
    return "\n".join([*lines, f"{plan}: {compared}", f"{plan}: {costs}"])


def main() -> None:
    try:
        serving.install()
    except node.Absent as reason:
        print(f"skipped: {reason}")
        return
    site.pin(0, 1)
    print(f"{ROUNDS} runs each, in turn\n{HEAD}")
    with prepared(ROOT) as tree:
        for plan in PLANS:
            print(compare(plan, tree.side), flush=True)


if __name__ == "__main__":
    main()
