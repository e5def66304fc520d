"""The worker: a loop that runs what is due, in a thread of the single process or in processes of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection, connections

from games.play import duties
from games.play.matches import outages

SHUTDOWN_SECONDS = 3.0
"""How long a process that ends waits for the worker."""


@contextmanager
def working() -> Iterator[None]:
    """Run the worker in a thread of this process until the end of the block.

    Work under way at that moment is finished or rolled back.
    """
    ended = threading.Event()
    thread = threading.Thread(target=_work, args=(ended,), name="worker", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        duties.stop_sleeping()
        thread.join(SHUTDOWN_SECONDS)


def _work(ended: threading.Event) -> None:
    # What is due may take longer than a page, which somebody waits for.
    connection.settings_dict = {**connection.settings_dict, "OPTIONS": settings.WORKER_OPTIONS}
    try:
        work(ended.is_set)
    finally:
        connections.close_all()


def work(ended: Callable[[], bool]) -> None:
    """Do what is due until `ended()`, and note meanwhile that a worker is running."""
    with outages.beating():
        duties.work(ended)
