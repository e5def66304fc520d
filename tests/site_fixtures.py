"""What happens around every test of the site. `tests/unit` does without: its tests use no database and keep nothing."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.db.models.signals import post_migrate

from tests.meeting import threads


@pytest.fixture(scope="session", autouse=True)
def no_permissions() -> None:
    """Do not write Django's permissions, which nothing here asks for, again each time the tables are emptied."""
    from django.contrib.contenttypes.management import create_contenttypes  # apps are ready only now

    post_migrate.disconnect(create_contenttypes)
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")


@pytest.fixture(scope="session", autouse=True)
def one_signing_key() -> None:
    """Share the key that signs for programs, of each SECRET_KEY: a new one costs as much as three pages."""
    from accounts.applications import keys  # apps are ready only now

    made = keys._new
    of_secret = functools.cache(lambda _secret: made())
    keys._new = lambda: of_secret(settings.SECRET_KEY)


@pytest.fixture(autouse=True)
def fresh_memory() -> None:
    """Each test starts with no rate limit used up, and with a lobby that remembers nothing of another test."""
    from games.matchmaking.lobby import forget_lobby  # apps are ready only now
    from games.play import jobs

    jobs.PASS = 3600.0  # what is due is done in one pass, however busy this machine is

    for cache in caches.all():
        cache.clear()
    forget_lobby()


@pytest.fixture(autouse=True)
def alone_when_emptied(request: pytest.FixtureRequest) -> Iterator[None]:
    """End what a test's threads and processes left open before its tables are emptied.

    PostgreSQL cannot empty a table that is in use, even by a process that was killed a moment ago, nor drop a database
    with open connections.
    """
    mark = request.node.get_closest_marker("django_db")
    if "transactional_db" in request.fixturenames or (mark and mark.kwargs.get("transaction")):
        request.getfixturevalue("transactional_db")  # so that it is torn down after this
        yield
        threads.end()
        _end_other_sessions()
        _empty_the_log()
    else:
        yield


def _end_other_sessions() -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            others = "datname = current_database() AND pid <> pg_backend_pid()"
            cursor.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")


def _empty_the_log() -> None:
    """Empty the log of moderators, from which its triggers let nothing else be deleted."""
    from games.moderation import triggers  # apps are ready only now
    from games.moderation.models import Deed

    if Deed.objects.exists():
        with connection.schema_editor() as editor:
            triggers.drop(editor)
            editor.execute("DELETE FROM moderation_deed")
            triggers.create(editor)
