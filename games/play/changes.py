"""Whether anybody has changed anything, for loops that would otherwise look again and again."""

from __future__ import annotations

from django.db import DEFAULT_DB_ALIAS, connections


def data_version() -> tuple[int, int] | None:
    """Return what is another one as soon as any other connection has committed something, however little it was.

    Asking costs next to nothing. The answer says nothing on other threads; it is None where the database does not
    count, and before this thread has a connection.
    """
    database = connections[DEFAULT_DB_ALIAS]
    if database.vendor != "sqlite" or database.connection is None:
        return None
    with database.cursor() as cursor:
        cursor.execute("PRAGMA data_version")
        return id(database.connection), cursor.fetchone()[0]  # each connection has a number of its own
