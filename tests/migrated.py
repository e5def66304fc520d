"""The tests' database: the migrations run once, and each process begins with a copy of what they made."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import django
import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from pytest_django import DjangoDbBlocker

FOLDER = Path(settings.BASE_DIR) / "build" / "migrated"


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Use the database that lies there, which is the copy; what tests made in it is thrown away with it."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, django_db_keepdb: bool, django_db_blocker: DjangoDbBlocker
) -> None:
    """Lay a copy of the migrated database where this process will look for its own; PostgreSQL's is always migrated."""
    if django_db_keepdb:
        test = connection.settings_dict["TEST"]
        with django_db_blocker.unblock():
            shutil.copyfile(migrated(), test["NAME"])
        test["MIGRATE"] = False


def migrated() -> Path:
    """Return an empty database after all migrations. It is made anew after any of them has changed."""
    made = FOLDER / f"{django.__version__}-{_fingerprint()}.sqlite3"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            _migrate(made.with_suffix(".new"))
            made.with_suffix(".new").replace(made)
    return made


def _fingerprint() -> str:
    """Return a name for the state of all migrations, the same wherever the tree lies."""
    files = (path for app in apps.get_app_configs() for path in Path(app.path, "migrations").glob("*.py"))
    found = sorted(files, key=lambda path: path.parts[-3:])
    return sha256(b"".join(path.name.encode() + path.read_bytes() for path in found)).hexdigest()[:16]


def _migrate(path: Path) -> None:
    for old in FOLDER.glob(f"{django.__version__}-*"):
        old.unlink()
    with at(path):
        call_command("migrate", verbosity=0)


@contextmanager
def at(path: Path) -> Iterator[None]:
    """Connect to another database, which may not be there yet."""
    connection.close()
    name, connection.settings_dict["NAME"] = connection.settings_dict["NAME"], path
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = name
