"""Waiting in tests for what other processes and threads do."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(true: Callable[[], bool], seconds: float = 90) -> None:
    """Return as soon as something is so; the test has failed when it is not so in time."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)
