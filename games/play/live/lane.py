"""The lanes: threads, each with a connection to the database, on which matches are moved and their boards rendered.

What concerns a match happens on the same lane, one thing after the other. SQLite has one writer, so there one lane
serves all matches.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias
from zlib import crc32

from django.db import close_old_connections, connection

log = logging.getLogger(__name__)

Job: TypeAlias = Callable[[], object]

LANES = 4
"""Where a database server waits for the disk, so many matches can be moved at once."""


class _Lane(Thread):
    def __init__(self) -> None:
        super().__init__(name="lane", daemon=True)
        self.jobs: SimpleQueue[Job] = SimpleQueue()
        self.start()

    def run(self) -> None:
        while True:
            _do(self.jobs.get())


def _do(job: Job) -> None:
    """Do a job; replace a connection that broke during an earlier one, as Django does before a request."""
    try:
        close_old_connections()
        job()
    except Exception:
        log.exception("a job on a lane failed")


@cache
def _lanes() -> tuple[_Lane, ...]:
    return tuple(_Lane() for _ in range(1 if connection.vendor == "sqlite" else LANES))


def post(slug: str, job: Job) -> None:
    """Do a job on the lane of a match, soon."""
    lanes = _lanes()
    lanes[crc32(slug.encode()) % len(lanes)].jobs.put(job)
