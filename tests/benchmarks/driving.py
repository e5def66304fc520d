"""The load: matches that move, paced or saturated, the same for every server; a `Match` knows how to speak to it.

`paced`: every match makes one move a second, unless the plan has another pace. `saturated`: every match moves as soon
as the last move has arrived.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import quantiles
from typing import NamedTuple, Protocol, TypeAlias

PACED_SECONDS = 15
SATURATED_SECONDS = 8
WARM_UP = 3
"""Seconds of play before anything is counted, so that caches are warm."""

Meter: TypeAlias = Callable[[], Mapping[str, float]]
"""Returns the seconds of processor time that each process of a site has used so far, by its name."""


@dataclass(frozen=True)
class Plan:
    """A number of matches, paced or saturated.

    Attributes:
        count: how many matches.
        is_paced: they are paced, not saturated.
        pace: moves a second of a paced match.
    """

    count: int
    is_paced: bool
    pace: int = 1

    def __str__(self) -> str:
        often = "" if self.pace == 1 else f" {self.pace}/s"
        return f"{self.count} {'paced' if self.is_paced else 'saturated'}{often}"

    @property
    def seconds(self) -> int:
        return PACED_SECONDS if self.is_paced else SATURATED_SECONDS


class Stopped(Exception):
    """The load cannot go on, for a reason."""


class Moved(NamedTuple):
    """Seconds from a submit to its answer, and until all others have been told."""

    answer: float
    push: float


class Match(Protocol):
    """A match as the load plays it."""

    async def open(self) -> None:
        """Open the sockets of all who look at it."""

    async def move(self) -> Moved | None:
        """Make one random legal move; return when all others have been told, None when the match is over.

        Raises:
            Stopped: the move was refused, or a socket has been closed.
        """

    async def close(self) -> None:
        """Close the sockets."""


def no_meter() -> Mapping[str, float]:
    """Measure no processor time."""
    return {}


@dataclass
class Measured:
    """What one run has shown: seconds to answers and pushes, moves made, and the duration.

    `opening` has the seconds in which all sockets were opened, one after the other; `spent` the seconds of processor
    time by process, `busy` those of the load itself.
    """

    meter: Meter = no_meter
    opening: float = 0
    answers: list[float] = field(default_factory=list)
    pushes: list[float] = field(default_factory=list)
    moves: int = 0
    seconds: float = 0
    spent: dict[str, float] = field(default_factory=dict)
    busy: float = 0

    def start(self) -> None:
        """Start counting, again if need be."""
        self.answers.clear()
        self.pushes.clear()
        self.moves = 0
        self._began, self._busy, self._used = time.perf_counter(), time.process_time(), self.meter()

    def stop(self) -> None:
        """Note how long it took: one match alone is over before its time."""
        self.seconds = time.perf_counter() - self._began
        self.busy = time.process_time() - self._busy
        self.spent = {name: used - self._used.get(name, 0) for name, used in self.meter().items()}

    def count(self, moved: Moved) -> None:
        self.answers.append(moved.answer)
        self.pushes.append(moved.push)
        self.moves += 1

    @property
    def rate(self) -> float:
        """Moves a second."""
        return self.moves / self.seconds

    @property
    def cost(self) -> float:
        """Seconds of processor time that the processes have used for one move."""
        return sum(self.spent.values()) / self.moves

    @property
    def median(self) -> float:
        """The median of the seconds from submit to push."""
        return percentile(self.pushes, 50)

    @property
    def late(self) -> float:
        """The 99th percentile of the seconds from submit to push."""
        return percentile(self.pushes, 99)


def percentile(values: Sequence[float], of_hundred: int) -> float:
    """Return the value below which so many of a hundred lie; there must be two or more values."""
    return quantiles(values, n=100)[of_hundred - 1]


async def paced(match: Match, measured: Measured, plan: Plan, offset: float, until: float) -> None:
    due = time.perf_counter() + offset
    while due < until:
        await asyncio.sleep(max(0, due - time.perf_counter()))
        moved = await match.move()
        if moved is None:
            return
        measured.count(moved)
        due += 1 / plan.pace


async def saturated(match: Match, measured: Measured, until: float) -> None:
    while time.perf_counter() < until and (moved := await match.move()) is not None:
        measured.count(moved)


async def load(matches: Sequence[Match], plan: Plan, meter: Meter = no_meter) -> Measured:
    """Let all open their sockets, and the players move; return what was measured after the warm-up.

    Raises:
        Stopped: a move was refused, or a socket has been closed.
    """
    began = time.perf_counter()
    for match in matches:
        await match.open()
    opening = time.perf_counter() - began
    await asyncio.sleep(1)
    measured, until = Measured(meter, opening), time.perf_counter() + WARM_UP + plan.seconds
    measured.start()
    asyncio.get_running_loop().call_later(WARM_UP, measured.start)
    if plan.is_paced:
        apart = 1 / (plan.pace * len(matches))
        jobs = [paced(match, measured, plan, index * apart, until) for index, match in enumerate(matches)]
    else:
        jobs = [saturated(match, measured, until) for match in matches]
    await asyncio.gather(*jobs)
    measured.stop()
    for match in matches:
        await match.close()
    return measured


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Keep the garbage collector out of the load: it takes 0.1 s at once, which makes 20 to 40 pushes seem late."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def drive(matches: Sequence[Match], plan: Plan, meter: Meter = no_meter) -> Measured:
    """Run `load` with nothing else going on in this process.

    Raises:
        SystemExit: a move was refused, or a socket has been closed.
    """
    with uncollected():
        try:
            return asyncio.run(load(matches, plan, meter))
        except Stopped as reason:
            raise SystemExit(str(reason)) from None
