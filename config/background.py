"""What runs beside the web server when one command starts the whole site: the worker, and bots.

The worker is a thread; `manage.py worker` runs the same loop in a process of its own. Bots think in child processes.
This process plays their answers on the worker threads of the matches, so that a person's move waits in a queue behind a
bot's instead of sleeping until another process releases the database.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import connection, connections

from games.bots.services import Answer, play_answer
from games.play import jobs, timekeeping
from games.play.live import workers

log = logging.getLogger(__name__)

SHUTDOWN_SECONDS = 3.0
"""How long a process that shuts down waits for the worker, and for its child processes."""

AGAIN = 1.0
"""Seconds before a child process that has ended is restarted."""

ROOT = Path(__file__).resolve().parent.parent
COMMAND = [sys.executable, "manage.py", "bots", "--skip-checks", "--for-parent"]


# --- the worker -------------------------------------------------------------------------------------------------------


@contextmanager
def working() -> Iterator[None]:
    """Run the worker in a thread of this process until the end of the block, when it finishes or rolls back its job."""
    ended = threading.Event()
    thread = threading.Thread(target=_work, args=(ended,), name="worker", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        jobs.stop_sleeping()
        thread.join(SHUTDOWN_SECONDS)


def _work(ended: threading.Event) -> None:
    # Jobs may take longer than pages, for which somebody waits.
    connection.settings_dict = {**connection.settings_dict, "OPTIONS": settings.WORKER_OPTIONS}
    try:
        work(ended.is_set)
    finally:
        connections.close_all()


def work(ended: Callable[[], bool]) -> None:
    """Run jobs that are due until `ended()`, and record meanwhile that a worker is running."""
    with timekeeping.beating():
        jobs.work(ended)


# --- bots -------------------------------------------------------------------------------------------------------------


@contextmanager
def thinking(processes: int) -> Iterator[None]:
    """Run child processes that think for bots until the end of the block; restart those that end."""
    children = [Child() for _ in range(processes)]
    try:
        yield
    finally:
        for child in children:
            child.end()
        until = time.monotonic() + SHUTDOWN_SECONDS
        for child in children:
            child.wait(until - time.monotonic())


class Child:
    """A process that thinks for bots. It ends when its input is closed, so never outlives this process."""

    def __init__(self) -> None:
        self._ended = threading.Event()
        self._process: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._run, name="bots", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Ask it to end."""
        self._ended.set()
        if self._process is not None:
            self._process.terminate()

    def wait(self, seconds: float) -> None:
        """Wait at most so long, then kill it; another process thinks about its turn once its lease has run out."""
        self._thread.join(max(0.0, seconds))
        if self._thread.is_alive() and self._process is not None:
            self._process.kill()

    def _run(self) -> None:
        while not self._ended.is_set():
            with subprocess.Popen(  # noqa: S603  # our own
                COMMAND, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            ) as process:
                self._process = process
                if self._ended.is_set():
                    process.terminate()
                for line in process.stdout or ():
                    _play(line)
            if not self._ended.is_set():
                log.warning("a process that thinks for bots has ended (status %s)", process.returncode)
            self._ended.wait(AGAIN)


def _play(line: str) -> None:
    """Play a bot's answer on the worker thread of its match; log whatever else the process prints."""
    try:
        answer = Answer(**json.loads(line))
    except (ValueError, TypeError):
        log.warning("unexpected output of a process that thinks for bots: %s", line.rstrip())
    else:
        workers.post(answer.slug, partial(play_answer, answer))
