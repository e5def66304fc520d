"""What pages cost the server, with the demo's data: queries, and milliseconds of processor time.

`python -m tests.benchmarks visits --against COMMIT` visits those of another commit in turn; only the ratios say
something on a busy machine. The lobby is visited with `TABLES` more open tables, too.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import msgspec

from tests.benchmarks.trees import ROOT, SET_UP, checked_out, environment, run

ROUNDS = 3
TABLES = 2_000
MOST_QUERIES, BUDGET = 12, 20.0
"""Aims for each page with the demo's data; milliseconds on the machine of `docs/speed.md`."""

Taken = Mapping[str, tuple[int, float]]
"""Queries and milliseconds, by who visits which page."""


@contextmanager
def filled(source: Path) -> Iterator[Path]:
    """Make a site with the demo's data, by the code of a source folder; yield the folder of its data."""
    with TemporaryDirectory(prefix="tessera-visits-") as folder:
        for command in (*SET_UP, "manage.py demo"):
            run(source, environment(source, Path(folder)), command)
        yield Path(folder)


def visit(source: Path, data: Path, tables: int) -> Taken:
    """Visit all pages once more in a process of a source folder; on a copy of its data."""
    script = (ROOT / "tests" / "benchmarks" / "visits.py").read_text()
    with TemporaryDirectory(prefix="tessera-visits-") as folder:
        shutil.copytree(data, folder, dirs_exist_ok=True)
        command = [sys.executable, "-", str(tables)]
        done = subprocess.run(
            command,
            input=script,
            env=environment(source, Path(folder), LOG_LEVEL="ERROR"),
            cwd=source,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    return msgspec.json.decode(done.stdout.splitlines()[-1], type=dict[str, tuple[int, float]])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--against", metavar="COMMIT")
    commit = parser.parse_args().against
    with (
        checked_out(commit) if commit else nullcontext(ROOT) as other,
        filled(other) as before,
        TemporaryDirectory(prefix="tessera-visits-") as now,
    ):
        shutil.copytree(before, now, dirs_exist_ok=True)
        for command in SET_UP:
            run(ROOT, environment(ROOT, Path(now)), command)
        sides = {"this tree": (ROOT, Path(now))}
        compare({**sides, commit[:14]: (other, before)} if commit else sides)


def compare(sides: Mapping[str, tuple[Path, Path]]) -> None:
    """Visit the pages of all sides in turn, and print what they take."""
    for tables in (0, TABLES):
        runs: dict[str, list[Taken]] = {name: [] for name in sides}
        for _ in range(ROUNDS):
            for name, (source, data) in sides.items():
                runs[name].append(visit(source, data, tables))
        print(f"with {tables:,} more tables: queries, ms of processor time, {' / '.join(sides)}")
        for page in runs["this tree"][0]:
            if tables and "/lobby/" not in page:
                continue
            numbers = [max(taken[page][0] for taken in side) for side in runs.values()]
            times = [median(taken[page][1] for taken in side) for side in runs.values()]
            ratio = f"{times[0] / times[-1]:.2f}" if len(times) > 1 else ""
            over = "  more than the aim" if numbers[0] > MOST_QUERIES or times[0] > BUDGET else ""
            shown = " ".join(f"{number:3} {spent:6.1f}" for number, spent in zip(numbers, times, strict=True))
            print(f"{page:22} {shown} {ratio:>5}{over}", flush=True)


if __name__ == "__main__":
    main()
