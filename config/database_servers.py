"""PostgreSQL and Redis from the system's packages, each a child of this process, on loopback only.

`make stack` keeps their data in a folder; tests stop and restart them with the same data.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

START_OR_STOP_SECONDS = 30.0
"""How long a service may take to start or to stop."""


class Missing(SystemExit):
    """Something is not installed or does not start; the text names it and says what to do."""


@dataclass(frozen=True)
class Service:
    """A running part: its name for people, its process, and its address for the settings, if it has one."""

    name: str
    process: subprocess.Popen[bytes]
    url: str = ""

    @property
    def port(self) -> int:
        """The port it listens on."""
        return urlsplit(self.url).port or 0


def free_port() -> int:
    """Return a port of this machine that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def wait_for(port: int, seconds: float = START_OR_STOP_SECONDS, process: subprocess.Popen[bytes] | None = None) -> None:
    """Return when something listens on the port.

    Raises:
        Missing: nothing did in time, or the process has ended.
    """
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and (process is None or process.poll() is None):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise Missing(f"nothing listens on port {port}")


@contextmanager
def child(command: Sequence[str], ends_by: int = signal.SIGTERM, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process until the end of the block. Ctrl+C reaches only this process, which ends its children in order.

    Args:
        command: what to run.
        ends_by: the signal that ends it.
        options: of Popen.
    """
    process = subprocess.Popen(command, process_group=0, **options)  # noqa: S603  # our own
    try:
        yield process
    finally:
        process.send_signal(ends_by)
        process.send_signal(signal.SIGCONT)  # in case it has been stopped
        try:
            process.wait(START_OR_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _found(name: str) -> str | None:
    """Return the path of a program; Debian keeps servers out of users' PATH."""
    postgres = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True)
    return shutil.which(name, path=os.pathsep.join([*postgres, os.environ.get("PATH", os.defpath), "/usr/sbin"]))


def is_installed(name: str) -> bool:
    return _found(name) is not None


def program(name: str, package: str) -> str:
    """Return the path of a program.

    Raises:
        Missing: it is not installed.
    """
    if found := _found(name):
        return found
    raise Missing(f"{name} is missing: apt-get install {package}")


def _as_postgres(command: list[str]) -> list[str]:
    """Return a command that PostgreSQL accepts: it refuses to run as root, so root runs it as the user postgres."""
    return (
        ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command] if os.getuid() == 0 else command
    )


def _make_database(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if os.getuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    make = [program("initdb", "postgresql"), "-D", "data", "-U", "tessera", "-A", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run(_as_postgres(make), check=True, stdout=subprocess.DEVNULL, cwd=folder)  # noqa: S603  # our own


def _wait_until_ready(port: int) -> None:
    """Return when PostgreSQL accepts clients: it listens before it has read its log."""
    ask = [program("pg_isready", "postgresql"), "-q", "-h", "127.0.0.1", "-p", str(port), "-t", "1"]
    deadline = time.monotonic() + START_OR_STOP_SECONDS
    while subprocess.run(ask, check=False).returncode != 0:  # noqa: S603  # our own
        if time.monotonic() > deadline:
            raise Missing(f"PostgreSQL does not become ready on port {port}")
        time.sleep(0.05)


@contextmanager
def postgres(folder: Path, port: int = 0, more: Sequence[str] = ()) -> Iterator[Service]:
    """Run a PostgreSQL with its data in a folder, created at the first start.

    Args:
        folder: for the data.
        port: to listen on; 0 for a free one.
        more: settings of the server, each as name=value.
    """
    port = port or free_port()
    if not (folder / "data").exists():
        _make_database(folder)
    options = ("listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200", *more)
    settings = [word for option in options for word in ("-c", option)]
    run = [program("postgres", "postgresql"), "-D", str(folder / "data"), "-p", str(port), *settings]
    with ExitStack() as stack:
        log = stack.enter_context((folder / "log").open("ab"))
        # SIGINT does not wait for connected clients.
        process = stack.enter_context(child(_as_postgres(run), signal.SIGINT, stdout=log, stderr=log))
        wait_for(port, process=process)
        _wait_until_ready(port)
        yield Service("PostgreSQL", process, f"postgres://tessera@127.0.0.1:{port}/postgres")


@contextmanager
def redis(port: int = 0, more: Sequence[str] = ()) -> Iterator[Service]:
    """Run a Redis that stores nothing.

    Args:
        port: to listen on; 0 for a free one.
        more: further words of its command line.
    """
    port = port or free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", *more]
    with child([program("redis-server", "redis-server"), *options], stdout=subprocess.DEVNULL) as process:
        wait_for(port, process=process)
        yield Service("Redis", process, f"redis://127.0.0.1:{port}/0")
