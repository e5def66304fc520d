"""The site as `make run` serves it: a separate process on the test's database that can be ended or killed."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.db import connection
from django.test import Client

from config.ops.stack import free_port
from games.play.models import Watch
from tests.unit.config.environment import ROOT, bare

TOKEN = "a" * 32
"""A CSRF token: whatever the cookie and the header both say."""


def database_url() -> str:
    """Return the address of the test's database."""
    made = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{made['NAME']}"
    password = quote(made["PASSWORD"] or "", safe="")
    return f"postgres://{made['USER']}:{password}@{made['HOST']}:{made['PORT']}/{made['NAME']}"


@dataclass(frozen=True)
class Running:
    """A served site in a process of its own."""

    process: subprocess.Popen[bytes]
    port: int

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self, method: str, path: str, client: Client | None = None, form: str = "", seconds: float = 60
    ) -> tuple[int, str]:
        """Send a request as htmx would; return status and body.

        Raises:
            OSError, http.client.HTTPException: there was no whole answer in time.
        """
        visit = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            visit.request(method, path, form, headers_of(client))
            answer = visit.getresponse()
            return answer.status, answer.read().decode()
        finally:
            visit.close()

    def wait(self, status: int = 200, seconds: float = 120, path: str = "/healthz") -> float:
        """Wait until the health check answers with this status; return how many seconds that took."""
        started = time.monotonic()
        while time.monotonic() < started + seconds:
            with suppress(OSError, http.client.HTTPException):
                if self.ask("GET", path)[0] == status:
                    return time.monotonic() - started
            time.sleep(0.05)
        raise AssertionError(f"the site did not answer {status} within {seconds} s")


def headers_of(client: Client | None) -> dict[str, str]:
    """Return what a browser with this client's session sends."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true", "X-CSRFToken": TOKEN}
    session = "" if client is None else client.cookies[settings.SESSION_COOKIE_NAME].value
    return headers | {"Cookie": f"{settings.SESSION_COOKIE_NAME}={session}; csrftoken={TOKEN}"}


def collect_names(folder: Path) -> None:
    """Do the part of collectstatic that rendering pages needs."""
    names = {name: name for finder in get_finders() for name, _storage in finder.list([])}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "staticfiles.json").write_text(json.dumps({"paths": names, "version": "1.1", "hash": ""}))


def output_of(folder: Path) -> str:
    """Return what the sites with this data folder have written so far."""
    return "".join(path.read_text() for path in sorted(folder.glob("output-*")))


def no_outage() -> None:
    """Let the time without a worker not count as an outage, however long this machine needs for a test."""
    Watch.objects.all().delete()


@contextmanager
def at_work(folder: Path, code: str = "", **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run `manage.py worker` on the test's database until the end of the block, then end it, by force if need be.

    Args:
        folder: for its output.
        code: Python to run instead of `manage.py worker`.
        variables: of the environment.
    """
    environment = bare(folder, DATABASE_URL=database_url(), SECRET_KEY=settings.SECRET_KEY, **variables)
    with (folder / "output-worker").open("wb") as output:
        what = ["-c", code] if code else ["manage.py", "worker"]
        process = subprocess.Popen([sys.executable, *what], cwd=ROOT, env=environment, stdout=output, stderr=output)
        try:
            yield process
        finally:
            process.kill()
            process.wait(60)


@contextmanager
def serving(folder: Path, code: str = "", **variables: str) -> Iterator[Running]:
    """Serve the test's database until the end of the block, then end the process, by force if need be.

    Args:
        folder: for the data of the site other than its database.
        code: Python to run instead of `-m config.serve`.
        variables: of the environment.
    """
    collect_names(folder / "static")
    port = free_port()
    given = {"DATABASE_URL": database_url(), "SECRET_KEY": settings.SECRET_KEY, "PORT": str(port)}
    environment = bare(folder, **{**given, **variables})
    with (folder / f"output-{port}").open("wb") as output:
        what = ["-c", code] if code else ["-m", "config.serve"]
        process = subprocess.Popen([sys.executable, *what], cwd=ROOT, env=environment, stdout=output, stderr=output)
        try:
            yield Running(process, port)
        finally:
            process.kill()
            process.wait(60)
