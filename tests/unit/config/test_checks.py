"""The checks that refuse what loses messages or data, and the versions that have a known vulnerability."""

from __future__ import annotations

import re
from copy import deepcopy
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.checks import run_checks
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from pytest_django import Settings

from config import checks


def ids(deploy: bool = False) -> set[str]:
    """Return the ids of our own checks that complain."""
    return {str(found.id) for found in run_checks(include_deployment_checks=deploy) if "tessera" in str(found.id)}


def layer(settings: Settings, backend: str) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": backend, "CONFIG": {"hosts": ["redis://127.0.0.1:1"]}}}


def database(settings: Settings, **changes: Any) -> None:
    changed = deepcopy(settings.DATABASES)
    changed["default"].update(changes)
    with pytest.warns(UserWarning, match="Overriding setting DATABASES"):
        settings.DATABASES = changed


def test_the_settings_of_the_tests_are_safe() -> None:
    assert ids(deploy=True) == set()


def test_the_redis_layer_is_accepted(settings: Settings) -> None:
    layer(settings, "config.redis_layer.RedisLayer")
    settings.SINGLE_PROCESS = False
    assert ids(deploy=True) == set()


@pytest.mark.parametrize("command", ["worker", "bots"])
def test_a_process_does_not_begin_its_work_with_settings_that_are_refused(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("WEB_CONCURRENCY", "2")
    layer(settings, "channels.layers.InMemoryChannelLayer")
    with pytest.raises(SystemCheckError, match=r"tessera\.E003"):
        call_command(command, skip_checks=False)


def test_redis_8_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "version", lambda _package: "8.0.1")
    assert ids() == {"tessera.E002"}


def test_several_processes_without_redis_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEB_CONCURRENCY", "2")
    assert ids() == {"tessera.E003"}


def test_the_in_memory_layer_is_refused_without_the_single_process(settings: Settings) -> None:
    settings.SINGLE_PROCESS = False
    assert ids() == set()
    assert ids(deploy=True) == {"tessera.E004"}


def test_transactions_as_long_as_requests_are_refused(settings: Settings) -> None:
    database(settings, ATOMIC_REQUESTS=True)
    assert ids() == {"tessera.E005"}


def test_deferred_transactions_of_sqlite_are_refused(settings: Settings) -> None:
    database(settings, ENGINE="django.db.backends.sqlite3", OPTIONS={})
    assert ids() == {"tessera.E006"}


def numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdigit())


@pytest.mark.parametrize(
    ("package", "floor"),
    [
        ("daphne", "4.2.2"),  # CVE-2026-44545
        ("django", "5.2.8"),  # SQL injection by dictionary expansion, CVE-2025-64459
        ("uvicorn", "0.30"),  # ends open sockets with 1012
    ],
)
def test_versions_below_which_there_is_a_known_hole(package: str, floor: str) -> None:
    locked = dict(
        line.split(";")[0].split(" ")[0].split("==")
        for line in Path(settings.BASE_DIR, "config", "requirements.txt").read_text().splitlines()
        if "==" in line.split(" ")[0]
    )
    assert numbers(locked[package]) >= numbers(floor)
    assert numbers(version(package)) >= numbers(floor)


def test_redis_stays_below_8() -> None:
    assert numbers(version("redis")) < (8,)
    wanted = Path(settings.BASE_DIR, "config", "requirements.in").read_text()
    assert re.search(r"(?m)^redis>=\d+,<8$", wanted)
