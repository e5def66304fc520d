"""Jobs that meet: they begin at the same moment, on threads with a connection to the database each."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from games.engine.protocol import RuleViolation

MOST = 50
"""How many meet; more jobs than that take turns."""


class Threads:
    """Threads that keep their connections for a test: opening one costs PostgreSQL as much as most jobs do."""

    def __init__(self) -> None:
        self._connections: list[BaseDatabaseWrapper] = []
        self._pool: ThreadPoolExecutor | None = None

    def together(self, jobs: Iterable[Callable[[], object]]) -> list[Any]:
        """Run jobs at the same moment; return what each returned, in their order, or raise what one has raised."""
        every = list(jobs)
        barrier = threading.Barrier(min(MOST, len(every)))
        self._pool = self._pool or ThreadPoolExecutor(MOST, initializer=self._begin)
        futures = [
            self._pool.submit(_met, job, barrier if number < barrier.parties else None)
            for number, job in enumerate(every)
        ]
        wait(futures)
        return [future.result() for future in futures]

    def _begin(self) -> None:
        opened = connections[DEFAULT_DB_ALIAS]
        opened.inc_thread_sharing()  # so that another thread can close it
        self._connections.append(opened)

    def end(self) -> None:
        """End the threads and close their connections."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
        while self._connections:
            self._connections.pop().close()


def _met(job: Callable[[], object], barrier: threading.Barrier | None) -> object:
    if barrier is not None:
        barrier.wait(60)
    return job()


threads = Threads()
"""Those of the test that is running."""

together = threads.together


def endings(jobs: Iterable[Callable[[], object]]) -> Counter[str]:
    """Run jobs at the same moment; return how they ended: by the codes of refusals, else "done"."""
    return Counter(together(partial(_ending, job) for job in jobs))


def somebody_waits() -> bool:
    """Return whether a connection waits for a row that another has locked, on PostgreSQL, even inside a transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # a transaction goes on seeing what it saw first
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])


def _ending(job: Callable[[], object]) -> str:
    try:
        job()
    except RuleViolation as violation:
        return violation.code
    return "done"
