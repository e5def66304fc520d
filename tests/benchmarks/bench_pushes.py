"""What one push weighs in each title: random matches through the database, every board that goes to a seat.

The weight is that of the whole fragment (board, players, log) under gzip, as in the budgets of the design.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from tests.benchmarks.site import prepare

if TYPE_CHECKING:
    from accounts.models import User

NAMES = ("Ann", "Bob", "Cleo", "Dai", "Eve")
MOST_ACTIONS = 150
MEDIAN, LARGE = 2.0, 8.0
"""The budgets for the median and the 95th percentile, in kB."""

OPTIONS: dict[tuple[str, int], dict[str, Any]] = {("small-islands", 1): {"alexis": "night"}}
"""What has to be chosen where there is no default."""


def main() -> None:
    prepare()
    from games.titles import games
    from tests.people import person

    people = [person(name) for name in NAMES]
    print(f"budgets: median {MEDIAN:g} kB, 95th percentile {LARGE:g} kB")
    print(f"{'title':16} {'seats':>5} {'pushes':>7} {'median kB':>10} {'95 % kB':>8} {'raw kB':>7}  may act / may not")
    for slug, game in games().items():
        for seats in game.seats:
            print(f"{slug:16} {seats:5} {summary(list(weighed(slug, people[:seats])))}", flush=True)


def summary(pushes: Sequence[tuple[float, float, bool]]) -> str:
    """Return number, median, 95th percentile, weight without gzip, and the medians by whether the reader may act."""
    kilobytes = [weight for weight, _raw, _active in pushes]
    halves = [[weight for weight, _raw, active in pushes if active == wanted] for wanted in (True, False)]
    shares = " / ".join(f"{median(half):.2f}" if half else "-" for half in halves)
    raw, large = median(size for _weight, size, _active in pushes), quantiles(kilobytes, n=20)[-1]
    return f"{len(pushes):7} {median(kilobytes):10.2f} {large:8.2f} {raw:7.1f}  {shares}"


def weighed(game: str, people: Sequence[User]) -> Iterator[tuple[float, float, bool]]:
    """Play a match at random; yield kB under gzip, kB without, and whether its reader may act, of each push."""
    from games.engine.playouts import Chooser
    from games.play.boards.fragments import match_fragment
    from games.play.course.positions import legal_texts
    from games.play.matches.access import viewed_by
    from tests.people import act, running_match

    free = Chooser(bytes(32))
    match = running_match(people, game=game, options=OPTIONS.get((game, len(people)), {}), seed=bytes(32))
    for _ in range(MOST_ACTIONS):
        seat = match.seats.filter(to_move=True).order_by("number").values_list("number", flat=True).first()
        if seat is None or not match.is_running:
            return
        act(match, free.pick(legal_texts(match, seat)), seat)
        match.refresh_from_db()
        for user in people:
            table = viewed_by(user, match)
            assert table is not None
            assert table.mine is not None
            html = match_fragment(table).encode()
            yield len(gzip.compress(html, 6)) / 1000, len(html) / 1000, table.mine.to_move


if __name__ == "__main__":
    main()
