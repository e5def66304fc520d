"""The write transaction: every change of a match happens inside one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from django.db import connection, transaction

from games.play import database_errors

# SQLite has one writer. Kept because with SQLite's own busy loop, which sleeps up to a tenth of a second, the 99th
# percentile of posted moves on four threads is twice as long in the row "stock" of the benchmark.
_sqlite_writer = threading.RLock()


@contextmanager
def writing() -> Iterator[None]:
    """Hold one transaction, on SQLite one at a time within this process.

    Raises:
        django.db.OperationalError: it took too long until others were done.
    """
    with _alone() if connection.vendor == "sqlite" else nullcontext(), transaction.atomic():
        yield


@contextmanager
def _alone() -> Iterator[None]:
    """Wait for the other writers of this process, no longer than SQLite would for those of another one."""
    if not _sqlite_writer.acquire(timeout=connection.settings_dict["OPTIONS"].get("timeout", 5)):
        raise database_errors.locked()
    try:
        yield
    finally:
        _sqlite_writer.release()
