"""Worker threads, one database connection each; all moves of a match run on the same one.

What pages ask for over their sockets, what is due and what is pushed runs on the worker of its match, one thing after
the other; a posted form is handled where pages are. SQLite has one writer, so there one worker serves all matches.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import cache, partial
from queue import SimpleQueue
from threading import Event, Thread
from typing import TypeAlias, TypeVar
from zlib import crc32

from django.db import close_old_connections, connection

from accounts.requests import ASKED, Asked

log = logging.getLogger(__name__)

Result = TypeVar("Result")

Task: TypeAlias = Callable[[], object]

WORKERS = 4
"""Where a database server waits for the disk, so many matches can be moved at once."""


class _Worker(Thread):
    def __init__(self) -> None:
        super().__init__(name="worker", daemon=True)
        self.tasks: SimpleQueue[Task] = SimpleQueue()
        self.start()

    def run(self) -> None:
        while True:
            task = self.tasks.get()
            try:
                close_old_connections()  # one that broke during an earlier task is replaced
                task()
            except Exception:
                log.exception("a task of a worker failed")
            del task  # or it would keep its socket until there is another


@cache
def _workers() -> tuple[_Worker, ...]:
    return tuple(_Worker() for _ in range(1 if connection.vendor == "sqlite" else WORKERS))


def waiting() -> int:
    """Return how many tasks wait for the workers of this process."""
    return sum(worker.tasks.qsize() for worker in _workers())


def post(slug: str, task: Task) -> None:
    """Do a task on the worker of a match, after those it was given before."""
    workers, asked = _workers(), ASKED.get()
    workers[crc32(slug.encode()) % len(workers)].tasks.put(partial(_as_asked, asked, task) if asked else task)


def _as_asked(asked: Asked, task: Task) -> None:
    """Do a task; what it logs names who has asked for it."""
    before = ASKED.set(asked)
    try:
        task()
    finally:
        ASKED.reset(before)


def result_of(slug: str, task: Callable[[], Result]) -> Result:
    """Do a task on the worker of a match and return its result, or raise what it raises.

    Within a transaction it is done on the calling thread: the worker could wait for that, and that for the worker.
    """
    if connection.in_atomic_block:
        return task()
    done: Future[Result] = Future()

    def fulfil() -> None:
        try:
            done.set_result(task())
        except BaseException as error:  # noqa: BLE001  # it is raised where the result is awaited
            done.set_exception(error)

    post(slug, fulfil)
    return done.result()


def finish(seconds: float) -> bool:
    """Wait until everything that was given to the workers so far is done, at most so long; return whether it is."""
    if not _workers.cache_info().currsize:
        return True
    until, marks = time.monotonic() + seconds, [Event() for _ in _workers()]
    for worker, mark in zip(_workers(), marks, strict=True):
        worker.tasks.put(mark.set)
    return all(mark.wait(max(0.0, until - time.monotonic())) for mark in marks)
