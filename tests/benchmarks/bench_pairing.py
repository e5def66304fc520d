"""How long people wait in quick pairing, and how far apart they are rated: `python -m tests.benchmarks pairing`.

Simulates 10,000 arrivals at each of three rates, in rounds of a second as the worker looks, with the pure pairing
alone. Ratings are normal around 1500 with a deviation of 280. Six in ten want two players, the others also or only
three, four or five. Of 2,000 people 40 pairs have blocked each other; one in twenty gives up within five minutes.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from itertools import combinations
from statistics import median, quantiles

from games.pairing.matching import PACES, Past, Waiter, match, pair_of

ARRIVALS = 10_000
SECONDS_BETWEEN = (2.0, 10.0, 60.0)
PEOPLE = 2_000
SEATS = ((2,), (2, 3), (3, 4), (2, 3, 4, 5))
SHARES = (60, 20, 10, 10)
GIVES_UP = 0.05
PATIENT = (30.0, 300.0)
PACE = PACES["live", True]
HEAD = "seconds between arrivals | median wait | 90 % | longest | median gap | 90 % | given up | left | slowest round"


@dataclass
class Room:
    """One simulation: who waits now, and what has been measured."""

    chance: random.Random
    gap: float
    now: float = 0.0
    ratings: dict[int, float] = field(default_factory=dict)
    waiting: dict[int, tuple[float, float, Waiter]] = field(default_factory=dict)
    waits: list[float] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    rounds: list[float] = field(default_factory=list)
    given_up: int = 0

    def run(self) -> None:
        blocked = {pair_of(*self.chance.sample(range(PEOPLE), 2)) for _ in range(PEOPLE // 50)}
        arrival, came = 0.0, 0
        while came < ARRIVALS or (len(self.waiting) > 1 and self.now < arrival + PATIENT[1]):
            while came < ARRIVALS and arrival <= self.now:
                came, arrival = came + 1, arrival + self.chance.expovariate(1 / self.gap)
                self._arrive(came)
            self._give_up()
            self._round(Past(never=blocked))
            self.now += 1

    def _arrive(self, key: int) -> None:
        person = self.chance.randrange(PEOPLE)
        if any(person == waiter.person for _since, _until, waiter in self.waiting.values()):
            person = PEOPLE + key  # somebody new: nobody waits twice
        rating = self.ratings.setdefault(person, self.chance.gauss(1500, 280))
        seats = self.chance.choices(SEATS, SHARES)[0]
        until = self.now + (self.chance.uniform(*PATIENT) if self.chance.random() < GIVES_UP else 1e9)
        self.waiting[key] = (self.now, until, Waiter(key, person, rating, 0, frozenset(seats)))

    def _give_up(self) -> None:
        gone = [key for key, (_since, until, _waiter) in self.waiting.items() if until <= self.now]
        self.given_up += len(gone)
        for key in gone:
            del self.waiting[key]

    def _round(self, past: Past) -> None:
        room = [
            Waiter(it.key, it.person, it.rating, self.now - since, it.seats)
            for since, _until, it in self.waiting.values()
        ]
        if len(room) < 2:
            return
        started = time.perf_counter()
        groups = match(room, PACE, past)
        self.rounds.append(time.perf_counter() - started)
        for group in groups:
            self.waits += [it.waited for it in group]
            self.gaps += [abs(one.rating - other.rating) for one, other in combinations(group, 2)]
            for it in group:
                del self.waiting[it.key]

    def row(self) -> str:
        waits, gaps = quantiles(self.waits, n=10), quantiles(self.gaps, n=10)
        return (
            f"{self.gap:g} s | {median(self.waits):.0f} s | {waits[8]:.0f} s | {max(self.waits):.0f} s | "
            f"{median(self.gaps):.0f} | {gaps[8]:.0f} | {self.given_up} | {len(self.waiting)} | "
            f"{1000 * max(self.rounds):.0f} ms"
        )


def main() -> None:
    print(HEAD)
    for gap in SECONDS_BETWEEN:
        room = Room(random.Random(20), gap)
        room.run()
        print(room.row(), flush=True)


if __name__ == "__main__":
    main()
