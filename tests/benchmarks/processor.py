"""How much processor time processes use, from /proc, and on which core they run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from tests.benchmarks.driving import Meter

_TICKS = os.sysconf("SC_CLK_TCK")
_PARENT, _USER, _SYSTEM = 1, 11, 12
"""Places in /proc/<pid>/stat, counted from the state, which follows the name in parentheses."""


def meter(processes: Mapping[str, int]) -> Meter:
    """Return what measures these processes, each with its descendants (PostgreSQL has one for each connection)."""
    return lambda: {name: seconds_with_descendants(pid) for name, pid in processes.items()}


def seconds_with_descendants(pid: int) -> float:
    """Return the processor time that a process and those it has started, as far as they still run, have used so far."""
    stats = dict(_stats())
    return sum(int(stats[each][_USER]) + int(stats[each][_SYSTEM]) for each in _family(pid, stats)) / _TICKS


def on_core(core: int | None, command: list[str]) -> list[str]:
    """Return a command that keeps itself and all its threads on one core, if one is named and there are several."""
    return command if core is None or os.cpu_count() == 1 else ["taskset", "-c", str(core), *command]


def _stats() -> Iterator[tuple[int, list[str]]]:
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            yield int(folder.name), (folder / "stat").read_text().rpartition(")")[2].split()


def _family(pid: int, stats: Mapping[int, list[str]]) -> Iterator[int]:
    if pid in stats:
        yield pid
        for child, stat in stats.items():
            if int(stat[_PARENT]) == pid:
                yield from _family(child, stats)
