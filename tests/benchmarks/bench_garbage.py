"""What the thresholds of the garbage collector save: `python -m tests.benchmarks garbage`.

The site as it is and the same with Python's own thresholds run in turn, each server on the first core.
"""

from __future__ import annotations

from dataclasses import replace

from tests.benchmarks import site
from tests.benchmarks.alternating import HEAD, ROUNDS, alternate, ratio, row
from tests.benchmarks.driving import Plan
from tests.benchmarks.trees import ROOT, prepared

PLAN = Plan(200, is_paced=True)
STOCK = ("-c", "from config import serve; serve.collect_in_small_steps = lambda: None; serve.main()")


def main() -> None:
    site.pin(0, 1)
    with prepared(ROOT) as own:
        print(f"{ROUNDS} runs each, in turn\n{HEAD}")
        results = alternate({"own": own.side, "Python's": replace(own, serve=STOCK).side}, PLAN)
    for name, runs in results.items():
        print(row(PLAN, name, runs))
    ours, theirs = results.values()
    print(f"{PLAN}: p99 from submit to push, Python's thresholds / own: {ratio(theirs, ours, lambda run: run.late)}")


if __name__ == "__main__":
    main()
