"""`python -m config.stack [--port 8080] [--data FOLDER]`: a real site, as config/deploy describes it, on one machine.

It runs PostgreSQL, Redis, two web processes, two workers, a process that thinks for bots, and nginx, all on loopback:
the processes as the systemd units do, nginx with the file a real site uses. If DATABASE_URL or REDIS_URL is set, that
service is used instead of a new one. Ctrl+C ends everything; if one part ends by itself, so does the rest.
"""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from configparser import ConfigParser
from contextlib import ExitStack, contextmanager
from pathlib import Path
from string import Template

from config.database_servers import Missing, Service, child, free_port, is_installed, postgres, program, redis, wait_for
from config.health import becomes_healthy

ROOT = Path(__file__).resolve().parent.parent
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
    told = {"DATABASE_URL": database, "REDIS_URL": layer, "DATA_DIR": str(folder), "TRUSTED_PROXIES": "1"}
    return {**os.environ, **told, "SITE_URL": f"http://127.0.0.1:{port}"}


def unit(name: str, instance: str) -> tuple[list[str], dict[str, str]]:
    """Return the command and the variables of a systemd unit, with this Python in place of the real site's."""
    parser = ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # typeshed knows the default only
    parser.read_string((DEPLOY / "systemd" / name).read_text().replace("%i", instance))
    service = parser["Service"]
    variables = dict(word.split("=", 1) for word in shlex.split(service["Environment"]))
    return [sys.executable, *shlex.split(service["ExecStart"])[1:]], variables


@contextmanager
def web(port: int, variables: Environment) -> Iterator[Service]:
    """Run a web process, which is healthy when the block begins.

    Raises:
        Missing: it does not become healthy.
    """
    command, own = unit("tessera-web@.service", str(port))
    with child(command, env={**variables, **own}, cwd=ROOT) as process:
        wait_for(port, START_SECONDS, process)
        if not becomes_healthy("127.0.0.1", port, START_SECONDS):
            raise Missing(f"the web process on port {port} is not healthy: its database or Redis does not answer")
        yield Service(f"the web process on port {port}", process, f"http://127.0.0.1:{port}")


@contextmanager
def worker(name: str, variables: Environment) -> Iterator[Service]:
    """Run a worker."""
    command, own = unit("tessera-worker@.service", name)
    with child(command, env={**variables, **own}, cwd=ROOT) as process:
        yield Service(f"worker {name}", process)


@contextmanager
def bots(name: str, variables: Environment) -> Iterator[Service]:
    """Run a process that thinks for bots."""
    command, own = unit("tessera-bots@.service", name)
    with child(command, env={**variables, **own}, cwd=ROOT) as process:
        yield Service(f"bots {name}", process)


def fill(template: str, target: Path, variables: Environment) -> None:
    """Write a file of config/deploy with its variables filled in, as envsubst would."""
    target.write_text(Template((DEPLOY / template).read_text()).safe_substitute(variables))


@contextmanager
def nginx(folder: Path, port: int, upstream: Sequence[int], data: Path, log: str = "stderr") -> Iterator[Service]:
    """Run nginx in front of web processes; `*.conf` in the folder's `more` is included."""
    (folder / "more").mkdir(parents=True, exist_ok=True)
    site = {"NGINX_LISTEN": f"127.0.0.1:{port}", "NGINX_SERVER_NAME": "_", "NGINX_INCLUDE": f"{folder}/more/*.conf"}
    site["NGINX_LOG"] = log
    servers = " ".join(f"server 127.0.0.1:{number} max_fails=0;" for number in upstream)
    fill("site.conf.template", folder / "site.conf", {**site, "NGINX_UPSTREAM": servers, "DATA_DIR": str(data)})
    user = "user root;" if os.getuid() == 0 else ""
    fill("stack.conf.template", folder / "nginx.conf", {"STACK_DIR": str(folder), "NGINX_USER": user, "NGINX_LOG": log})
    command = [program("nginx", "nginx"), "-e", "stderr", "-c", str(folder / "nginx.conf")]
    with child(command, signal.SIGTERM) as process:
        wait_for(port, process=process)
        yield Service("nginx", process, f"http://127.0.0.1:{port}")


def say(sentence: str) -> None:
    """Tell the person who started the stack what it is doing."""
    print(sentence, flush=True)  # noqa: T201  # the terminal is where they look


def manage(variables: Environment, *command: str) -> None:
    """Run a manage.py command quietly."""
    run = [sys.executable, "manage.py", *command, "--verbosity", "0"]
    subprocess.run(run, check=True, env=variables, cwd=ROOT)  # noqa: S603  # our own


@contextmanager
def running(folder: Path, port: int, variables: Environment) -> Iterator[list[Service]]:
    """Run the web processes, the workers, what thinks for bots, and nginx."""
    ports = [free_port() for _ in range(WEB_PROCESSES)]
    with ExitStack() as stack:
        say(f"Starting {WEB_PROCESSES} web processes, one after the other.")
        parts = [stack.enter_context(web(number, variables)) for number in ports]
        say(f"Starting {WORKERS} workers, {BOTS} for bots, and nginx.")
        parts += [stack.enter_context(worker(str(number + 1), variables)) for number in range(WORKERS)]
        parts += [stack.enter_context(bots(str(number + 1), variables)) for number in range(BOTS)]
        parts.append(stack.enter_context(nginx(folder / "nginx", port, ports, folder)))
        yield parts


def watch(parts: Sequence[Service]) -> None:
    """Watch the parts until one of them ends by itself.

    Raises:
        SystemExit: names that part.
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
        Missing: names all missing packages at once.
    """
    wanted = {"initdb": "postgresql", "redis-server": "redis-server", "nginx": "nginx", "setpriv": "util-linux"}
    missing = [package for name, package in wanted.items() if not is_installed(name)]
    if missing:
        raise Missing(f"The stack needs more packages: apt-get install {' '.join(missing)}")


def _end(*_: object) -> None:
    raise SystemExit(0)


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
        signal.signal(number, _end)
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("DATA_DIR", ROOT / "data")) / "stack")
    given = parser.parse_args()
    main(given.data.resolve(), given.port)
