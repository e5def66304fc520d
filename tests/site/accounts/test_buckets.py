"""Buckets of one process; those of several are in tests/services."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import time_machine
from django.utils import timezone

from accounts import buckets
from accounts.buckets import Allowance

ALLOWED = Allowance(5, 2)


def taken(key: str, times: int) -> int:
    """Return how many of some uses at once are not refused."""
    return [buckets.draw(key, ALLOWED) for _time in range(times)].count(0)


def test_it_comes_back_steadily_and_never_more_than_all_of_it() -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        assert taken("ann", 9) == 5
        assert buckets.draw("ann", ALLOWED) == 0.5
        assert taken("bob", 1) == 1, "everybody has a bucket of their own"
        for seconds, allowed in ((0.5, 1), (0.25, 0), (0.25, 1), (1, 2), (3600, 5)):
            clock.shift(seconds)
            assert taken("ann", 9) == allowed, seconds
        assert buckets.draw("ann", ALLOWED, uses=-1) == 0
        assert taken("ann", 9) == 1


def test_a_clock_that_is_put_back_locks_nobody_out() -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        taken("ann", 9)
        clock.shift(timedelta(hours=-1))
        assert buckets.draw("ann", ALLOWED) <= 0.5
        clock.shift(0.5)
        assert taken("ann", 9) == 1


def test_threads_share_it() -> None:
    with time_machine.travel(timezone.now(), tick=False), ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(lambda _number: taken("ann", 9), range(8))) == 5
