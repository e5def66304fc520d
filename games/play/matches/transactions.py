"""The write transaction: every change of a match happens inside one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from django.db import connection, transaction

# SQLite has one writer. Kept because with SQLite's own busy loop, which sleeps up to a tenth of a second, the 99th
# percentile of posted moves on four threads is twice as long in the row "stock" of the benchmark.
_sqlite_writer = threading.RLock()


@contextmanager
def writing() -> Iterator[None]:
    """Hold one transaction, on SQLite one at a time within this process."""
    with _sqlite_writer if connection.vendor == "sqlite" else nullcontext(), transaction.atomic():
        yield
