"""`python -m config.ops.stack [--port 8080] [--data FOLDER]`: a real site as in config/deploy, on one machine.

It runs PostgreSQL, Redis, two web processes, two workers, a process that thinks for bots, and nginx, all on loopback:
with the commands of the systemd units, and nginx with the configuration of a real site. If DATABASE_URL or REDIS_URL is
set, that service is used instead. Ctrl+C ends everything; if one part ends by itself, all others end too.

Tests use the functions below to start, stop and restart the same services one by one.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from configparser import ConfigParser
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import urlsplit

START_OR_STOP_SECONDS = 30.0
"""How long a service may take to start or to stop."""


class Missing(SystemExit):
    """Something is not installed or does not start, in words for whoever started the stack."""


@dataclass(frozen=True)
class Service:
    """A running part: its name, its process, and its URL, if it has one."""

    name: str
    process: subprocess.Popen[bytes]
    url: str = ""

    @property
    def port(self) -> int:
        """Return the port it listens on."""
        return urlsplit(self.url).port or 0


def free_port() -> int:
    """Return a loopback port that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def wait_for(port: int, seconds: float = START_OR_STOP_SECONDS, process: subprocess.Popen[bytes] | None = None) -> None:
    """Wait until something listens on the port.

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
    """Run a process until the end of the block. Ctrl+C does not reach it, as it has a process group of its own.

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
    """Return the path of a program, None if it is not installed; Debian keeps servers out of users' PATH."""
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
    """Return a command that, if we are root, runs as the user postgres: PostgreSQL refuses to run as root."""
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
    """Wait until PostgreSQL accepts clients; it listens earlier."""
    ask = [program("pg_isready", "postgresql"), "-q", "-h", "127.0.0.1", "-p", str(port), "-t", "1"]
    deadline = time.monotonic() + START_OR_STOP_SECONDS
    while subprocess.run(ask, check=False).returncode != 0:  # noqa: S603  # our own
        if time.monotonic() > deadline:
            raise Missing(f"PostgreSQL does not become ready on port {port}")
        time.sleep(0.05)


@contextmanager
def postgres(folder: Path, port: int = 0, more: Sequence[str] = ()) -> Iterator[Service]:
    """Run PostgreSQL with its data in a folder, which is initialised at the first start.

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
    """Run Redis without persistence.

    Args:
        port: to listen on; 0 for a free one.
        more: more arguments of its command line.
    """
    port = port or free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", *more]
    with child([program("redis-server", "redis-server"), *options], stdout=subprocess.DEVNULL) as process:
        wait_for(port, process=process)
        yield Service("Redis", process, f"redis://127.0.0.1:{port}/0")


ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "config" / "deploy"
WEB_PROCESSES = 2
WORKERS = 2
BOTS = int(os.environ.get("BOT_PROCESSES", "1"))
"""Processes that think for bots."""
START_SECONDS = 30.0
"""How long a web process may take to start."""

Environment = Mapping[str, str]


def environment(folder: Path, port: int, database: str, layer: str) -> dict[str, str]:
    """Return the environment of every process of the site."""
    variables = {"DATABASE_URL": database, "REDIS_URL": layer, "DATA_DIR": str(folder), "TRUSTED_PROXIES": "1"}
    return {**os.environ, **variables, "SITE_URL": f"http://127.0.0.1:{port}"}


def unit(name: str, instance: str) -> tuple[list[str], dict[str, str]]:
    """Return the command and the environment variables of a systemd unit, run by this Python."""
    parser = ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # typeshed knows the default only
    parser.read_string((DEPLOY / "systemd" / name).read_text().replace("%i", instance))
    service = parser["Service"]
    variables = dict(word.split("=", 1) for word in shlex.split(service["Environment"]))
    return [sys.executable, *shlex.split(service["ExecStart"])[1:]], variables


@contextmanager
def web(port: int, variables: Environment) -> Iterator[Service]:
    """Run a web process, and wait until it is healthy.

    Raises:
        Missing: it does not become healthy.
    """
    with instance_of("web", str(port), variables) as part:
        wait_for(port, START_SECONDS, part.process)
        probe = [sys.executable, "-m", "config.ops.probe", str(START_SECONDS)]
        if subprocess.run(probe, check=False, env={**variables, "PORT": str(port)}, cwd=ROOT).returncode != 0:  # noqa: S603  # our own
            raise Missing(f"the web process on port {port} is not healthy: its database or Redis does not answer")
        yield Service(f"the web process on port {port}", part.process, f"http://127.0.0.1:{port}")


@contextmanager
def instance_of(kind: str, name: str, variables: Environment) -> Iterator[Service]:
    """Run an instance of a systemd unit of the site: "web", "worker" or "bots"."""
    command, own = unit(f"tessera-{kind}@.service", name)
    with child(command, env={**variables, **own}, cwd=ROOT) as process:
        yield Service(f"{kind} {name}", process)


def fill(template: str, target: Path, variables: Environment) -> None:
    """Write a template of config/deploy with its variables filled in, as envsubst would."""
    target.write_text(Template((DEPLOY / template).read_text()).safe_substitute(variables))


@contextmanager
def nginx(folder: Path, port: int, upstream: Sequence[int], data: Path, log: str = "stderr") -> Iterator[Service]:
    """Run nginx in front of web processes; it includes `more/*.conf` in its folder."""
    (folder / "more").mkdir(parents=True, exist_ok=True)
    site = {"NGINX_LISTEN": f"127.0.0.1:{port}", "NGINX_SERVER_NAME": "_", "NGINX_INCLUDE": f"{folder}/more/*.conf"}
    site["NGINX_LOG"] = log
    servers = " ".join(f"server 127.0.0.1:{number} max_fails=0;" for number in upstream)
    fill("site.conf.template", folder / "site.conf", {**site, "NGINX_UPSTREAM": servers, "DATA_DIR": str(data)})
    user = "user root;" if os.getuid() == 0 else ""
    fill("stack.conf.template", folder / "nginx.conf", {"STACK_DIR": str(folder), "NGINX_USER": user, "NGINX_LOG": log})
    command = [program("nginx", "nginx"), "-e", "stderr", "-c", str(folder / "nginx.conf")]
    with child(command) as process:
        wait_for(port, process=process)
        yield Service("nginx", process, f"http://127.0.0.1:{port}")


def say(sentence: str) -> None:
    """Print a sentence for whoever started the stack."""
    print(sentence, flush=True)  # noqa: T201  # the terminal is where they look


def manage(variables: Environment, *command: str) -> None:
    """Run a manage.py command quietly."""
    run = [sys.executable, "manage.py", *command, "--verbosity", "0"]
    subprocess.run(run, check=True, env=variables, cwd=ROOT)  # noqa: S603  # our own


@contextmanager
def running(folder: Path, port: int, variables: Environment) -> Iterator[list[Service]]:
    """Run the web processes, the workers, the processes that think for bots, and nginx."""
    ports = [free_port() for _ in range(WEB_PROCESSES)]
    with ExitStack() as stack:
        say(f"Starting {WEB_PROCESSES} web processes, one after the other.")
        parts = [stack.enter_context(web(number, variables)) for number in ports]
        say(f"Starting {WORKERS} workers, {BOTS} for bots, and nginx.")
        wanted = {"worker": WORKERS, "bots": BOTS}
        names = [(kind, str(number)) for kind, count in wanted.items() for number in range(1, count + 1)]
        parts += [stack.enter_context(instance_of(kind, name, variables)) for kind, name in names]
        parts.append(stack.enter_context(nginx(folder / "nginx", port, ports, folder)))
        yield parts


def watch(parts: Sequence[Service]) -> None:
    """Wait until one of the parts ends by itself.

    Raises:
        SystemExit: with the name of that part.
    """
    while True:
        for part in parts:
            if (status := part.process.poll()) is not None:
                raise SystemExit(
                    f"{part.name} has ended (status {status}), so the stack ends too. The reason may be above."
                )
        time.sleep(0.2)


def require() -> None:
    """Check that everything is installed.

    Raises:
        Missing: with the names of all missing packages.
    """
    wanted = {"initdb": "postgresql", "redis-server": "redis-server", "nginx": "nginx", "setpriv": "util-linux"}
    missing = [package for name, package in wanted.items() if not is_installed(name)]
    if missing:
        raise Missing(f"The stack needs more packages: apt-get install {' '.join(missing)}")


def main(folder: Path, port: int) -> None:
    """Run the whole site until Ctrl+C."""
    require()
    with ExitStack() as stack:
        services: list[Service] = []
        database, layer = os.environ.get("DATABASE_URL"), os.environ.get("REDIS_URL")
        if not database:
            say("Starting PostgreSQL.")
            services.append(stack.enter_context(postgres(folder / "postgres")))
            database = services[-1].url
        if not layer:
            say("Starting Redis.")
            services.append(stack.enter_context(redis()))
            layer = services[-1].url
        variables = environment(folder, port, database, layer)
        say("Bringing the database up to date.")
        manage(variables, "migrate")
        say("Collecting static files.")
        manage(variables, "collectstatic", "--noinput")
        parts = stack.enter_context(running(folder, port, variables))
        say(f"Tessera is on http://127.0.0.1:{port}, its data in {folder}. Ctrl+C ends it.")
        watch([*services, *parts])


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit())
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("DATA_DIR", ROOT / "data")) / "stack")
    given = parser.parse_args()
    main(given.data.resolve(), given.port)
