"""PostgreSQL: dumps of the site's database and the way back, and moving there from SQLite."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from django.core.management import call_command
from django.db import Error, connection, connections, transaction

from config.ops.archive import Refused

# --- dumps ------------------------------------------------------------------------------------------------------------


def dump(target: Path) -> None:
    """Write the site's database into a file.

    Raises:
        Refused: `pg_dump` is not installed, or failed.
    """
    _run("pg_dump", "--format=custom", "--compress=0", "--no-owner", f"--file={target}")


def check_dump(source: Path) -> None:
    """Read all of a dump.

    Raises:
        Refused: it is damaged.
    """
    _run("pg_restore", "--file=/dev/null", str(source))


def migrations_in(source: Path) -> set[tuple[str, str]]:
    """Return the migrations that the database of a dump has had, as app and name."""
    rows = source.with_suffix(".migrations")
    _run("pg_restore", "--data-only", "--table=django_migrations", f"--file={rows}", str(source))
    columns = [line.split("\t") for line in rows.read_text(encoding="utf-8").splitlines()]
    return {(each[1], each[2]) for each in columns if len(each) == 4}  # noqa: PLR2004  # key, app, name, and when


def put_dump(source: Path) -> None:
    """Replace the site's database in one transaction: whatever fails, the old one stays."""
    connections.close_all()
    script = source.with_suffix(".sql")
    _run("pg_restore", "--no-owner", f"--file={script}", str(source))
    before = ("SET client_min_messages = warning", "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    words = [f"--command={statement}" for statement in before]  # tables that came after the backup must go as well
    _run("psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction", *words, f"--file={script}")


def _run(program: str, *arguments: str) -> None:
    """Run a program of PostgreSQL, on the site's database; its password is not among the arguments, which all can see.

    Raises:
        Refused: it is not installed, or it failed.
    """
    database = connection.settings_dict
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    env = {**os.environ, **{name: str(database[key]) for name, key in names.items() if database.get(key)}}
    try:
        subprocess.run([program, *arguments], env=env, check=True, capture_output=True, text=True)  # noqa: S603  # PostgreSQL's own
    except FileNotFoundError as error:
        raise Refused(f"{program} is not installed.") from error
    except subprocess.CalledProcessError as error:
        raise Refused(f"{program} failed: {error.stderr.strip()}") from error


# --- from SQLite: every row of every table, as the site would have written it itself ---------------------------------

SCHEMA: Final = "tessera_moved"
"""Where the new tables lie until all rows are in them; then they take the place of the old ones."""

NOT_MOVED: Final = {"django_migrations"}
"""The new database has had its own."""

AS_POSTGRESQL_HAS_IT: Final[Mapping[str, Callable[[Any], object]]] = {
    "bool": bool,
    "timestamptz": lambda text: f"{text}+00",  # Django keeps times in UTC
    "interval": lambda microseconds: timedelta(microseconds=microseconds),
}
"""By type of PostgreSQL, how a value is made of that in SQLite, where that is not what PostgreSQL reads anyway."""


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    kind: str


def move_from_sqlite(copy: Path) -> None:
    """Replace what the site's PostgreSQL holds by what a database of SQLite does, whose migrations must be the same.

    The tables are made beside the present ones and filled, and take their place in one transaction: whatever fails,
    the database stays as it was. Numbers of new rows go on where they were in SQLite.

    Raises:
        Refused: PostgreSQL does not take a row, as where SQLite has let through what a constraint forbids.
    """
    with closing(sqlite3.connect(f"file:{copy}?mode=ro", uri=True)) as source:
        try:
            _make_tables()
            with transaction.atomic(), connection.wrap_database_errors, connection.cursor() as cursor:
                for table, columns in _tables(cursor).items():
                    _move(source, cursor, table, columns)
                _go_on_counting(source, cursor)
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # what rows point to is there
                cursor.execute("DROP SCHEMA public CASCADE")
                cursor.execute(f"ALTER SCHEMA {SCHEMA} RENAME TO public")
        except (Error, sqlite3.Error) as error:
            with suppress(Error), connection.cursor() as cursor:
                cursor.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
            raise Refused(f"PostgreSQL does not take what is in the backup: {str(error).strip()}") from error
        finally:
            connection.close()  # and with it where this connection looks for tables


def _make_tables() -> None:
    """Make every table, empty, in a schema of its own."""
    with connection.cursor() as cursor:
        cursor.execute("SET client_min_messages = warning")
        cursor.execute("SET statement_timeout = 0")
        cursor.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
        cursor.execute(f"CREATE SCHEMA {SCHEMA}")
        cursor.execute(f"SET search_path TO {SCHEMA}")
    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:  # migrations have written rows of their own, as the names of groups
        names = ", ".join(map(connection.ops.quote_name, _tables(cursor)))
        cursor.execute(f"TRUNCATE {names}")


def _tables(cursor: Any) -> dict[str, list[_Column]]:
    """Return the tables that are filled, with the columns that are not computed."""
    cursor.execute(
        "SELECT table_name, column_name, udt_name FROM information_schema.columns JOIN information_schema.tables "
        "USING (table_schema, table_name) WHERE table_schema = %s AND table_type = 'BASE TABLE' "
        "AND is_generated = 'NEVER' ORDER BY table_name, ordinal_position",
        [SCHEMA],
    )
    found: dict[str, list[_Column]] = {}
    for table, name, kind in cursor.fetchall():
        if table not in NOT_MOVED:
            found.setdefault(table, []).append(_Column(name, kind))
    return found


def _move(source: sqlite3.Connection, cursor: Any, table: str, columns: Sequence[_Column]) -> None:
    quote = connection.ops.quote_name
    names = ", ".join(quote(column.name) for column in columns)
    with cursor.copy(f"COPY {quote(table)} ({names}) FROM STDIN") as copy:
        for row in _rows(source, f"SELECT {names} FROM {quote(table)}", columns):  # noqa: S608  # names of our own tables
            copy.write_row(row)


def _rows(source: sqlite3.Connection, query: str, columns: Sequence[_Column]) -> Iterator[list[object]]:
    makers = [AS_POSTGRESQL_HAS_IT.get(column.kind) for column in columns]
    for row in source.execute(query):
        yield [value if value is None or make is None else make(value) for value, make in zip(row, makers, strict=True)]


def _go_on_counting(source: sqlite3.Connection, cursor: Any) -> None:
    """Let no number be given again that was ever given, also to what is deleted since."""
    given = dict(source.execute("SELECT name, seq FROM sqlite_sequence"))
    cursor.execute(
        "SELECT table_name, column_name FROM information_schema.columns "
        "WHERE table_schema = %s AND is_identity = 'YES'",
        [SCHEMA],
    )
    quote = connection.ops.quote_name
    for table, column in cursor.fetchall():
        cursor.execute(f"SELECT COALESCE(MAX({quote(column)}), 0) FROM {quote(table)}")  # noqa: S608  # as above
        last = max(cursor.fetchone()[0], given.get(table, 0))
        if last and table not in NOT_MOVED:
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [quote(table), column, last])
