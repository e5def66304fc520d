"""How long people wait in quick pairing, and how far apart they are rated: `python -m tests.benchmarks pairing`.

Simulates 10,000 arrivals at each of three rates, in rounds of a second as the worker looks, with the pure pairing
alone. Ratings are normal around 1500 with a deviation of 280. Six in ten want two players, the others also or only
three, four or five. Of 2,000 people 40 pairs have blocked each other and 200 have met lately; one in fifty waits twice
at a time; one in twenty gives up within five minutes. Each round is looked at: who has met somebody blocked, or
themselves, is counted, and so is whoever is left although a group of those left was possible.
"""

from __future__ import annotations

import os
import random
import time
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import median, quantiles

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from games.matchmaking.limits import pair_of  # noqa: E402  needs the apps
from games.pairing.matching import PACES, Pair, Past, Waiter, match  # noqa: E402  as above

ARRIVALS = 10_000
SECONDS_BETWEEN = (2.0, 10.0, 60.0)
PEOPLE = 2_000
SEATS = ((2,), (2, 3), (3, 4), (2, 3, 4, 5))
SHARES = (60, 20, 10, 10)
TWICE = 0.02
GIVES_UP = 0.05
PATIENT = (30.0, 300.0)
PACE = PACES["live", True]
HEAD = (
    "seconds between arrivals | median wait | 90 % | longest | longest of those who accept two | median gap | 90 % | "
    "given up | slowest round"
)


@dataclass
class Room:
    """One simulation: who waits now, and what has been measured."""

    chance: random.Random
    gap: float
    arrivals: int = ARRIVALS
    people: int = PEOPLE
    blocks: int = PEOPLE // 50
    now: float = 0.0
    past: Past = field(default_factory=Past)
    ratings: dict[int, float] = field(default_factory=dict)
    waiting: dict[int, tuple[float, float, Waiter]] = field(default_factory=dict)
    twice: set[int] = field(default_factory=set)
    waits: list[float] = field(default_factory=list)
    longest_of_two: float = 0.0
    gaps: list[float] = field(default_factory=list)
    rounds: list[float] = field(default_factory=list)
    given_up: int = 0
    met_blocked: int = 0
    met_themselves: int = 0

    def run(self) -> None:
        self.past = Past(never=self._pairs(self.blocks), met=dict.fromkeys(self._pairs(self.people // 10), 1))
        arrival, came = 0.0, 0
        while came < self.arrivals or (len(self.waiting) > 1 and self.now < arrival + PATIENT[1]):
            while came < self.arrivals and arrival <= self.now:
                came, arrival = came + 1, arrival + self.chance.expovariate(1 / self.gap)
                self._arrive(came)
            self._give_up()
            self._round()
            self.now += 1

    def _pairs(self, count: int) -> set[Pair]:
        return {pair_of(*self.chance.sample(range(self.people), 2)) for _ in range(count)}

    def _arrive(self, key: int) -> None:
        person = self._comes(key)
        rating = self.ratings.setdefault(person, self.chance.gauss(1500, 280))
        seats = self.chance.choices(SEATS, SHARES)[0]
        until = self.now + (self.chance.uniform(*PATIENT) if self.chance.random() < GIVES_UP else 1e9)
        self.waiting[key] = (self.now, until, Waiter(key, person, rating, 0, frozenset(seats)))

    def _comes(self, key: int) -> int:
        """Return who arrives: one in fifty is somebody who waits already, as in two windows; the others do not."""
        here = [waiter.person for _since, _until, waiter in self.waiting.values()]
        if here and self.chance.random() < TWICE:
            self.twice.add(person := self.chance.choice(here))
            return person
        person = self.chance.randrange(self.people)
        return self.people + key if person in here else person

    def _give_up(self) -> None:
        gone = [key for key, (_since, until, _waiter) in self.waiting.items() if until <= self.now]
        self.given_up += len(gone)
        for key in gone:
            del self.waiting[key]

    def _round(self) -> None:
        room = [replace(it, waited=self.now - since) for since, _until, it in self.waiting.values()]
        if len(room) < 2:
            return
        started = time.perf_counter()
        groups = match(room, PACE, self.past)
        self.rounds.append(time.perf_counter() - started)
        self._look_at([it.person for group in groups for it in group])
        for group in groups:
            self._measure(group)
            for it in group:
                del self.waiting[it.key]

    def _look_at(self, seated: list[int]) -> None:
        """Count who sits twice in one round, in one group or in two."""
        self.met_themselves += len(seated) - len(set(seated))

    def _measure(self, group: tuple[Waiter, ...]) -> None:
        self.waits += [it.waited for it in group]
        # A second wait begins to count when the first is over, whatever it accepts.
        once = (it.waited for it in group if 2 in it.seats and it.person not in self.twice)
        self.longest_of_two = max([self.longest_of_two, *once])
        for one, other in combinations(group, 2):
            self.gaps.append(abs(one.rating - other.rating))
            self.met_blocked += pair_of(one.person, other.person) in self.past.never

    def starving(self) -> int:
        """Return how many of those left could have sat down with others of them."""
        left = [it for _since, _until, it in self.waiting.values()]
        groups = (group for size in range(2, 6) for group in combinations(left, size) if self._possible(group))
        return len({it.key for group in groups for it in group})

    def _possible(self, group: tuple[Waiter, ...]) -> bool:
        people = {it.person for it in group}
        blocked = any(pair_of(*pair) in self.past.never for pair in combinations(people, 2))
        return len(people) == len(group) and not blocked and all(len(group) in it.seats for it in group)

    def row(self) -> str:
        waits, gaps = quantiles(self.waits, n=10), quantiles(self.gaps, n=10)
        return (
            f"{self.gap:g} s | {median(self.waits):.0f} s | {waits[8]:.0f} s | {max(self.waits):.0f} s | "
            f"{self.longest_of_two:.0f} s | {median(self.gaps):.0f} | {gaps[8]:.0f} | {self.given_up} | "
            f"{1000 * max(self.rounds):.0f} ms"
        )

    def proof(self) -> str:
        return (
            f"    met blocked {self.met_blocked}, met themselves {self.met_themselves}, left {len(self.waiting)}, "
            f"of these with a possible group {self.starving()}"
        )


def main() -> None:
    print(HEAD)
    for gap in SECONDS_BETWEEN:
        room = Room(random.Random(20), gap)
        room.run()
        print(room.row())
        print(room.proof(), flush=True)


if __name__ == "__main__":
    main()
