"""The lanes: threads, each with a connection to the database, on which matches are moved and their boards rendered.

What is asked over sockets about a match happens on the same lane, one thing after the other. SQLite has one writer, so
there one lane serves all matches.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from django.db import close_old_connections, connection

T = TypeVar("T")

LANES = 4
"""Where a database server waits for the disk, so many matches can be moved at once."""


@cache
def _lanes() -> tuple[ThreadPoolExecutor, ...]:
    number = 1 if connection.vendor == "sqlite" else LANES
    return tuple(ThreadPoolExecutor(1, f"lane-{each}") for each in range(number))


async def run(match_id: int, job: Callable[[], T]) -> T:
    """Do a job on the lane of a match, and return what it returns; raise what it raises."""
    lanes = _lanes()
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(lanes[match_id % len(lanes)], _connected, job)


def _connected(job: Callable[[], T]) -> T:
    """Replace a connection that broke during an earlier job, as Django does before a request."""
    close_old_connections()
    return job()
