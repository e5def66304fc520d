"""What every test has: a fast and private configuration, a served site, a browser."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

# Before anything imports the settings: tests never touch the data of a site that runs from this tree.
os.environ["DATA_DIR"] = str(Path(tempfile.gettempdir()) / f"tessera-tests-{os.getuid()}-{os.getpid()}")
os.environ.setdefault("SITE_URL", "http://127.0.0.1:8000")
os.environ["SINGLE_PROCESS"] = "1"
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Playwright's synchronous interface keeps a loop running

import pytest
from django.conf import settings
from django.core.cache import cache

settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
settings.STORAGES = {
    **settings.STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
settings.WHITENOISE_USE_FINDERS = True
settings.WHITENOISE_AUTOREFRESH = True
settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]

pytest_plugins = ["tests.people", "tests.serving"]


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    """Rate limits live in the cache: each test starts with none used up."""
    cache.clear()


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Mark what needs a browser or a service by the fixtures it asks for, so that no mark can be forgotten."""
    for item in items:
        names = set(getattr(item, "fixturenames", ()))
        if names & {"browser", "visitor"}:
            item.add_marker(pytest.mark.browser)
