"""Programs that benchmarks run with node: installed with npm, each into a folder of its own below `build/`."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

INSTALL = ("npm", "install", "--omit=dev", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error")


class Absent(Exception):
    """The program cannot be run here; the text says why."""


def install(source: Path, built: Path, files: Sequence[str] = ("package.json",)) -> None:
    """Install what a `package.json` asks for, unless that has been done.

    Args:
        source: the folder with the `package.json`.
        built: where to install.
        files: what to copy from one to the other.

    Raises:
        Absent: node or npm is missing, or npm could not install it.
    """
    if missing := [name for name in ("node", "npm") if shutil.which(name) is None]:
        raise Absent(f"{' and '.join(missing)} not found")
    built.mkdir(parents=True, exist_ok=True)
    for name in files:
        shutil.copy(source / name, built)
    wanted, installed = source / "package.json", built / "installed.json"
    if installed.exists() and installed.read_text() == wanted.read_text():
        return
    if subprocess.run(INSTALL, check=False, cwd=built, capture_output=True).returncode:
        raise Absent(f"npm could not install what {built.name} needs")
    shutil.copy(wanted, installed)
