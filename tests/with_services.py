"""`python -m tests.with_services COMMAND...`: run a command with a PostgreSQL and a Redis of its own.

Both are started from the system's packages, on free loopback ports, with their data in a temporary folder. DATABASE_URL
and REDIS_URL give their addresses to the command, and they end when it ends. Locks are waited for longer than by pages,
as the machine may be busy. Exits with the command's status.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.ops.stack import postgres, redis

UNSAFE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
"""What is written need not survive the machine, so nobody waits for its disk: tables are emptied after most tests."""


@contextmanager
def data_folder() -> Iterator[Path]:
    """Yield a temporary folder that PostgreSQL can enter even when it runs as another user."""
    with tempfile.TemporaryDirectory(prefix="tessera-pg-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder) / "postgres"


def main(command: list[str]) -> int:
    with data_folder() as folder, postgres(folder, more=UNSAFE) as database, redis() as layer:
        addresses = {"DATABASE_URL": database.url, "REDIS_URL": layer.url}
        return subprocess.call(command, env={"DATABASE_LOCK_SECONDS": "60", **os.environ, **addresses})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
