"""System checks that refuse settings with which these libraries are known to lose messages or data."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from config.ops import logs

_CLOSES_IDLE_SOCKETS = 8

OURS = "tessera"
"""The tag of our checks. A worker that starts asks only these: Django's take as long as all the rest of its start."""


@register(OURS)
def check_combinations(app_configs: Sequence[AppConfig] | None, **_: Any) -> Iterator[CheckMessage]:
    """Yield an error for each unsafe combination of channel layer, server and database."""
    if int(version("redis").split(".")[0]) >= _CLOSES_IDLE_SOCKETS:
        yield Error("redis 8 closes every idle socket after 5 s: install redis<8.", id="tessera.E002")
    if "redis" not in _layer() and int(os.environ.get("WEB_CONCURRENCY", "1")) > 1:
        yield Error("Several processes need REDIS_URL: the in-memory layer reaches only one.", id="tessera.E003")
    database = settings.DATABASES["default"]
    if database.get("ATOMIC_REQUESTS"):
        yield Error("ATOMIC_REQUESTS holds the write lock for whole requests: turn it off.", id="tessera.E005")
    if database["ENGINE"].endswith("sqlite3") and database["OPTIONS"].get("transaction_mode") != "IMMEDIATE":
        yield Error("SQLite needs transaction_mode IMMEDIATE.", id="tessera.E006")
    if settings.SENTRY_DSN and not logs.is_sentry_installed():
        hint = "Install it (pip install 'sentry-sdk>=2,<3'), or take SENTRY_DSN away."
        yield Error("SENTRY_DSN is set, but Sentry's SDK is not installed.", hint=hint, id="tessera.E007")


def _layer() -> str:
    return str(settings.CHANNEL_LAYERS["default"]["BACKEND"])


@register(OURS, deploy=True)
def check_server(app_configs: Sequence[AppConfig] | None, **_: Any) -> Iterator[CheckMessage]:
    """Yield an error if anything but the single process would use the in-memory layer."""
    if not ("redis" in _layer() or settings.DEBUG or settings.SINGLE_PROCESS):
        yield Error("Without REDIS_URL, serve with `python -m config.serve` (one process).", id="tessera.E004")
