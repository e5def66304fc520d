"""What programs cost: a move over the API relative to one over the socket, and streams on which nothing happens.

`python -m tests.benchmarks api`. Both players have a stream of the match open, as others have its page.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from functools import partial
from pathlib import Path

from config.ops.stack import free_port
from tests.benchmarks import processor, site
from tests.benchmarks.alternating import HEAD, ROUNDS, Side, alternate, ratio, row
from tests.benchmarks.driving import Plan
from tests.benchmarks.load import Kind
from tests.benchmarks.programs import Listening, programs_at
from tests.benchmarks.trees import ROOT, Tree, begin, environment, prepared
from tests.benchmarks.wire import Door

PLAN = Plan(150, is_paced=True)
"""Programs at one network address may ask 200 times a second."""
AIM = 1.2

STREAMS, FIRST = 1_000, 20
"""How many idle streams there are, and how many of them are opened before memory is looked at."""
SETTLES, WATCHED = 10, 30
"""Seconds before processor time is counted, and for which it is."""
MEMORY_AIM, SHARE_AIM = 12, 0.05


def moves(tree: Tree, rounds: int) -> None:
    sides: dict[str, Side] = {"socket": tree.side, "API": partial(tree.side, playing=programs_at)}
    print(f"{rounds} runs each, in turn\n{HEAD}")
    results = alternate(sides, PLAN, rounds)
    for name, runs in results.items():
        print(row(PLAN, name, runs))
    by_socket, by_api = results.values()
    print(
        f"CPU per move, API / socket: {ratio(by_api, by_socket, lambda run: run.cost)}, aim at most {AIM}", flush=True
    )


def idle_streams(tree: Tree) -> None:
    with tree.copied() as data:
        port = free_port()
        origin = f"http://127.0.0.1:{port}"
        variables = environment(tree.source, data, SITE_URL=origin, PORT=str(port), EMBEDDED_WORKER="0")
        (begun,) = begin(tree.source, variables, 1, Kind(spectators=STREAMS))
        with tree.served(variables, port) as pid:
            streams = [Listening(Door(origin, port), person, "me") for person in begun.spectators]
            asyncio.run(_open(streams, pid))


async def _open(streams: list[Listening], pid: int) -> None:
    await asyncio.gather(*(stream.open() for stream in streams[:FIRST]))
    alone, memory = await _share(pid), _memory(pid)
    for opened in range(FIRST, len(streams), FIRST):
        await asyncio.gather(*(stream.open() for stream in streams[opened : opened + FIRST]))
        await asyncio.sleep(FIRST / 200)  # as above
    whole, more = await _share(pid), _memory(pid) - memory
    reading = [asyncio.create_task(stream.next()) for stream in streams]
    assert not any(task.done() for task in reading)
    print(
        f"{STREAMS} idle streams: {more / 1e6:.1f} MB (aim {MEMORY_AIM}), {whole:.2%} of a core (aim {SHARE_AIM:.0%})"
    )
    print(f"of which {alone:.2%} with {FIRST} of them")
    for stream in streams:
        stream.writer.close()


async def _share(pid: int) -> float:
    """Return the share of a core that a process uses."""
    await asyncio.sleep(SETTLES)
    began, used = time.perf_counter(), processor.seconds_with_descendants(pid)
    await asyncio.sleep(WATCHED)
    return (processor.seconds_with_descendants(pid) - used) / (time.perf_counter() - began)


def _memory(pid: int) -> int:
    """Return how many bytes of memory a process has."""
    (line,) = [it for it in Path(f"/proc/{pid}/status").read_text().splitlines() if it.startswith("VmRSS:")]
    return int(line.split()[1]) * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    site.pin(0, 1)
    with prepared(ROOT) as tree:
        moves(tree, asked.rounds)
        idle_streams(tree)


if __name__ == "__main__":
    main()
