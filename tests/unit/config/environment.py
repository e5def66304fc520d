"""Settings and processes in an environment of their own."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
OURS = {
    "ALLOWED_HOSTS",
    "BOT_PROCESSES",
    "BOT_SECONDS",
    "DATABASE_LOCK_SECONDS",
    "DATABASE_STATEMENT_SECONDS",
    "DATABASE_URL",
    "DEBUG",
    "DJANGO_ALLOW_ASYNC_UNSAFE",
    "EMAIL_HOST",
    "PORT",
    "REDIS_URL",
    "SECRET_KEY",
    "SINGLE_PROCESS",
    "SITE_URL",
    "TRUSTED_PROXIES",
    "VAPID_PRIVATE_KEY",
    "WEB_CONCURRENCY",
}
"""Variables of the tests, and of the person running them, that must not matter."""


def bare(folder: Path, **variables: str) -> dict[str, str]:
    """Return an environment with only these of our variables, its own data folder, and no bots unless asked for."""
    kept = {name: value for name, value in os.environ.items() if name not in OURS}
    own = {"DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings", "BOT_PROCESSES": "0"}
    own |= {"DATABASE_LOCK_SECONDS": "60", "DATABASE_STATEMENT_SECONDS": "120"}  # this machine may be busy
    return kept | own | variables


def settings_of(monkeypatch: pytest.MonkeyPatch, folder: Path, **variables: str) -> dict[str, Any]:
    """Return the settings as an environment makes them."""
    with monkeypatch.context() as patch:
        for name in OURS:
            patch.delenv(name, raising=False)
        for name, value in bare(folder, **variables).items():
            patch.setenv(name, value)
        return runpy.run_path(str(ROOT / "config" / "settings.py"))


def run(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments in an environment and capture its output."""
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=bare(folder, **variables), capture_output=True, text=True, timeout=180, check=False
    )
