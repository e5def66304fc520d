"""Shared by tests of outages: the stack, and services of its own that go away and return."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from config.ops import stack
from config.ops.stack import Service, free_port
from tests.services.config.stacked import Front


class Interruptible:
    """A service that returns on the same port with the same data."""

    def __init__(self, service: Callable[[], AbstractContextManager[Service]]) -> None:
        self._service = service
        self._running = ExitStack()

    def begin(self) -> str:
        """Start it; return its address."""
        return self._running.enter_context(self._service()).url

    def end(self) -> None:
        self._running.close()


@dataclass(frozen=True)
class Site:
    """The stack with services of its own, which this process uses too."""

    front: Front
    layer: Interruptible
    database: Interruptible

    def kill(self, number: int) -> None:
        """Kill a web process, and start it again on its port."""
        killed = self.front.parts[number]
        killed.process.kill()
        killed.process.wait(60)
        self.front.parts[number] = self.front.running.enter_context(stack.web(killed.port, self.front.environment))

    @contextmanager
    def another(self, folder: Path) -> Iterator[Front]:
        """Run another process of each kind, whose logs are files in a folder; the web process is the front."""
        port = free_port()
        environment = {**self.front.environment, "SITE_URL": f"http://127.0.0.1:{port}"}
        with ExitStack() as running:
            with printing_to(folder / "web.log"):
                part = running.enter_context(stack.web(port, environment))
            with printing_to(folder / "worker.log"):
                running.enter_context(stack.instance_of("worker", "another", environment))
            with printing_to(folder / "bots.log"):
                running.enter_context(stack.instance_of("bots", "another", environment))
            yield Front(port, environment, [part])


@contextmanager
def printing_to(path: Path) -> Iterator[None]:
    """Let the processes that are started in the block print their errors to a file, as long as they run."""
    before = os.dup(2)
    with path.open("w") as file:
        os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)
