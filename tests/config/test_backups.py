"""One command keeps everything, another brings it back; neither destroys anything by mistake."""

from __future__ import annotations

import io
import json
import sqlite3
import tarfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from config import backups
from games.play.matches import outages
from games.play.models import Match
from tests.config.environment import run
from tests.config.processes import database_url
from tests.people import person, running_match

pytestmark = pytest.mark.django_db(transaction=True)


def said_by(*words: str) -> str:
    """Run a command on the test's own database; return what it says, refusals included."""
    said = io.StringIO()
    try:
        call_command(*words, stdout=said)
    except CommandError as error:
        return f"refused: {error}"
    return said.getvalue()


def manage(folder: Path, *words: str, variables: Mapping[str, str] | None = None) -> str:
    """Run a command of a site with its data in a folder, and return what it says."""
    done = run(folder, "manage.py", *words, **variables or {})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(autouse=True)
def _no_texts(settings: Settings, tmp_path: Path) -> None:
    """An operator who says nothing, as with backups from before texts were part of them."""
    settings.LEGAL_DIR = tmp_path / "none"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A backup of a site with one match between two people."""
    running_match([person("ann"), person("bob")])
    target = tmp_path / "site.tar.gz"
    assert said_by("backup", str(target)).startswith(f"{target}: ")
    return target


def altered(archive: Path, **members: bytes | None) -> Path:
    """Return a copy of an archive with other members; None is left out."""
    target = archive.with_name("altered.tar.gz")
    with tarfile.open(archive) as source, tarfile.open(target, "w:gz") as made:
        for member in source:
            kept = (source.extractfile(member) or io.BytesIO()).read()
            content = members.get(member.name.replace(".json", ""), kept)
            if content is not None:
                member.size = len(content)
                made.addfile(member, io.BytesIO(content))
    return target


def empty(folder: Path) -> Path:
    folder.mkdir()
    return folder


@pytest.mark.skipif(connection.vendor != "sqlite", reason="another test of this file does it with PostgreSQL")
def test_what_was_backed_up_is_back_on_an_empty_machine(tmp_path: Path, archive: Path) -> None:
    machine = empty(tmp_path / "machine")
    said = manage(machine, "restore", str(archive), variables={"SECRET_KEY": "another one " * 5})
    assert "Restored what" in said
    assert "SECRET_KEY is set to another one than the backup's" in said
    assert (machine / "secret-key").read_text() == settings.SECRET_KEY
    assert (machine / "secret-key").stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(machine / "tessera.sqlite3")) as found:
        assert {name for (name,) in found.execute("SELECT username FROM accounts_user")} >= {"ann", "bob"}
        assert found.execute("SELECT slug FROM play_match").fetchall() == [(Match.objects.get().slug,)]
    assert manage(machine, "verify_matches")


def texts(folder: Path, **said: str) -> Path:
    """Write what an operator says on the pages about privacy, terms and themselves; return where."""
    folder.mkdir(exist_ok=True)
    for name, text in said.items():
        (folder / f"{name}.txt").write_text(text)
    return folder


@pytest.mark.skipif(connection.vendor != "sqlite", reason="their files lie beside any database")
def test_what_the_operator_says_is_backed_up_and_back(tmp_path: Path, settings: Settings) -> None:
    settings.LEGAL_DIR = texts(tmp_path / "legal", imprint="Ann Example", terms="Be kind")
    (tmp_path / "elsewhere").write_text("unser Impressum")
    (tmp_path / "legal" / "imprint.de.txt").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "legal" / "notes.md").write_text("not shown, so not kept")
    target = tmp_path / "site.tar.gz"
    said_by("backup", str(target))
    machine = empty(tmp_path / "machine")
    texts(machine / "legal", imprint="somebody else", privacy="later")
    manage(machine, "restore", str(target))
    found = {path.name: path.read_text() for path in (machine / "legal").iterdir()}
    assert found == {
        "imprint.txt": "Ann Example",
        "imprint.de.txt": "unser Impressum",
        "terms.txt": "Be kind",
        "privacy.txt": "later",
    }


def test_a_folder_of_texts_that_cannot_be_written_is_refused_before_anything_is_replaced(
    tmp_path: Path, settings: Settings
) -> None:
    running_match([person("ann"), person("bob")])
    settings.LEGAL_DIR = texts(tmp_path / "legal", imprint="Ann Example")
    said_by("backup", str(tmp_path / "site.tar.gz"))
    (tmp_path / "file").touch()
    settings.LEGAL_DIR = tmp_path / "file" / "legal"
    Match.objects.update(length=77)
    said = said_by("restore", str(tmp_path / "site.tar.gz"), "--replace")
    assert said.startswith("refused: What you say about yourself cannot be written to LEGAL_DIR")
    assert Match.objects.get().length == 77


@pytest.mark.skipif(connection.vendor != "sqlite", reason="their files lie beside any database")
def test_texts_are_put_nowhere_but_in_their_folder(tmp_path: Path, archive: Path) -> None:
    target = tmp_path / "altered.tar.gz"
    with tarfile.open(archive) as source, tarfile.open(target, "w:gz") as made:
        for member in source:
            made.addfile(member, source.extractfile(member))
        for name in ("../../legal/evil.txt", "legal/../../above.txt"):
            member = tarfile.TarInfo(name)
            member.size = 4
            made.addfile(member, io.BytesIO(b"evil"))
    machine = empty(tmp_path / "machine")
    manage(machine, "restore", str(target))
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.txt")] == ["machine/legal/evil.txt"]


def test_only_the_operator_can_read_a_backup(archive: Path) -> None:
    assert archive.stat().st_mode & 0o077 == 0


def test_a_backup_never_replaces_a_file(archive: Path) -> None:
    before = archive.read_bytes()
    assert said_by("backup", str(archive)) == f"refused: {archive} exists."
    assert archive.read_bytes() == before


def test_a_backup_needs_its_folder(tmp_path: Path) -> None:
    assert said_by("backup", str(tmp_path / "none" / "file")) == f"refused: There is no folder {tmp_path / 'none'}."


def test_an_empty_database_is_not_backed_up(tmp_path: Path) -> None:
    """As where the nightly command does not know DATA_DIR or DATABASE_URL of the site."""
    target = tmp_path / "site.tar.gz"
    done = run(tmp_path / "elsewhere", "manage.py", "backup", str(target))
    assert done.returncode == 1
    assert "no site in the database" in done.stderr
    assert "DATA_DIR" in done.stderr
    assert not target.exists()


def test_a_folder_keeps_the_newest_backups(tmp_path: Path) -> None:
    for day in range(1, 4):
        (tmp_path / f"tessera-2026010{day}T030000Z.tar.gz").touch()
    said = said_by("backup", str(tmp_path), "--keep", "2")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names[0] == "tessera-20260103T030000Z.tar.gz"
    assert len(names) == 2
    assert said.count("deleted") == 2


def test_at_least_one_backup_stays(tmp_path: Path) -> None:
    assert said_by("backup", str(tmp_path), "--keep", "0") == "refused: At least one backup must stay."
    assert list(tmp_path.iterdir()) == []


def test_people_are_not_replaced_unless_that_is_asked_for(archive: Path) -> None:
    said = said_by("restore", str(archive))
    assert said == "refused: There are 2 people in the database. With --replace they and their matches go."
    assert Match.objects.count() == 1


def test_a_site_that_runs_is_not_restored(archive: Path) -> None:
    outages.Watching().run_due(timezone.now())
    assert said_by("restore", str(archive), "--replace").startswith("refused: The site is running. Stop it")
    assert Match.objects.count() == 1


def about(**changes: str) -> bytes:
    return json.dumps({"format": backups.FORMAT, "made_at": "", "database": connection.vendor} | changes).encode()


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"database": b"nothing like a database " * 100}, "The database in the backup is damaged: "),
        ({"database": b""}, "The database in the backup is damaged: "),
        ({"database": None}, "is not a whole backup: "),
        ({"about": b"[]"}, "is not a whole backup: "),
        ({"about": about(format="other")}, "has the format other, and only"),
        ({"about": about(database="other")}, "is of other, and DATABASE_URL names"),
    ],
)
def test_a_damaged_or_foreign_backup_is_refused(archive: Path, members: dict[str, bytes | None], said: str) -> None:
    assert said in said_by("restore", str(altered(archive, **members)), "--replace")
    assert Match.objects.count() == 1


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a dump of PostgreSQL has no pages")
def test_a_database_with_a_broken_page_is_refused(archive: Path) -> None:
    with tarfile.open(archive) as tar:
        database = bytearray((tar.extractfile(backups.DATABASE) or io.BytesIO()).read())
    with closing(sqlite3.connect(":memory:")) as copy:
        copy.deserialize(bytes(database))
        (size,) = copy.execute("PRAGMA page_size").fetchone()
        indexes = "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'play_match'"
        (page,) = copy.execute(indexes).fetchone()
    database[(page - 1) * size : page * size] = b"?" * size
    said = said_by("restore", str(altered(archive, database=bytes(database))), "--replace")
    assert "The database in the backup is damaged: " in said
    assert Match.objects.count() == 1


def test_an_archive_with_broken_bytes_is_refused(archive: Path) -> None:
    whole = archive.read_bytes()
    for place in range(20, len(whole), len(whole) // 20):
        archive.write_bytes(whole[:place] + b"\xff" * 50 + whole[place + 50 :])
        assert said_by("restore", str(archive), "--replace").startswith("refused: ")
    assert Match.objects.count() == 1


def test_an_archive_that_is_not_what_was_written_is_refused(archive: Path) -> None:
    archive.write_bytes(archive.read_bytes()[:-8] + b"checksum")
    assert "is not a whole backup: " in said_by("restore", str(archive), "--replace")


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no archive")
    assert "is not a whole backup" in said_by("restore", str(tmp_path / "text"))
    assert "is not a whole backup" in said_by("restore", str(tmp_path / "none"))


@pytest.mark.services
def test_a_postgresql_database_is_back_with_nothing_that_came_later(tmp_path: Path, archive: Path) -> None:
    server, name = database_url().rpartition("/")[0], "restored"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}".encode())
    try:
        told = {"DATABASE_URL": f"{server}/{name}"}
        with psycopg.connect(told["DATABASE_URL"], autocommit=True) as later:
            later.execute("CREATE TABLE play_later (id int)")
        manage(empty(tmp_path / "machine"), "restore", str(archive), variables=told)
        with psycopg.connect(told["DATABASE_URL"]) as found:
            assert found.execute("SELECT slug FROM play_match").fetchall() == [(Match.objects.get().slug,)]
            assert found.execute("SELECT to_regclass('play_later')").fetchone() == (None,)
        assert manage(tmp_path / "machine", "verify_matches", variables=told)
    finally:
        with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.mark.services
def test_a_postgresql_database_that_cannot_be_restored_stays_as_it_was(tmp_path: Path, settings: Settings) -> None:
    running_match([person("ann"), person("bob")])
    settings.LEGAL_DIR = texts(tmp_path / "legal", imprint="Ann Example")
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA other")  # is in the backup, and in the way of its own return
    try:
        said_by("backup", str(tmp_path / "site.tar.gz"))
        texts(tmp_path / "legal", imprint="somebody else")
        said = said_by("restore", str(tmp_path / "site.tar.gz"), "--replace")
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA other")
    assert 'schema "other" already exists' in said
    assert Match.objects.count() == 1
    assert (tmp_path / "legal" / "imprint.txt").read_text() == "somebody else"
