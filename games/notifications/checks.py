"""The system check that refuses what only tests may use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register


@register()
def check_loopback(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Return an error when push messages and webhooks would be sent to this machine itself."""
    if not settings.SEND_TO_LOOPBACK:
        return []
    return [Error("SEND_TO_LOOPBACK is for tests: anybody could reach what listens here.", id="tessera.E020")]
