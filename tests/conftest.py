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
    "tests.tables",
    "tests.people",
    "tests.serving",
    "tests.clocked",
    "tests.site.notifications.telling",
    "tests.site.notifications.letters",
    "tests.site.config.world",
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


MOST_LINES = 40
"""How many of the last lines a failing test wrote are shown: a server that keeps failing writes thousands."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    report.sections = [(name, "\n".join(text.splitlines()[-MOST_LINES:])) for name, text in report.sections]
    return report


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Read no file of tests for examples in docstrings too: there are none, and it would be imported twice."""
    collectors = yield
    return [it for it in collectors if type(it) is pytest.Module]  # not its subclass, which reads docstrings


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Mark tests that need a browser by their fixtures, so that no mark can be forgotten."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            if item.path.relative_to(item.config.rootpath).parts[:2] != ("tests", "browser"):
                raise pytest.UsageError(f"{item.nodeid} opens a browser: `make browsers` reads only tests/browser.")
