"""What thinking bots cost people: the 99th percentile of pushes with ten matches between Masters going on, and without.

Both are measured in one run on one server, in turns. Processes that think are pinned to the server's own core, which
is the worst case: where there is another one they use that.
"""

from __future__ import annotations

from itertools import islice
from statistics import median

from tests.benchmarks import site
from tests.benchmarks.bench_live import measure, row
from tests.benchmarks.driving import Plan, percentile
from tests.benchmarks.load import make_duels

PLAN = Plan(50, is_paced=True)
ROUNDS = 3
BOTS = 10
AIM = 1.5


def begin_matches_of_bots() -> None:
    """Begin matches in which nobody but Masters plays."""
    from games.play.matches import services
    from games.play.matches.locking import lock
    from games.play.matches.transactions import writing
    from games.play.models import Level, Seat

    for _ in range(BOTS):
        with writing():
            match = services.prepare_match("shifting-stones", {}, 2, rated=False, has_bots=True)
            match.save()
            for number in range(2):
                Seat.objects.create(match=match, number=number, bot=Level.MASTER, namesake=number)
            locked = lock(match.pk)
            services.begin(locked.match, locked.seats)


def end_matches_of_bots() -> int:
    """End these matches; return how many actions the bots have taken in them."""
    from games.play.models import Action, Match, Seat

    matches = Match.objects.filter(has_bots=True, status=Match.Status.RUNNING)
    Seat.objects.filter(match__in=matches).update(to_move=False)
    matches.update(status=Match.Status.ABORTED)
    return Action.objects.filter(by_bot=True).count()


def main() -> None:
    port = site.prepare()
    site.pin(0, 1)
    every = iter(make_duels(2 * ROUNDS * PLAN.count))
    ratios = []
    print(f"{'':22} {'':8} {'submit to answer':>17} {'submit to push':>17}")
    print(f"{'matches':22} {'moves/s':>8} {'p50 ms':>8} {'p99 ms':>8} {'p50 ms':>8} {'p99 ms':>8}")
    with site.served(port):
        for _ in range(ROUNDS):
            alone = measure(port, PLAN, list(islice(every, PLAN.count)))
            begin_matches_of_bots()
            beside = measure(port, PLAN, list(islice(every, PLAN.count)))
            actions = end_matches_of_bots()
            print(row(str(PLAN), alone))
            print(row(f"{PLAN}, {BOTS} of bots", beside), flush=True)
            ratios.append(percentile(beside.pushes, 99) / percentile(alone.pushes, 99))
    print(f"{actions} actions of bots; p99 of pushes with them to that without: {median(ratios):.2f} (at most {AIM})")


if __name__ == "__main__":
    main()
