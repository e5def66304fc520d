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
        super().__init__(name="lane", daemon=True)
        self.jobs: SimpleQueue[Task] = SimpleQueue()
        self.start()

    def run(self) -> None:
        while True:
            _do(self.jobs.get())


def _do(job: Task) -> None:
    """Do a job; replace a connection that broke during an earlier one, as Django does before a request."""
    try:
        close_old_connections()
        job()
    except Exception:
        log.exception("a job on a lane failed")


@cache
def _workers() -> tuple[_Worker, ...]:
    return tuple(_Worker() for _ in range(1 if connection.vendor == "sqlite" else WORKERS))


def waiting() -> int:
    """Return how many jobs wait on the lanes of this process."""
    return sum(lane.jobs.qsize() for lane in _workers())


def post(slug: str, job: Task) -> None:
    """Do a job on the lane of a match, soon."""
    lanes, asked = _workers(), ASKED.get()
    lanes[crc32(slug.encode()) % len(lanes)].jobs.put(partial(_as_asked, asked, job) if asked else job)


def _as_asked(asked: Asked, job: Task) -> None:
    """Do a job; what is logged meanwhile names who has asked for it."""
    before = ASKED.set(asked)
    try:
        job()
    finally:
        ASKED.reset(before)


def result_of(slug: str, job: Callable[[], Result]) -> Result:
    """Do a job on the lane of a match and return its result, or raise what it raises.

    Whoever is in a transaction does it in their own thread: the lane could wait for them, and they for the lane.
    """
    if connection.in_atomic_block:
        return job()
    done: Future[Result] = Future()
    post(slug, partial(_fulfil, done, job))
    return done.result()


def finish(seconds: float) -> bool:
    """Wait until everything that was put on the lanes so far is done, at most so long; return whether it is."""
    if not _workers.cache_info().currsize:
        return True
    until, marks = time.monotonic() + seconds, [Event() for _ in _workers()]
    for lane, mark in zip(_workers(), marks, strict=True):
        lane.jobs.put(mark.set)
    return all(mark.wait(max(0.0, until - time.monotonic())) for mark in marks)


def _fulfil(done: Future[Result], job: Callable[[], Result]) -> None:
    try:
        done.set_result(job())
    except BaseException as error:  # noqa: BLE001  # it is raised where the result is awaited
        done.set_exception(error)
