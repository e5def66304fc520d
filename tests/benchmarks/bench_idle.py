"""What a site costs that nobody visits: `python -m tests.benchmarks idle`.

One process as `make run` starts it, with the worker in it and bots beside it, and running matches that wait for people.
"""

from __future__ import annotations

import subprocess
import sys
import time

from config.ops.probe import becomes_healthy
from config.ops.stack import child, free_port
from tests.benchmarks import processor
from tests.benchmarks.trees import ROOT, START_SECONDS, Tree, begin, environment, prepared

MATCHES = 20
SETTLES, WATCHED = 20, 60
"""Seconds after the start before anything is counted, and for which it is."""
AIM = 0.005
"""The share of a core for everything but the server, which itself wakes ten times a second."""


def share(tree: Tree, **variables: str) -> float:
    """Return the share of a core that a site uses, which is told these variables besides the usual ones."""
    with tree.copied() as data:
        port = free_port()
        told = {"SITE_URL": f"http://127.0.0.1:{port}", "PORT": str(port), "BOT_PROCESSES": "1", **variables}
        surroundings = environment(tree.source, data, **told)
        begin(tree.source, surroundings, MATCHES)
        command = [sys.executable, *tree.serve]
        with child(command, env=surroundings, cwd=tree.source, stdout=subprocess.DEVNULL) as process:
            if not becomes_healthy("127.0.0.1", port, START_SECONDS):
                raise SystemExit("the server does not become healthy")
            time.sleep(SETTLES)
            began, used = time.perf_counter(), processor.seconds_with_descendants(process.pid)
            time.sleep(WATCHED)
            used = processor.seconds_with_descendants(process.pid) - used
            return used / (time.perf_counter() - began)


def main() -> None:
    with prepared(ROOT) as tree:
        whole, server = share(tree), share(tree, EMBEDDED_WORKER="0")
    print(f"{MATCHES} running matches, {WATCHED} s: {whole:.2%} of a core, the server alone {server:.2%}")
    print(f"worker, heartbeat and bots: {whole - server:.2%} (aim {AIM:.1%})")


if __name__ == "__main__":
    main()
