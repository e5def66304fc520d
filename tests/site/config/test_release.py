"""The version: one number, told wherever somebody looks for it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from django.test import Client

from config import VERSION
from tests.unit.config.environment import ROOT, run


def test_one_version_everywhere(db: None, tmp_path: Path) -> None:
    """`/healthz` tells it as well (`test_health`)."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    released = re.findall(
        r"^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
    )
    command = run(tmp_path, "manage.py", "--version")
    assert (project["version"], released[0], command.stdout) == (VERSION, VERSION, f"Tessera {VERSION}\n")
    assert f">Tessera {VERSION}<" in Client().get("/").content.decode()
