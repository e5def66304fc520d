"""Backups: one archive with all that a site consists of, and the way back.

That is its database, its secret key, and what its operator says on the pages about privacy, terms and themselves.

Redis keeps nothing that matters, and static files come from the source.
"""

from __future__ import annotations

import json
import lzma
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
import zlib
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Final

from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections
from django.utils import timezone

from accounts.models import User
from games.play.matches import outages

ABOUT, DATABASE, SECRET, LEGAL = "about.json", "database", "secret-key", "legal"  # names of files, and of a folder
FORMAT: Final = "tessera-backup-1"
UNREADABLE: Final = (OSError, EOFError, tarfile.TarError, zlib.error, lzma.LZMAError, KeyError, TypeError, ValueError)


class Refused(Exception):
    """Nothing was written or replaced; the text is for the operator."""


@dataclass(frozen=True, slots=True)
class About:
    """What an archive holds.

    Args:
        format: `FORMAT`.
        made_at: when, in ISO format.
        database: "sqlite" or "postgresql".
    """

    format: str
    made_at: str
    database: str


def backup(target: Path) -> int:
    """Write everything into a new archive, which only its owner can read; return its size in bytes.

    The site may run meanwhile: its database is copied as it is at one moment.

    Raises:
        Refused: the file exists, its folder does not, or the database is empty or could not be copied.
    """
    _check_source()
    if target.exists():
        raise Refused(f"{target} exists.")
    if not target.parent.is_dir():
        raise Refused(f"There is no folder {target.parent}.")
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".backup-") as folder:
        made = _archived(Path(folder))
        made.rename(target)
    return target.stat().st_size


def _check_source() -> None:
    """Refuse the database of another place, which a command without the site's environment finds instead of its own."""
    if "play_match" not in connection.introspection.table_names():
        raise Refused(
            f"There is no site in the database {connection.settings_dict['NAME']}: are DATA_DIR and DATABASE_URL right?"
        )


def _archived(folder: Path) -> Path:
    about = About(FORMAT, timezone.now().isoformat(), connection.vendor)
    _copy_database(folder / DATABASE)
    (folder / SECRET).write_text(settings.SECRET_KEY)
    (folder / ABOUT).write_text(json.dumps(asdict(about)))
    archive = folder / "archive"
    archive.touch(mode=0o600)
    with tarfile.open(archive, mode="w:gz", compresslevel=6) as tar:
        for name in (ABOUT, SECRET, DATABASE):
            tar.add(folder / name, name)
        for path in _legal_texts():
            tar.add(path.resolve(), f"{LEGAL}/{path.name}", recursive=False)
    return archive


def _legal_texts() -> list[Path]:
    return sorted(path for path in Path(settings.LEGAL_DIR).glob("*.txt") if path.is_file())


def _copy_database(target: Path) -> None:
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(connection.settings_dict["NAME"])) as source:
            source.execute("VACUUM INTO ?", [str(target)])
    else:
        _run("pg_dump", "--format=custom", "--compress=0", "--no-owner", f"--file={target}")


def restore(source: Path, *, replace: bool = False) -> About:
    """Put back everything from an archive, and bring the database up to date; return what the archive said of itself.

    Args:
        source: the archive.
        replace: whether people and matches that are in the database may go.

    Raises:
        Refused: this is not a backup, it is of another kind of database, the site is running, or there are people.
    """
    with tempfile.TemporaryDirectory(prefix="tessera-restore-") as name:
        folder = Path(name)
        about = _unpacked(source, folder)
        _check_copy(folder / DATABASE)
        _check_target(replace)
        _check_legal_folder(folder / LEGAL)
        _put_database(folder / DATABASE)
        _put_secret((folder / SECRET).read_text())
        _put_legal_texts(folder / LEGAL)
    call_command("migrate", verbosity=0)
    return about


def _unpacked(source: Path, folder: Path) -> About:
    try:
        with tarfile.open(source) as tar:
            for name in (ABOUT, SECRET, DATABASE):
                _take(tar, name, folder / name)
            _take_legal_texts(tar, folder / LEGAL)
            _read_on(tar)
        about = About(**json.loads((folder / ABOUT).read_text()))
    except UNREADABLE as error:
        raise Refused(f"{source} is not a whole backup: {str(error).partition(chr(10))[0]}.") from error
    if about.format != FORMAT:
        raise Refused(f"{source} has the format {about.format}, and only {FORMAT} is understood.")
    if about.database != connection.vendor:
        raise Refused(f"{source} is of {about.database}, and DATABASE_URL names {connection.vendor}.")
    return about


def _take(tar: tarfile.TarFile, name: str, target: Path) -> None:
    """Copy a member of an archive to a file, wherever it says that it belongs."""
    inside = tar.extractfile(name)
    if inside is None:
        raise KeyError(f"{name} is not a file in it")
    with target.open("wb") as file:
        shutil.copyfileobj(inside, file)


def _take_legal_texts(tar: tarfile.TarFile, folder: Path) -> None:
    """Copy the texts of the operator, by the last part of their names; older archives have none."""
    folder.mkdir()
    for name in tar.getnames():
        path = PurePosixPath(name)
        if path.parent.name == LEGAL and path.suffix == ".txt":
            _take(tar, name, folder / path.name)


def _read_on(tar: tarfile.TarFile) -> None:
    """Read the rest of an archive, as its checksum is at the end and compared only there."""
    while tar.fileobj and tar.fileobj.read(tarfile.RECORDSIZE):
        pass


def _check_target(replace: bool) -> None:
    """Refuse to take the database from under a site that runs, or from its people."""
    if "play_watch" not in connection.introspection.table_names():
        return
    if outages.is_watched(timezone.now()):
        raise Refused("The site is running. Stop it, and try again in half a minute.")
    if (people := User.objects.count()) and not replace:
        raise Refused(f"There are {people} people in the database. With --replace they and their matches go.")


def _check_copy(dump: Path) -> None:
    """Refuse a damaged copy of a database before anything is replaced by it."""
    try:
        if connection.vendor == "sqlite":
            _check_file(dump)
        else:
            _run("pg_restore", "--list", str(dump))
    except (sqlite3.Error, Refused) as error:
        raise Refused(f"The database in the backup is damaged: {error}.") from error


def _check_file(dump: Path) -> None:
    with closing(sqlite3.connect(dump)) as copy:
        found = copy.execute("PRAGMA quick_check").fetchall()
        if found != [("ok",)]:  # what is broken is told in rows, seldom raised
            raise Refused(str(found[0][0]).partition("\n")[0])
        if not copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'play_match'").fetchall():
            raise Refused("it has no matches")  # an empty file is a whole database for SQLite


def _put_database(dump: Path) -> None:
    if connection.vendor == "sqlite":
        _put_file(dump, Path(connection.settings_dict["NAME"]))
    else:
        _put_dump(dump)


def _put_dump(dump: Path) -> None:
    """Replace a database of PostgreSQL in one transaction: whatever fails, the old one stays."""
    connections.close_all()
    script = dump.with_suffix(".sql")
    _run("pg_restore", "--no-owner", f"--file={script}", str(dump))
    before = ("SET client_min_messages = warning", "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    words = [f"--command={statement}" for statement in before]  # tables that came after the backup must go as well
    _run("psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction", *words, f"--file={script}")


def _put_file(dump: Path, target: Path) -> None:
    """Replace a database in a file. What was written ahead of the old one would be read as part of the new one."""
    connections.close_all()
    for ending in ("-wal", "-shm"):
        Path(f"{target}{ending}").unlink(missing_ok=True)
    beside = target.with_name(f".{target.name}.restored")
    shutil.copyfile(dump, beside)
    beside.rename(target)


def _put_secret(secret: str) -> None:
    """Keep the key in the data folder, where it is found unless SECRET_KEY is set."""
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    path = settings.DATA_DIR / SECRET
    path.touch(mode=0o600)
    path.chmod(0o600)
    path.write_text(secret)


def _check_legal_folder(source: Path) -> None:
    """Refuse texts of the operator that have no place, before anything else of the backup is put back."""
    target = Path(settings.LEGAL_DIR)
    try:
        if any(source.iterdir()):
            target.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=target).close()
    except OSError as error:
        raise Refused(f"What you say about yourself cannot be written to LEGAL_DIR: {error}.") from error


def _put_legal_texts(source: Path) -> None:
    """Put the texts of the operator where the site looks for them. Other files there stay."""
    for text in sorted(source.iterdir()):
        shutil.copyfile(text, Path(settings.LEGAL_DIR) / text.name)


def _run(program: str, *arguments: str) -> None:
    """Run a program of PostgreSQL on the site's database; its password is not among the arguments, which all can see.

    Raises:
        Refused: it is not installed, or it failed.
    """
    command, login = [program, *arguments], {**os.environ, **_login()}
    try:
        subprocess.run(command, env=login, check=True, capture_output=True, text=True)  # noqa: S603  # PostgreSQL's own
    except FileNotFoundError as error:
        raise Refused(f"{program} is not installed.") from error
    except subprocess.CalledProcessError as error:
        raise Refused(f"{program} failed: {error.stderr.strip()}") from error


def _login() -> Mapping[str, str]:
    told = connection.settings_dict
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    return {name: str(told[key]) for name, key in names.items() if told.get(key)}


def tidied(folder: Path, keep: int) -> list[Path]:
    """Delete the oldest backups of `dated` in a folder but for so many; return which."""
    old = sorted(folder.glob("tessera-*.tar.gz"))[:-keep]
    for path in old:
        path.unlink()
    return old


def dated(folder: Path, now: datetime) -> Path:
    """Return the name of a backup that is made at a moment."""
    return folder / f"tessera-{now:%Y%m%dT%H%M%SZ}.tar.gz"
