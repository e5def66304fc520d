"""For every test: a fast and private configuration, a served site, a browser."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Playwright's synchronous interface keeps a loop running

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import caches
from django.db.models.signals import post_migrate

from config import catalogues

settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
settings.STORAGES = {
    **settings.STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
settings.WHITENOISE_USE_FINDERS = True
settings.WHITENOISE_AUTOREFRESH = True
settings.SINGLE_PROCESS = True
_deletions = tempfile.TemporaryDirectory(prefix="tessera-test-deletions-")
settings.DELETIONS_DIR = Path(_deletions.name)
settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
settings.DATABASES["default"]["OPTIONS"] = settings.WORKER_OPTIONS  # on a busy machine pages take long too

UNHURRIED = hypothesis.settings(deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow], max_examples=50)
"""On a busy machine every example may take long."""
hypothesis.settings.register_profile("unhurried", UNHURRIED)
hypothesis.settings.register_profile("nightly", UNHURRIED, max_examples=1000)  # pytest --hypothesis-profile nightly
hypothesis.settings.load_profile("unhurried")

pytest_plugins = [
    "tests.migrated",
    "tests.people",
    "tests.serving",
    "tests.clocked",
    "tests.notifications.telling",
    "tests.notifications.letters",
    "tests.config.world",
]


def pytest_configure(config: pytest.Config) -> None:
    """Compile the translations once, before any process of the run reads them, and look for garbage less often."""
    gc.set_threshold(50_000, 20, 50)
    if not hasattr(config, "workerinput") and any(is_stale(path) for path in catalogues.catalogues()):
        catalogues.main()


def pytest_unconfigure() -> None:
    """Remove the test database of SQLite with the files beside it."""
    database = Path(settings.DATABASES["default"].get("TEST", {}).get("NAME") or "none")
    for path in database.parent.glob(f"{database.name}*") if database.is_absolute() else ():
        path.unlink(missing_ok=True)


def is_stale(path: Path) -> bool:
    compiled = path.with_suffix(".mo")
    return not compiled.exists() or compiled.stat().st_mtime < path.stat().st_mtime


@pytest.fixture(scope="session", autouse=True)
def _no_permissions() -> None:
    """Do not write Django's permissions, which nothing here asks for, again each time the tables are emptied."""
    from django.contrib.contenttypes.management import create_contenttypes  # apps are ready only now

    post_migrate.disconnect(create_contenttypes)
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")


@pytest.fixture(autouse=True)
def _fresh_memory() -> None:
    """Each test starts with no rate limit used up, and with a lobby that remembers nothing of another test."""
    from games.matchmaking.lobby import forget_lobby  # apps are ready only now
    from games.play import jobs

    jobs.PASS = 3600.0  # what is due is done in one pass, however busy this machine is

    for cache in caches.all():
        cache.clear()
    forget_lobby()


MOST_LINES = 40
"""How many of the last lines a failing test wrote are shown: a server that keeps failing writes thousands."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    report.sections = [(name, "\n".join(text.splitlines()[-MOST_LINES:])) for name, text in report.sections]
    return report


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Mark tests that need a browser by their fixtures, so that no mark can be forgotten."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            if item.path.parent.name != "browser" and not item.path.stem.endswith("browser"):
                raise pytest.UsageError(f"{item.nodeid} opens a browser: `make browsers` reads only test_*browser.py.")
