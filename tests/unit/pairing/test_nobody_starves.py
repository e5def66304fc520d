"""The simulation of tests/benchmarks/bench_pairing.py with few people, many blocks, and each round looked at."""

from __future__ import annotations

import random

import pytest

from games.pairing.matching import Rules
from tests.benchmarks.bench_pairing import PACE, Room

ARRIVALS = 500


def simulated(seconds_between: float) -> Room:
    """Return what came of so many arrivals of fifty people, among whom every tenth pair has blocked each other."""
    room = Room(random.Random(20), seconds_between, arrivals=ARRIVALS, people=50, blocks=120)
    room.run()
    return room


@pytest.mark.parametrize("seconds_between", [1.0, 10.0])
def test_nobody_starves_or_meets_who_is_blocked_or_themselves(seconds_between: float) -> None:
    room = simulated(seconds_between)
    assert room.twice, "somebody has waited twice at a time"
    assert (room.met_blocked, room.met_themselves) == (0, 0)
    assert len(room.waits) + room.given_up + len(room.waiting) == ARRIVALS
    assert room.starving() == 0
    assert len(room.waiting) < 5


def test_while_people_come_who_accepts_two_waits_no_longer_than_their_patience() -> None:
    room = Room(random.Random(20), 1.0, arrivals=ARRIVALS, people=50, blocks=0)
    room.run()
    assert room.longest_of_two <= PACE.patience + 1


def test_the_simulation_sees_who_meets_somebody_blocked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rules, "allow", lambda _rules, one, other: one.person != other.person)
    assert simulated(1.0).met_blocked > 0
