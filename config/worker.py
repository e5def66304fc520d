"""The worker: a loop that does what is due, in a thread of the single process or in processes of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connections

from games.play import duties

PATIENCE = 5.0
"""Seconds for which the end of the process waits for what the worker is doing."""


@contextmanager
def working() -> Iterator[None]:
    """Let a thread of this process do what is due until the end of the block.

    What it is in the middle of then is finished, or taken back by the database.
    """
    ended = threading.Event()
    thread = threading.Thread(target=_work, args=(ended,), name="worker", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        duties.stop_sleeping()
        thread.join(PATIENCE)


def _work(ended: threading.Event) -> None:
    try:
        duties.work(ended.is_set)
    finally:
        connections.close_all()
