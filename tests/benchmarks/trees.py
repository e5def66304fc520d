"""Tessera from a folder with its source, this one or another commit's, as a side of a comparison."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import msgspec

from config.ops.probe import becomes_healthy
from config.ops.stack import child, free_port
from tests.benchmarks import processor
from tests.benchmarks.driving import Match, Measured, Plan, drive
from tests.benchmarks.load import SHIFTING_STONES, Begun, Kind, matches_at

ROOT = Path(__file__).resolve().parent.parent.parent
START_SECONDS = 30.0
SERVICES = ("DATABASE_URL", "REDIS_URL")
"""What of the caller's environment would let a site share its database."""
MIGRATE = "manage.py migrate --verbosity 0"
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", "data", ".*_cache", ".hypothesis")
"""What a copy of a tree can do without."""
SET_UP = ("-m config.catalogues", MIGRATE, "manage.py collectstatic --noinput --verbosity 0")

Playing: TypeAlias = Callable[[str, Sequence[int], Sequence[Begun], Kind], Sequence[Match]]
"""Returns the matches as the load plays them at an origin, whose processes listen on these ports."""


@dataclass(frozen=True)
class Tree:
    """A folder with Tessera's source, and another with the data of an empty site, from which each run begins."""

    source: Path
    empty: Path
    core: int | None = 0
    """On which its servers are kept; None: on any."""
    serve: tuple[str, ...] = ("-m", "config.serve")
    """What Python is told to do."""

    def side(self, plan: Plan, kind: Kind = SHIFTING_STONES, playing: Playing = matches_at) -> Measured:
        """Run a plan with a new site of one process (`alternating.Side`), whose matches are played in this way."""
        with self.copied() as data:
            port = free_port()
            origin = f"http://127.0.0.1:{port}"
            variables = environment(self.source, data, SITE_URL=origin, PORT=str(port))
            begun = begin(self.source, variables, plan.count, kind)
            with self.served(variables, port) as pid:
                return drive(playing(origin, [port], begun, kind), plan, processor.meter({"web": pid}))

    @contextmanager
    def copied(self) -> Iterator[Path]:
        """Copy the data of the empty site for one run."""
        with tempfile.TemporaryDirectory(prefix="tessera-bench-") as folder:
            shutil.copytree(self.empty, folder, dirs_exist_ok=True)
            yield Path(folder)

    @contextmanager
    def served(self, variables: Mapping[str, str], port: int) -> Iterator[int]:
        command = processor.on_core(self.core, [sys.executable, *self.serve])
        with child(command, env=variables, cwd=self.source, stdout=subprocess.DEVNULL) as process:
            if not becomes_healthy("127.0.0.1", port, START_SECONDS):
                raise SystemExit(f"the server of {self.source} does not become healthy")
            yield process.pid


@contextmanager
def prepared(source: Path, core: int | None = 0) -> Iterator[Tree]:
    """Make the data of an empty site with the code of a source folder."""
    with tempfile.TemporaryDirectory(prefix="tessera-bench-") as folder:
        for command in SET_UP:
            run(source, environment(source, Path(folder)), command)
        yield Tree(source, Path(folder), core)


def environment(source: Path, data: Path, **told: str) -> dict[str, str]:
    """Return the variables of a site with its data in a folder, by default of one process."""
    inherited = {name: value for name, value in os.environ.items() if name not in SERVICES}
    own = {"DATA_DIR": str(data), "SINGLE_PROCESS": "1", "LOG_LEVEL": "WARNING", "PYTHONPATH": str(source)}
    return {**inherited, **own, "DJANGO_SETTINGS_MODULE": "config.settings", **told}


def run(source: Path, variables: Mapping[str, str], command: str) -> None:
    """Run a Python command in a source folder.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    subprocess.run([sys.executable, *command.split()], check=True, env=variables, cwd=source)


def begin(source: Path, variables: Mapping[str, str], count: int, kind: Kind = SHIFTING_STONES) -> list[Begun]:
    """Begin matches in a site with the code of its own source."""
    played = {"game": kind.game.slug, "options": kind.options, "seats": kind.seats}
    wanted = {"count": count, **played, "spectators": kind.spectators}
    script = (ROOT / "tests" / "benchmarks" / "begin.py").read_text()
    command = [sys.executable, "-", msgspec.json.encode(wanted).decode()]
    made = subprocess.run(
        command, input=script, env=variables, cwd=source, check=True, stdout=subprocess.PIPE, text=True
    )
    return msgspec.json.decode(made.stdout, type=list[Begun])


@contextmanager
def with_title(package: Path) -> Iterator[Path]:
    """Copy this tree, with one title more, into a temporary folder.

    Args:
        package: the folder of the title.
    """
    with tempfile.TemporaryDirectory(prefix="tessera-bench-") as folder:
        copy = shutil.copytree(ROOT, Path(folder) / "tessera", ignore=LEFT_OUT)
        shutil.copytree(package, copy / "games" / "titles" / package.name)
        yield copy


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """Check another commit out into `build/` and remove it at the end.

    Raises:
        SystemExit: there is no such commit.
    """
    found = _git("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")
    if found.returncode:
        raise SystemExit(f"there is no commit {commit}")
    folder = ROOT / "build" / "against" / found.stdout.strip()
    if not folder.exists():
        _git("worktree", "add", "--quiet", "--detach", str(folder), commit).check_returncode()
    try:
        yield folder
    finally:
        _git("worktree", "remove", "--force", str(folder))


def _git(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *words], cwd=ROOT, check=False, stdout=subprocess.PIPE, text=True)
