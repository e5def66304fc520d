"""What one push weighs in each title: random matches to their end, the parts that go to players and to spectators.

Weighed is the message as it is sent, plain and under gzip, in the second half of a match, and the whole board besides.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median, quantiles
from typing import TYPE_CHECKING

from tests.benchmarks.site import prepare

if TYPE_CHECKING:
    from games.titles.regions import Page

MEDIAN, LARGE = 4.0, 12.0
MEDIAN_PACKED, LARGE_PACKED = 2.0, 4.0
"""The aims for the median and the 95th percentile, in kB."""


def main() -> None:
    prepare()
    from games.titles import games

    print(f"kB of a push, median / 95 %; aims: {MEDIAN:g} / {LARGE:g}, under gzip {MEDIAN_PACKED:g} / {LARGE_PACKED:g}")
    print(f"{'title':16} {'seats':>5} {'reader':10} {'pushes':>7} {'plain':>13} {'gzip':>13} {'whole board':>13}")
    for slug, game in games().items():
        for seats in game.seats:
            for reader, sizes in weighed(slug, seats).items():
                columns = " ".join(f"{spread(column):>13}" for column in zip(*sizes, strict=True))
                print(f"{slug:16} {seats:5} {reader:10} {len(sizes):7} {columns}", flush=True)


def spread(sizes: Sequence[int]) -> str:
    """Return the median and the 95th percentile of some bytes, in kB."""
    return f"{median(sizes) / 1000:.2f} / {quantiles(sizes, n=20)[-1] / 1000:.2f}"


def weighed(slug: str, seats: int) -> dict[str, list[tuple[int, int, int]]]:
    """Return for each kind of reader the bytes of every push, under gzip, and of the whole board."""
    from tests.renderings import renderings

    pushes: dict[str, list[list[tuple[int, int, int]]]] = {"player": [], "spectator": []}
    for before, now in pairwise(renderings(slug, seats, bytes(32))):
        for reader, viewers in (("player", [each for each in now if each is not None]), ("spectator", [None])):
            pushes[reader].append([weight(now[viewer], before[viewer]) for viewer in viewers])
    return {reader: list(late(found)) for reader, found in pushes.items()}


def late(pushes: Sequence[Sequence[tuple[int, int, int]]]) -> Iterator[tuple[int, int, int]]:
    for found in pushes[len(pushes) // 2 :]:
        yield from found


def weight(now: Page, before: Page) -> tuple[int, int, int]:
    from games.play.live.consumers import board_message

    push, whole = (board_message((1, now), earlier).encode() for earlier in ((0, before), None))
    return len(push), len(gzip.compress(push, 6)), len(whole)


if __name__ == "__main__":
    main()
