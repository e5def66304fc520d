"""What a move costs now, relative to another commit: `python -m tests.benchmarks commits --against COMMIT`.

Both trees run with this Python and this load, in turn, each server on the first core.
"""

from __future__ import annotations

import argparse

from tests.benchmarks import site
from tests.benchmarks.alternating import HEAD, ROUNDS, alternate, ratio, row
from tests.benchmarks.driving import Plan
from tests.benchmarks.trees import ROOT, checked_out, prepared

PLANS = (Plan(50, is_paced=False), Plan(200, is_paced=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--against", metavar="COMMIT")
    commit = parser.parse_args().against
    if commit is None:
        print("skipped: name the other commit with --against COMMIT")
        return
    site.pin(0, 1)
    with checked_out(commit) as folder, prepared(folder) as before, prepared(ROOT) as now:
        print(f"{ROUNDS} runs each, in turn\n{HEAD}")
        for plan in PLANS:
            results = alternate({"this tree": now.side, commit[:14]: before.side}, plan)
            for name, runs in results.items():
                print(row(plan, name, runs))
            ours, theirs = results.values()
            costs = ratio(ours, theirs, lambda run: run.cost)
            print(f"{plan}: CPU per move, this tree / {commit}: {costs}", flush=True)


if __name__ == "__main__":
    main()
