"""`make bench`: run every benchmark in a process of its own and print what it measured.

`python -m tests.benchmarks [WORD...] [--against COMMIT]` runs those whose name contains a word.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

COMPARING = ("bench_commits", "bench_visits")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--against", metavar="COMMIT", help="for the rows `commits` and `visits`")
    given = parser.parse_args()
    worst = 0
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        if given.words and not any(word in path.stem for word in given.words):
            continue
        options = ["--against", given.against] if given.against and path.stem in COMPARING else []
        print(f"\n== {path.stem.removeprefix('bench_')}", flush=True)
        worst = max(worst, subprocess.call([sys.executable, "-m", f"tests.benchmarks.{path.stem}", *options]))
    return worst


if __name__ == "__main__":
    sys.exit(main())
