"""The processes that think for bots when the whole site is started with one command."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from games.play.matches import announce

log = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parent.parent
COMMAND = [sys.executable, "manage.py", "bots", "--skip-checks", "--for-parent"]

AGAIN = 1.0
"""Seconds after which a process that has ended is started again."""

ENDS_WITHIN = 5.0
"""Seconds a process has to end by itself."""


@contextmanager
def thinking(processes: int) -> Iterator[None]:
    """Let so many processes think for bots until the end of the block; one that ends is started again."""
    with ExitStack() as stack:
        for _ in range(processes):
            stack.enter_context(Child())
        yield


class Child:
    """A process that thinks. It ends when its input does: with this process at the latest, however that ends."""

    def __init__(self) -> None:
        self._ended = threading.Event()
        self._process: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._run, name="bots", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._process is not None:
            self._process.terminate()
        self._thread.join(ENDS_WITHIN)

    def _run(self) -> None:
        while not self._ended.is_set():
            with self._start() as process:
                self._process = process
                if self._ended.is_set():
                    process.terminate()
                for line in process.stdout or ():
                    _pass_on(line)
            if not self._ended.is_set():
                log.warning("a process that thinks for bots has ended (status %s)", process.returncode)
            self._ended.wait(AGAIN)

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(COMMAND, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603  # our own


def _pass_on(line: str) -> None:
    """Tell open pages what a bot did. Whatever else a process prints goes where it would have gone."""
    try:
        hints = [(str(topic), dict(message)) for topic, message in json.loads(line)]
    except (ValueError, TypeError):
        log.warning("unexpected output of a process that thinks for bots: %s", line.rstrip())
    else:
        announce.pass_on(hints)
