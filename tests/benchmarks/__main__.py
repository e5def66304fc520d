"""`make bench`: run every benchmark in a process of its own and print what it measured."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> int:
    wanted = sys.argv[1:]
    worst = 0
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        if wanted and not any(word in path.stem for word in wanted):
            continue
        print(f"\n== {path.stem.removeprefix('bench_')}", flush=True)
        worst = max(worst, subprocess.call([sys.executable, "-m", f"tests.benchmarks.{path.stem}"]))
    return worst


if __name__ == "__main__":
    sys.exit(main())
