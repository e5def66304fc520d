"""The settings of SQLite as a connection really has them."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing

import pytest
from django.db import connection, transaction

from accounts.models import User

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite"),
]


def pragma(name: str) -> object:
    with connection.cursor() as cursor:
        return cursor.execute(f"PRAGMA {name}").fetchone()[0]


@pytest.mark.parametrize(
    ("name", "value"),
    [("journal_mode", "wal"), ("synchronous", 1), ("busy_timeout", 20_000), ("foreign_keys", 1)],
)
def test_a_connection_has(name: str, value: object) -> None:
    assert pragma(name) == value


def test_a_connection_of_another_thread_has_it_too() -> None:
    found: list[object] = []

    def look() -> None:
        found.extend(pragma(name) for name in ("journal_mode", "synchronous"))
        connection.close()

    thread = threading.Thread(target=look)
    thread.start()
    thread.join(60)
    assert found == ["wal", 1]


def test_a_transaction_takes_the_write_lock_when_it_begins() -> None:
    """Deferred ones take it at their first write, when it may be too late to wait: "database is locked"."""
    with transaction.atomic(), closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=0)) as other:
        assert not User.objects.exists()
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")


def test_reading_does_not_wait_for_a_writer() -> None:
    with transaction.atomic(), closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=0)) as other:
        User.objects.create_user("ann")
        assert other.execute("SELECT count(*) FROM accounts_user").fetchone() == (0,)
