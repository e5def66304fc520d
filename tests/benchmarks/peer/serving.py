"""boardgame.io as a side of a comparison: installed with npm into `build/peer/`, served by node on the first core."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.ops.stack import child, free_port, wait_for
from tests.benchmarks import node, processor
from tests.benchmarks.driving import Measured, Plan, drive
from tests.benchmarks.peer.matches import PeerMatch
from tests.benchmarks.trees import ROOT

HERE = Path(__file__).parent
BUILT = ROOT / "build" / "peer"
FILES = ("package.json", "server.js")


def install() -> None:
    """Install boardgame.io, unless that has been done.

    Raises:
        Absent: node or npm is missing, or npm could not install it.
    """
    node.install(HERE, BUILT, FILES)


def side(plan: Plan) -> Measured:
    """Run a plan with a new server that stores in an empty folder (`alternating.Side`)."""
    with tempfile.TemporaryDirectory(prefix="peer-bench-") as folder, _served(folder) as (port, pid):
        matches = [PeerMatch(port) for _ in range(plan.count)]
        return drive(matches, plan, processor.meter({"node": pid}))


@contextmanager
def _served(folder: str) -> Iterator[tuple[int, int]]:
    port = free_port()
    variables = {**os.environ, "PORT": str(port), "DATA_DIR": folder, "NODE_ENV": "production"}
    command = processor.on_core(0, ["node", "server.js"])
    with child(command, env=variables, cwd=BUILT, stdout=subprocess.DEVNULL) as process:
        wait_for(port, process=process)
        yield port, process.pid
