"""Waiting for other processes and threads."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(true: Callable[[], bool], seconds: float = 90) -> None:
    """Return as soon as something becomes true; the test fails if it does not in time."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)  # often enough, as many of these questions go to a database or a server
