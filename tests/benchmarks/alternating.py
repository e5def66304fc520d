"""Runs of several sides, one after the other and again: only ratios within one such series say something."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import TypeAlias

from tests.benchmarks.driving import Measured, Plan

ROUNDS = 3

Side: TypeAlias = Callable[[Plan], Measured]
"""Runs a plan once, with a new server that knows nothing but the matches of this run."""
Figure: TypeAlias = Callable[[Measured], float]


def alternate(sides: Mapping[str, Side], plan: Plan, rounds: int = ROUNDS) -> dict[str, list[Measured]]:
    """Run a plan as A B A B A B; return what each side has shown, by its name."""
    results: dict[str, list[Measured]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, run in sides.items():
            results[name].append(run(plan))
    return results


def middle(results: Sequence[Measured], figure: Figure) -> float:
    """Return the median of a figure over the runs of one side."""
    return median(map(figure, results))


def ratio(ours: Sequence[Measured], theirs: Sequence[Measured], figure: Figure) -> str:
    """Return the median of ours relative to the median of theirs, and how much this differs from round to round."""
    rounds = [figure(one) / figure(other) for one, other in zip(ours, theirs, strict=True)]
    whole = middle(ours, figure) / middle(theirs, figure)
    return f"{whole:.2f} (round by round {min(rounds):.2f} to {max(rounds):.2f})"


HEAD = (
    f"{'':29} {'':8} {'submit to push':>17} {'CPU per':>8} {'load':>5}\n"
    f"{'matches':14} {'medians of':14} {'moves/s':>8} {'p50 ms':>8} {'p99 ms':>8} {'move ms':>8} {'busy':>5}"
)
"""What stands above `row`. A load that is busy all the time would hold the server up."""


def row(plan: Plan, name: str, runs: Sequence[Measured]) -> str:
    """Return the medians of one side."""
    pushes = f"{1000 * middle(runs, lambda run: run.median):8.1f} {1000 * middle(runs, lambda run: run.late):8.1f}"
    cost, busy = 1000 * middle(runs, lambda run: run.cost), middle(runs, lambda run: run.busy / run.seconds)
    return f"{plan!s:14} {name:14} {middle(runs, lambda run: run.rate):8.1f} {pushes} {cost:8.2f} {busy:5.0%}"
