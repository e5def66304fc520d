"""What thinking bots cost people: the 99th percentile of pushes with ten matches between Masters going on, and without.

The ten are of all games in turn, with as many seats as matches mostly have at most. Both are measured in one run on one
server, in turns. Processes that think are pinned to the server's own core, which is the worst case: where there is
another one they use that.
"""

from __future__ import annotations

from collections import Counter
from itertools import cycle, islice
from statistics import median

from games.engine.protocol import complete_options
from games.titles import games
from tests.benchmarks import site
from tests.benchmarks.bench_live import measure, row
from tests.benchmarks.driving import Plan, percentile
from tests.benchmarks.load import make_duels

PLAN = Plan(50, is_paced=True)
ROUNDS = 3
BOTS = 10
MOST_SEATS = 4
AIM = 1.5


def begin_matches_of_bots() -> None:
    """Begin matches in which nobody but Masters plays."""
    from games.play import commands
    from games.play.models import Level, Seat
    from games.play.store import lock, writing

    for game in islice(cycle(games().values()), BOTS):
        seats = min(max(game.seats), MOST_SEATS)
        with writing():
            match = commands.prepare_match(
                game.slug, complete_options(game, seats, {}), seats, rated=False, has_bots=True
            )
            match.save()
            for number in range(seats):
                Seat.objects.create(match=match, number=number, bot=Level.MASTER, namesake=number)
            locked = lock(match.pk)
            commands.begin(locked.match, locked.seats)


def end_matches_of_bots() -> dict[str, int]:
    """End these matches; return how many actions bots have taken so far, in each game."""
    from games.play.models import Action, Match, Seat

    matches = Match.objects.filter(has_bots=True, status=Match.Status.RUNNING)
    Seat.objects.filter(match__in=matches).update(to_move=False)
    matches.update(status=Match.Status.ABORTED)
    return Counter(Action.objects.filter(by_bot=True).values_list("match__game", flat=True))


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
    print("actions of bots:", ", ".join(f"{game} {count}" for game, count in sorted(actions.items())))
    print("ratios of the rounds:", ", ".join(f"{ratio:.2f}" for ratio in ratios))
    print(f"p99 of pushes with bots to that without, their median: {median(ratios):.2f} (at most {AIM})")


if __name__ == "__main__":
    main()
