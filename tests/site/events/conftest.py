"""What the tests of events share: a clock that stands still until it is moved, and the jobs that do what is due."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine

from games.events.jobs import Confirmations, Rounds

FRIDAY = datetime(2026, 11, 27, 12, tzinfo=UTC)
START = datetime(2026, 11, 30, 18, tzinfo=UTC)
"""When the site's own events begin that are opened on `FRIDAY`."""


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel(FRIDAY, tick=False) as moved:
        yield moved


@pytest.fixture
def works(clock: Any) -> Callable[[datetime], None]:
    """Let the jobs of events do what is due at a moment, to which the clock is set."""

    def work(moment: datetime) -> None:
        clock.move_to(moment)
        Confirmations().run_due(moment)
        for _ in range(100):
            if not Rounds().run_due(moment):
                return
        raise AssertionError("the events never come to rest")

    return work
