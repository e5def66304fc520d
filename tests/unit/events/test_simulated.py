"""The simulation of tests/benchmarks/bench_events.py with small events, every draw made twice."""

from __future__ import annotations

import random

import pytest

from games.events.formats import Format, meetings
from tests.benchmarks.bench_events import Figures, event

EVENTS, MOST = 8, 24


def simulated(format_: Format) -> Figures:
    figures = Figures()
    for number in range(EVENTS):
        small = event(format_, random.Random(number), figures, MOST)
        small.again_every = 1
        small.run()
    return figures


@pytest.mark.parametrize("format_", list(Format))
def test_what_holds_in_every_event(format_: Format) -> None:
    found = simulated(format_)
    assert found.events == EVENTS
    assert found.draws >= EVENTS - 2
    assert (found.twice, found.quarrels, found.early_byes, found.otherwise) == (0, 0, 0, 0)
    assert sum(found.excess) / len(found.excess) <= 8


def test_the_simulation_sees_who_meets_again_without_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meetings, "AGAIN", 0)
    assert sum(simulated(Format.SWISS).excess) / EVENTS > 3
