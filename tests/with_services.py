"""`python -m tests.with_services COMMAND...`: run a command with a PostgreSQL and a Redis of its own.

Both are started from the system's packages on free loopback ports with their data in a temporary folder, told to the
command by DATABASE_URL and REDIS_URL, and ended when it ends. Exits with the command's status.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def wait_for(port: int, seconds: float = 30) -> None:
    """Return when something listens on the port."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise SystemExit(f"nothing listens on port {port} after {seconds} s")


def _postgres_binaries() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        raise SystemExit("PostgreSQL is missing: apt-get install postgresql")
    return found[-1].parent


def _as_postgres(command: list[str]) -> list[str]:
    """PostgreSQL refuses to run as root; then it runs as the user its package made."""
    return (
        ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command] if os.getuid() == 0 else command
    )


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """Run a PostgreSQL and yield its address."""
    binaries, port = _postgres_binaries(), free_port()
    with tempfile.TemporaryDirectory(prefix="tessera-pg-") as folder:
        data = Path(folder) / "data"
        if os.getuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        make = [str(binaries / "initdb"), "-D", str(data), "-U", "tessera", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(_as_postgres(make), check=True, stdout=subprocess.DEVNULL, cwd=folder)
        options = {"listen_addresses": "127.0.0.1", "unix_socket_directories": folder, "max_connections": "200"}
        settings = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        run = [str(binaries / "postgres"), "-D", str(data), "-p", str(port), *settings]
        server = subprocess.Popen(_as_postgres(run), cwd=folder, stderr=subprocess.DEVNULL)
        try:
            wait_for(port)
            yield f"postgres://tessera@127.0.0.1:{port}/postgres"
        finally:
            server.terminate()
            server.wait(20)


@contextlib.contextmanager
def redis(port: int = 0) -> Iterator[str]:
    """Run a Redis and yield its address; without a port of one's choice on a free one."""
    binary, port = shutil.which("redis-server"), port or free_port()
    if binary is None:
        raise SystemExit("Redis is missing: apt-get install redis-server")
    command = [binary, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(20)


def main(command: list[str]) -> int:
    with postgres() as database, redis() as layer:
        return subprocess.call(command, env={**os.environ, "DATABASE_URL": database, "REDIS_URL": layer})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
