"""One command keeps everything, another brings it back; neither destroys anything by mistake."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from config.ops import archive as ops_archive, backup
from games.play import timekeeping
from games.play.models import Match
from tests.people import person, running_match
from tests.site.config.processes import database_url
from tests.unit.config.environment import run

pytestmark = pytest.mark.django_db(transaction=True)


def said_by(*words: str) -> str:
    """Run a command on the test's own database; return what it says, refusals included."""
    said = io.StringIO()
    try:
        call_command(*words, stdout=said)
    except CommandError as error:
        return f"refused: {error}"
    return said.getvalue()


def manage(folder: Path, command: str, *words: str, variables: Mapping[str, str] | None = None) -> str:
    """Run a command of a site with its data in a folder, and return what it says.

    It does not check the site first, which would take a quarter of the time.
    """
    done = run(folder, "manage.py", command, "--skip-checks", *words, **variables or {})
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
    """Return a copy of an archive with other members; None is left out. What it says of itself is made to fit."""
    changed = {name.replace("_", "-").replace("about", "about.json"): content for name, content in members.items()}
    kept = {name: content for name, content in {**held(archive), **changed}.items() if content is not None}
    if "about" not in members:
        sizes = {name: len(content) for name, content in kept.items() if name != ops_archive.ABOUT}
        kept[ops_archive.ABOUT] = json.dumps({**json.loads(kept[ops_archive.ABOUT]), "members": sizes}).encode()
    return made_of(archive.with_name("altered.tar.gz"), *((name, content) for name, content in kept.items()))


def held(archive: Path) -> dict[str, bytes]:
    """Return what an archive holds, in its order."""
    with tarfile.open(archive) as source:
        return {member.name: (source.extractfile(member) or io.BytesIO()).read() for member in source}


def made_of(target: Path, *members: tuple[str | tarfile.TarInfo, bytes]) -> Path:
    """Make an archive of names, or of heads that can lie, and contents."""
    with gzip.open(target, "wb", compresslevel=1) as made:
        for named, content in members:
            head = special(named, tarfile.REGTYPE, size=len(content)) if isinstance(named, str) else named
            made.write(head.tobuf() + content + bytes(-len(content) % tarfile.BLOCKSIZE))
        made.write(bytes(2 * tarfile.BLOCKSIZE))
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


def test_only_the_operator_can_read_a_backup(archive: Path) -> None:
    assert archive.stat().st_mode & 0o077 == 0


def test_when_a_backup_was_made_is_known_afterwards_and_not_of_one_that_was_refused(archive: Path) -> None:
    made = backup.last_backup()
    assert made is not None
    assert timezone.now() - made < timedelta(minutes=5)
    said_by("backup", str(archive))
    assert backup.last_backup() == made


def test_a_backup_never_replaces_a_file(archive: Path) -> None:
    before = archive.read_bytes()
    assert said_by("backup", str(archive)) == f"refused: {archive} exists."
    assert archive.read_bytes() == before


def test_a_backup_needs_its_folder(tmp_path: Path) -> None:
    assert said_by("backup", str(tmp_path / "none" / "file")) == f"refused: There is no folder {tmp_path / 'none'}."


def test_an_empty_database_is_not_backed_up(tmp_path: Path) -> None:
    """As where the nightly command does not know DATA_DIR or DATABASE_URL of the site."""
    target = tmp_path / "site.tar.gz"
    done = run(tmp_path / "elsewhere", "manage.py", "backup", "--skip-checks", str(target))
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
    timekeeping.Watching().run_due(timezone.now())
    assert said_by("restore", str(archive), "--replace").startswith("refused: The site is running. Stop it")
    assert Match.objects.count() == 1


def test_a_worker_seen_by_a_clock_that_was_put_back_does_not_keep_a_site_from_being_restored(archive: Path) -> None:
    timekeeping.beat(timezone.now() + timedelta(hours=1))
    assert said_by("restore", str(archive)).startswith("refused: There are 2 people")  # not that the site is running


def about(**changes: str) -> bytes:
    return json.dumps({"format": ops_archive.FORMAT, "made_at": "", "database": connection.vendor} | changes).encode()


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"database": b"nothing like a database " * 100}, "The database in the backup is damaged: "),
        ({"database": b""}, "The database in the backup is damaged: "),
        ({"database": None}, "is not a whole backup: "),
        ({"about": b"[]"}, "is not a whole backup: "),
        ({"about": b'{"format": "tessera-backup-2"}'}, "is not a whole backup: "),
        ({"about": None}, "is not a whole backup: it does not begin with about.json"),
        ({"secret_key": None}, "is not a whole backup: secret-key is missing"),
        ({"secret_key": b""}, "The secret key in the backup is empty or damaged"),
        ({"secret_key": b" \n "}, "The secret key in the backup is empty or damaged"),
        ({"secret_key": b"\xff\xfe\x00"}, "The secret key in the backup is empty or damaged"),
        ({"secret_key": b"a\0b"}, "The secret key in the backup is empty or damaged"),
        ({"about": about(format="other")}, "has the format other, and only"),
        ({"about": about(database="other")}, "is of other, and DATABASE_URL names"),
    ],
)
def test_a_damaged_or_foreign_backup_is_refused(archive: Path, members: dict[str, bytes | None], said: str) -> None:
    assert said in said_by("restore", str(altered(archive, **members)), "--replace")
    assert Match.objects.count() == 1


def special(name: str, kind: bytes, linkname: str = "", size: int = 0) -> tarfile.TarInfo:
    """Return the head of a member that is no plain file, or says that it is larger than it is."""
    head = tarfile.TarInfo(name)
    head.type, head.linkname, head.size = kind, linkname, size
    return head


def test_an_archive_writes_nothing_but_plain_files_where_they_belong_and_no_more_than_it_can_hold(
    tmp_path: Path, archive: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is refused with what is wrong with it, before anything was replaced, and leaves nothing behind."""
    settings.DATA_DIR = empty(tmp_path / "data")
    monkeypatch.setattr(tempfile, "tempdir", str(empty(tmp_path / "temporary")))
    parts = held(archive)
    whole: list[tuple[str | tarfile.TarInfo, bytes]] = list(parts.items())
    untold = [(ops_archive.ABOUT, about()), *whole[1:]]  # says nothing of its members, as those of the first format
    regular, sparse, link = tarfile.REGTYPE, tarfile.GNUTYPE_SPARSE, tarfile.SYMTYPE
    bad: list[tuple[list[tuple[str | tarfile.TarInfo, bytes]], str]] = [
        ([*untold, ("legal/../../above.txt", b"evil")], "does not belong there"),
        ([*untold, ("../../legal/evil.txt", b"evil")], "does not belong there"),
        ([*untold, ("/legal/evil.txt", b"evil")], "does not belong there"),
        ([*untold, ("legal/.txt/evil.txt", b"evil")], "does not belong there"),
        ([*untold, ("legal//evil.txt", b"evil")], "does not belong there"),
        ([*untold, ("legal/evil.py", b"evil")], "does not belong there"),
        ([*untold, ("more", b"evil")], "does not belong there"),
        ([*untold, (ops_archive.SECRET, b"another")], "does not belong there"),  # twice
        ([*whole, ("legal/more.txt", b"not told of")], "is missing or of another size"),
        ([*untold, (special("legal/link.txt", tarfile.SYMTYPE, "/etc/passwd"), b"")], "is not a plain file"),
        ([*untold, (special("legal/link.txt", tarfile.LNKTYPE, ops_archive.SECRET), b"")], "is not a plain file"),
        ([*untold, (special("legal/pipe.txt", tarfile.FIFOTYPE), b"")], "is not a plain file"),
        ([*untold, (special("legal/folder.txt", tarfile.DIRTYPE), b"")], "is not a plain file"),
        ([untold[0], (special(ops_archive.SECRET, link, "/etc/hostname"), b""), untold[2]], "not a plain file"),
        (
            [untold[0], (special(ops_archive.DATABASE, sparse, size=10**12), bytes(512))],
            "not a plain file",
        ),
        ([*untold, *((f"legal/{number}.txt", b"") for number in range(101))], "has more than 100 members"),
        ([*untold, ("legal/long.txt", bytes(2_000_000))], "is too large"),
        ([untold[0], (ops_archive.SECRET, bytes(20_000)), untold[2]], "is too large"),
        ([(special(ops_archive.ABOUT, regular, size=10**10), parts[ops_archive.ABOUT])], "is too large"),
        ([untold[0], untold[1], (special(ops_archive.DATABASE, regular, size=10**10), b"")], "is too large"),
        ([*untold, (special("x" * 50, tarfile.GNUTYPE_LONGNAME, size=200_000_000), bytes(200_000_000))], "is too long"),
        ([*untold, (special("x", tarfile.XHDTYPE, size=100_000), b" " * 100_000)], "is too long"),
        (whole[:2], "database is missing"),
        ([], "about.json"),
    ]
    for members, said in bad:
        made = made_of(tmp_path / "bad.tar.gz", *members)
        found = said_by("restore", str(made), "--replace")
        assert found.startswith("refused: "), said
        assert said in found
        made.unlink()
    assert list((tmp_path / "data").iterdir()) == list((tmp_path / "temporary").iterdir()) == []
    assert not list(tmp_path.rglob("*.txt"))
    assert Match.objects.count() == 1


def test_zeros_without_end_after_the_end_of_an_archive_are_refused_soon(tmp_path: Path, archive: Path) -> None:
    plain = gzip.decompress(archive.read_bytes())
    with gzip.open(tmp_path / "zeros.tar.gz", "wb", compresslevel=1) as made:
        made.write(plain)
        for _ in range(50):
            made.write(bytes(1_000_000))
    assert "something follows its end" in said_by("restore", str(tmp_path / "zeros.tar.gz"), "--replace")
    assert Match.objects.count() == 1


def test_without_room_for_what_an_archive_holds_nothing_is_written(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=20_000))
    assert "There is no room in " in said_by("restore", str(archive), "--replace")
    assert Match.objects.count() == 1


def test_an_archive_that_is_cut_short_is_refused_wherever_it_is_cut(archive: Path) -> None:
    whole = archive.read_bytes()
    for length in (0, 1, 10, 11, 100, len(whole) // 2, len(whole) - 9, len(whole) - 8, len(whole) - 4, len(whole) - 1):
        archive.write_bytes(whole[:length])
        assert "is not a whole backup" in said_by("restore", str(archive), "--replace"), length
    plain = gzip.decompress(whole)
    for length in (512, 1024, len(plain) // 2, len(plain) // 2 // 512 * 512):
        archive.write_bytes(gzip.compress(plain[:length], compresslevel=1))
        assert "is not a whole backup" in said_by("restore", str(archive), "--replace"), length
    assert Match.objects.count() == 1


def test_a_backup_that_could_not_be_restored_is_not_made(tmp_path: Path, settings: Settings) -> None:
    running_match([person("ann"), person("bob")])
    settings.LEGAL_DIR = texts(tmp_path / "legal", imprint="x" * 1_000_001)
    assert "imprint.txt is larger than 1,000,000 bytes" in said_by("backup", str(tmp_path / "site.tar.gz"))
    settings.LEGAL_DIR = texts(tmp_path / "many", **{f"text{number}": "" for number in range(98)})
    assert "There are more than 97 texts" in said_by("backup", str(tmp_path / "site.tar.gz"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["legal", "many"]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a dump of PostgreSQL has no pages")
def test_a_database_with_a_broken_page_is_refused(archive: Path) -> None:
    with tarfile.open(archive) as tar:
        database = bytearray((tar.extractfile(ops_archive.DATABASE) or io.BytesIO()).read())
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
