"""The tests' database: tables are made from the models, in a fraction of the time that all migrations take.

What migrations alone make is added here; tests/site/config/test_migrations.py compares with a database that they made.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import override_settings
from pytest_django import DjangoDbBlocker


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    connection.settings_dict["TEST"]["MIGRATE"] = False


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Complete what pytest-django made: nothing where no test of the run has asked for a database."""
    with django_db_blocker.unblock():
        if connection.introspection.table_names():
            complete()


def make() -> None:
    """Make all tables in an empty database, in a fraction of the time that migrations take, and complete them."""
    with override_settings(MIGRATION_MODULES={app.label: None for app in apps.get_app_configs()}):
        call_command("migrate", run_syncdb=True, verbosity=0)
    complete()


def complete() -> None:
    """Add the rows and triggers that migrations make, and say that all of these have been applied."""
    from django.contrib.auth.models import Group  # apps are ready only now

    from games.moderation import access, triggers

    with connection.schema_editor() as editor:
        triggers.create(editor)
    Group.objects.bulk_create([Group(name=access.MODERATORS), Group(name=access.ADMINISTRATORS)])
    recorder = MigrationRecorder(connection)
    recorder.ensure_schema()
    applied = MigrationLoader(None).disk_migrations
    recorder.migration_qs.bulk_create([recorder.Migration(app=app, name=name) for app, name in applied])


@contextmanager
def at(name: Path | str) -> Iterator[None]:
    """Connect to another database; SQLite makes it."""
    connection.close()
    usual, connection.settings_dict["NAME"] = connection.settings_dict["NAME"], name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = usual
