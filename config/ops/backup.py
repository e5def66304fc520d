"""Backing up a site into one archive, and restoring it.

A backup holds the database, the secret key and the operator's texts for the legal pages. Redis stores nothing that
matters, and static files come from the source.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management import call_command
from django.db import Error, connection, connections, transaction
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from accounts.models import User
from config.ops import archive
from config.ops.archive import DATABASE, FORMAT, LEGAL, SECRET, About, Refused
from games.play import timekeeping
from games.play.models import Watch

LAST: Final = "backup"
"""The row of `Watch` with the time of the last backup; in a backup itself, of the one before."""


def backup(target: Path) -> int:
    """Write a backup into a new file, which only its owner can read; return its size in bytes.

    The site may be running: the copy of the database is a consistent snapshot.

    Raises:
        Refused: the file exists, its folder does not, or the database is empty or could not be copied.
    """
    if "play_match" not in connection.introspection.table_names():  # a command without the site's environment
        raise Refused(
            f"There is no site in the database {connection.settings_dict['NAME']}: are DATA_DIR and DATABASE_URL right?"
        )
    if target.exists():
        raise Refused(f"{target} exists.")
    if not target.parent.is_dir():
        raise Refused(f"There is no folder {target.parent}.")
    applied = sorted(MigrationLoader(connection).applied_migrations)
    migrations = {app: [name for _app, name in names] for app, names in groupby(applied, key=lambda each: each[0])}
    about = About(FORMAT, timezone.now().isoformat(), connection.vendor, migrations)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".backup-") as name:
        folder = Path(name)
        if connection.vendor == "sqlite":
            with closing(sqlite3.connect(connection.settings_dict["NAME"])) as source:
                source.execute("VACUUM INTO ?", [str(folder / DATABASE)])
        else:
            _dump_postgresql(folder / DATABASE)
        (folder / SECRET).write_text(settings.SECRET_KEY, encoding="utf-8")
        texts = sorted(path for path in Path(settings.LEGAL_DIR).glob("*.txt") if path.is_file())
        archive.pack(folder / "archive", about, folder, texts)
        (folder / "archive").rename(target)
    with suppress(Error):  # the backup is complete even if its time cannot be stored
        Watch.objects.update_or_create(name=LAST, defaults={"seen_at": timezone.now()})
    return target.stat().st_size


def last_backup() -> datetime | None:
    """Return when a backup of this site was last made; None if none ever was."""
    return Watch.objects.filter(name=LAST).values_list("seen_at", flat=True).first()


def dated(folder: Path, now: datetime) -> Path:
    """Return the path of a backup in a folder, named after the time."""
    return folder / f"tessera-{now:%Y%m%dT%H%M%SZ}.tar.gz"


def tidied(folder: Path, keep: int) -> list[Path]:
    """Delete all but the latest backups in a folder; return which were deleted."""
    old = sorted(folder.glob("tessera-*.tar.gz"))[:-keep]
    for path in old:
        path.unlink()
    return old


# --- restoring --------------------------------------------------------------------------------------------------------


def restore(source: Path, *, replace: bool = False) -> About:
    """Restore everything from an archive and migrate the database; return the description of the archive.

    A backup of SQLite can be restored into PostgreSQL. Everything is checked before anything is written.

    Args:
        source: the archive.
        replace: whether a database with people in it may be replaced.

    Raises:
        Refused: this is not a backup, it is of another kind of database or of a newer Tessera, the site is running,
            there are people in the database, or there is no room.
    """
    with tempfile.TemporaryDirectory(prefix="tessera-restore-") as name:
        folder = Path(name)
        about = archive.unpack(source, folder)
        copy, secret = folder / DATABASE, _checked_secret(folder / SECRET)
        if about.database not in {connection.vendor, "sqlite"}:
            raise Refused(f"{source} is of {about.database}, and DATABASE_URL names {connection.vendor}.")
        _check_copy(copy, about.database)
        _check_schema(about, copy)
        _check_target(replace)
        _check_folders(folder / LEGAL, copy.stat().st_size)
        _put_database(copy, about.database)
        beside = _beside(settings.DATA_DIR / SECRET)  # where it is found unless SECRET_KEY is set
        beside.write_text(secret, encoding="utf-8")
        beside.rename(settings.DATA_DIR / SECRET)
        for text in sorted((folder / LEGAL).iterdir()):  # others are left alone
            shutil.copyfile(text, Path(settings.LEGAL_DIR) / text.name)
    call_command("migrate", verbosity=0)
    return about


def _checked_secret(path: Path) -> str:
    """Return the secret key from an archive; refuse one with which the site would not start."""
    try:
        secret = path.read_text(encoding="utf-8")
    except ValueError:
        secret = ""
    if not secret.strip() or "\0" in secret:
        raise Refused("The secret key in the backup is empty or damaged, and the site would not start with it.")
    return secret


def _check_copy(copy: Path, vendor: str) -> None:
    """Refuse a damaged copy of a database."""
    try:
        (_check_file if vendor == "sqlite" else _check_dump)(copy)
    except (sqlite3.Error, Refused) as error:
        raise Refused(f"The database in the backup is damaged: {error}.") from error


def _check_file(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as database:
        found = database.execute("PRAGMA quick_check").fetchall()
        if found != [("ok",)]:  # damage is reported in rows, seldom raised
            raise Refused(str(found[0][0]).partition("\n")[0])
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for wanted in ("play_match", "accounts_user", "django_migrations"):
            if wanted not in tables:  # to SQLite an empty file is a valid database
                raise Refused(f"it has no table {wanted}")


def _check_schema(about: About, copy: Path) -> None:
    """Refuse a database with migrations that this version does not have."""
    named = {(app, name) for app, names in about.migrations.items() for name in names}
    applied = _migrations_in_file(copy) if about.database == "sqlite" else _migrations_in_dump(copy)
    loader = MigrationLoader(None)
    known = {*loader.disk_migrations, *(old for each in loader.disk_migrations.values() for old in each.replaces)}
    if newer := sorted((named | applied) - known):
        names = ", ".join(f"{app}.{name}" for app, name in newer[:3])
        raise Refused(
            f"The backup is of a newer Tessera: {len(newer)} migrations of its database are not known here ({names}). "
            "Upgrade first, then restore."
        )


def _migrations_in_file(copy: Path) -> set[tuple[str, str]]:
    """Return the migrations applied to a copy of an SQLite database, as app and name."""
    with closing(sqlite3.connect(copy)) as database:
        return set(database.execute("SELECT app, name FROM django_migrations").fetchall())


def _check_target(replace: bool) -> None:
    """Refuse to replace the database of a running site, or one with people in it unless that is allowed."""
    if "play_watch" not in connection.introspection.table_names():
        return
    if timekeeping.is_watched(timezone.now()):
        raise Refused("The site is running. Stop it, and try again in half a minute.")
    if (people := User.objects.count()) and not replace:
        raise Refused(f"There are {people} people in the database. With --replace they and their matches go.")


def _check_folders(texts: Path, size: int) -> None:
    """Refuse to restore into folders that cannot be written to or have no room.

    Args:
        texts: the folder of the operator's texts.
        size: of the database, in bytes.
    """
    try:
        _check_writable(settings.DATA_DIR)
    except OSError as error:
        raise Refused(f"The secret key cannot be written to DATA_DIR: {error}.") from error
    try:
        if any(texts.iterdir()):
            _check_writable(Path(settings.LEGAL_DIR))
    except OSError as error:
        raise Refused(f"What you say about yourself cannot be written to LEGAL_DIR: {error}.") from error
    if connection.vendor == "sqlite":
        folder = Path(connection.settings_dict["NAME"]).parent
        if not folder.is_dir() or not os.access(folder, os.W_OK):
            raise Refused(f"The database cannot be written to {folder}.")
        if size > shutil.disk_usage(folder).free:
            raise Refused(f"There is no room in {folder} for a database of {size / 1e6:,.0f} MB.")


def _check_writable(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()


def _put_database(copy: Path, vendor: str) -> None:
    """Replace the database. An older SQLite copy is migrated before that, so that a failure does no harm."""
    if vendor == "postgresql":
        _put_dump(copy)
        return
    if not set(MigrationLoader(None).disk_migrations) <= _migrations_in_file(copy):
        env = {**os.environ, "DATABASE_URL": f"sqlite:///{copy}", "SECRET_KEY": settings.SECRET_KEY}
        command = [sys.executable, "manage.py", "migrate", "--skip-checks", "--verbosity=0"]
        done = subprocess.run(command, cwd=settings.BASE_DIR, env=env, capture_output=True, text=True, check=False)  # noqa: S603  # our own
        if done.returncode:
            raise Refused(f"The database in the backup cannot be brought up to date: {done.stderr.strip()}")
    if connection.vendor == "sqlite":
        _put_file(copy, Path(connection.settings_dict["NAME"]))
    else:
        _move_from_sqlite(copy)


def _put_file(copy: Path, target: Path) -> None:
    """Replace an SQLite database, and delete the write-ahead log of the old one, which would corrupt the new one."""
    connections.close_all()
    beside = _beside(target)
    shutil.copyfile(copy, beside)
    for ending in ("-wal", "-shm"):
        Path(f"{target}{ending}").unlink(missing_ok=True)
    beside.rename(target)


def _beside(target: Path) -> Path:
    """Create a file beside another, which only its owner can read; return its path."""
    made = target.with_name(f".{target.name}.restored")
    made.unlink(missing_ok=True)
    made.touch(mode=0o600)
    return made


# --- dumps of PostgreSQL ----------------------------------------------------------------------------------------------


def _dump_postgresql(target: Path) -> None:
    """Write the site's database into a file.

    Raises:
        Refused: `pg_dump` is not installed, or failed.
    """
    _run("pg_dump", "--format=custom", "--compress=0", "--no-owner", f"--file={target}")


def _check_dump(source: Path) -> None:
    """Read all of a dump; raise Refused if it is damaged."""
    _run("pg_restore", "--file=/dev/null", str(source))


def _migrations_in_dump(source: Path) -> set[tuple[str, str]]:
    """Return the migrations applied to the database of a dump, as app and name."""
    rows = source.with_suffix(".migrations")
    _run("pg_restore", "--data-only", "--table=django_migrations", f"--file={rows}", str(source))
    columns = [line.split("\t") for line in rows.read_text(encoding="utf-8").splitlines()]
    return {(each[1], each[2]) for each in columns if len(each) == 4}  # noqa: PLR2004  # key, app, name, and when


def _put_dump(source: Path) -> None:
    """Replace the site's database in one transaction: if anything fails, the old one stays."""
    connections.close_all()
    script = source.with_suffix(".sql")
    _run("pg_restore", "--no-owner", f"--file={script}", str(source))
    before = ("SET client_min_messages = warning", "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    words = [f"--command={statement}" for statement in before]  # tables newer than the backup must go as well
    _run("psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction", *words, f"--file={script}")


def _run(program: str, *arguments: str) -> None:
    """Run a PostgreSQL program on the site's database, with the password in its environment, which others cannot see.

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


# --- from SQLite to PostgreSQL ----------------------------------------------------------------------------------------

SCHEMA: Final = "tessera_moved"
"""The schema of the new tables until all rows are in them."""

NOT_MOVED: Final = {"django_migrations"}
"""The new database has its own rows in this table."""

AS_POSTGRESQL_HAS_IT: Final[Mapping[str, Callable[[Any], object]]] = {
    "bool": bool,
    "timestamptz": lambda text: f"{text}+00",  # Django keeps times in UTC
    "interval": lambda microseconds: timedelta(microseconds=microseconds),
}
"""Converters for values from SQLite, by PostgreSQL type; values of other types stay as they are."""


def _move_from_sqlite(copy: Path) -> None:
    """Replace the content of the site's PostgreSQL by that of an SQLite database, which must have the same migrations.

    The tables are created and filled beside the present ones, and take their place in one transaction: if anything
    fails, the database stays as it was. Keys of new rows continue where they were in SQLite.

    Raises:
        Refused: PostgreSQL does not accept a row, for instance because a constraint forbids what SQLite has allowed.
    """
    with closing(sqlite3.connect(f"file:{copy}?mode=ro", uri=True)) as source:
        try:
            _make_tables()
            with transaction.atomic(), connection.wrap_database_errors, connection.cursor() as cursor:
                for table, columns in _tables_to_fill(cursor).items():
                    _copy_table(source, cursor, table, columns)
                _go_on_counting(source, cursor)
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # checks foreign keys
                cursor.execute("DROP SCHEMA public CASCADE")
                cursor.execute(f"ALTER SCHEMA {SCHEMA} RENAME TO public")
        except (Error, sqlite3.Error) as error:
            with suppress(Error), connection.cursor() as cursor:
                cursor.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
            raise Refused(f"PostgreSQL does not take what is in the backup: {str(error).strip()}") from error
        finally:
            connection.close()  # its search_path names a schema that is gone


def _make_tables() -> None:
    """Create all tables, empty, in a schema of their own."""
    with connection.cursor() as cursor:
        cursor.execute("SET client_min_messages = warning")
        cursor.execute("SET statement_timeout = 0")
        cursor.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
        cursor.execute(f"CREATE SCHEMA {SCHEMA}")
        cursor.execute(f"SET search_path TO {SCHEMA}")
    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:  # migrations have inserted rows, such as groups
        names = ", ".join(map(connection.ops.quote_name, _tables_to_fill(cursor)))
        cursor.execute(f"TRUNCATE {names}")


def _tables_to_fill(cursor: Any) -> dict[str, dict[str, str]]:
    """Return the tables that are filled, each with its columns that are not computed and their types."""
    cursor.execute(
        "SELECT table_name, column_name, udt_name FROM information_schema.columns JOIN information_schema.tables "
        "USING (table_schema, table_name) WHERE table_schema = %s AND table_type = 'BASE TABLE' "
        "AND is_generated = 'NEVER' ORDER BY table_name, ordinal_position",
        [SCHEMA],
    )
    found: dict[str, dict[str, str]] = {}
    for table, name, kind in cursor.fetchall():
        if table not in NOT_MOVED:
            found.setdefault(table, {})[name] = kind
    return found


def _copy_table(source: sqlite3.Connection, cursor: Any, table: str, columns: Mapping[str, str]) -> None:
    quote = connection.ops.quote_name
    names = ", ".join(map(quote, columns))
    makers = [AS_POSTGRESQL_HAS_IT.get(kind) for kind in columns.values()]
    with cursor.copy(f"COPY {quote(table)} ({names}) FROM STDIN") as copy:
        for row in source.execute(f"SELECT {names} FROM {quote(table)}"):  # noqa: S608  # names of our own tables
            pairs = zip(row, makers, strict=True)
            copy.write_row([value if value is None or make is None else make(value) for value, make in pairs])


def _go_on_counting(source: sqlite3.Connection, cursor: Any) -> None:
    """Continue the sequences of keys where SQLite's are, so that keys of deleted rows are not used again."""
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
