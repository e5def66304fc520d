"""From submit to push, over HTTP and sockets, with real sessions, origin checks and boards; one server process.

`driving` says what paced and saturated matches are.
"""

from __future__ import annotations

import time
from datetime import timedelta
from itertools import islice

from tests.benchmarks import site, trivial
from tests.benchmarks.driving import WARM_UP, Measured, Plan, drive, percentile
from tests.benchmarks.load import Begun, make_duels, matches_at

AIM = 400
"""Moves a second of 50 saturated matches."""
PACED_AIM = 200
"""Matches that make one move a second each."""


def wait_for_worker(seconds: float) -> None:
    """Wait until the worker has been idle for this long: its work is not part of a move."""
    from django.utils import timezone

    from games.notifications.models import Notice

    while Notice.objects.filter(due_at__lt=timezone.now() + timedelta(seconds=seconds)).exists():
        time.sleep(0.2)


def row(name: str, measured: Measured) -> str:
    """Return one line of the table: moves per second, then p50 and p99 in ms of answer and push."""

    def percentiles(values: list[float]) -> str:
        return f"{percentile(values, 50) * 1000:8.1f} {percentile(values, 99) * 1000:8.1f}"

    return f"{name:22} {measured.rate:8.1f} {percentiles(measured.answers)} {percentiles(measured.pushes)}"


def speed() -> float:
    """Return how fast this machine is now, relative to the one on which the aims were set."""
    return trivial.requests_per_second() / trivial.REFERENCE


def measure(port: int, plan: Plan, duels: list[Begun]) -> Measured:
    """Return the result of one row, measured while the worker has nothing to do."""
    wait_for_worker(WARM_UP + plan.seconds)
    return drive(matches_at(f"http://127.0.0.1:{port}", [port], duels), plan)


def main() -> None:
    port = site.prepare()
    site.pin(0, 1)
    before = speed()
    share = round(PACED_AIM * min(1, before))
    counts = {True: sorted({1, 50, share, PACED_AIM}), False: [1, 50, 200]}
    plans = [Plan(count, is_paced) for is_paced in (True, False) for count in counts[is_paced]]
    every = iter(make_duels(sum(plan.count for plan in plans)))
    duels = {plan: list(islice(every, plan.count)) for plan in plans}
    print(f"{'':22} {'':8} {'submit to answer':>17} {'submit to push':>17}  speed of")
    print(f"{'matches':22} {'moves/s':>8} {'p50 ms':>8} {'p99 ms':>8} {'p50 ms':>8} {'p99 ms':>8}  the machine")
    with site.served(port):
        for plan in plans:
            measured = measure(port, plan, duels[plan])
            after = speed()
            now, before = (before + after) / 2, after
            print(f"{row(str(plan), measured)} {now:12.2f}", flush=True)
            if plan == Plan(50, is_paced=False):
                reached = measured.rate / (AIM * now)
    sockets = 2 * plans[-1].count
    print(f"to open one of {sockets} sockets takes {measured.opening / sockets * 1000:.1f} ms")
    print(
        f"speed 1 is the machine the aims were set on ({trivial.REFERENCE} requests/s of a trivial view). Aims there:"
    )
    print(f"{PACED_AIM} paced (here {share} are as much) to the push p50 8 ms, p99 30 ms; 50 saturated {AIM} moves/s")
    print(f"50 saturated to the aim at the speed of this machine: {reached:.2f}")


if __name__ == "__main__":
    main()
