"""A site moves from SQLite to PostgreSQL by `backup` on one and `restore` on the other, and loses nothing."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest
from django.db import connection, connections

from config.ops import archive
from tests.people import person
from tests.site.config.processes import database_url
from tests.tables import at
from tests.unit.config.environment import run

MAKE = """
import django, sys; django.setup()
from django.core.management import call_command
from tests import tables
tables.make()
from games.notifications.models import Channel, Delivery
from games.play.models import Setback
from tests.site.privacy import inhabited
from tests.people import person
inhabited.build()
zoe = person("Zoë-ß", time_zone="Europe/Rome")
Setback.objects.create(job="tests", key=2**62, error="“x” \\N{PILE OF POO}\\t\\\\N \\n end")
content = {"z": 1, "a": [1.0, 1e-7, 2**53, None, True, "\\\\u00e9 \\u2028"]}
Delivery.objects.create(content=content, channel=Channel.MAIL, key="a letter", due_at=zoe.date_joined)
last = person("last")
last.delete()
call_command("backup", sys.argv[1])
"""
"""Everything somebody can have, and values that differ between databases; and an archive of it."""

TELL = """
import django, json; django.setup()
from django.apps import apps
def told(value):
    if isinstance(value, dict | list):
        return json.dumps(value, sort_keys=True)  # PostgreSQL keeps keys in an order of its own
    return bytes(value).hex() if isinstance(value, bytes | memoryview) else repr(value)
for model in sorted(apps.get_models(include_auto_created=True), key=lambda model: model._meta.db_table):
    table, rows = model._meta.db_table, model._base_manager.order_by("pk").values()
    if table != "play_watch":  # when the last backup was made
        print(json.dumps([table, [sorted((name, told(value)) for name, value in row.items()) for row in rows]]))
"""
"""Every row as Python sees it, whatever the database."""


CHECK = """
import django; django.setup()
from django.core.management import call_command
call_command("verify_matches")
call_command("recompute_ratings", "--check")
call_command("makemigrations", "--check", "--dry-run")
"""
"""What an operator would ask of a database, in one process."""


@contextmanager
def database(name: str) -> Iterator[str]:
    """Make a database of PostgreSQL with empty tables, as those of the tests; yield its address."""
    server, _slash, empty = database_url().rpartition("/")
    connections.close_all()  # a database that is copied must not be in use
    with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name} TEMPLATE {empty}".encode())
    try:
        yield f"{server}/{name}"
    finally:
        with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def python(folder: Path, *words: str, **variables: str) -> str:
    done = run(folder, *words, **{"PYTHONPATH": ".", **variables})
    assert done.returncode == 0, done.stderr
    return done.stdout


def manage(command: str, *words: str) -> tuple[str, ...]:
    """Return how Python runs a command that does not check the site first, which would take a quarter of the time."""
    return "manage.py", command, "--skip-checks", *words


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a site with SQLite, and an archive of it beside."""
    folder = tmp_path_factory.mktemp("club")
    python(folder, "-c", MAKE, str(folder / "site.tar.gz"))
    return folder


def unpacked(club: Path, folder: Path) -> Path:
    folder.mkdir()
    archive.unpack(club / "site.tar.gz", folder)
    return folder


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_every_row_is_the_same_and_the_site_goes_on_as_before(club: Path, tmp_path: Path) -> None:
    with database("moved") as url:
        told = {"DATABASE_URL": url}
        with at("moved"):
            person("here")
        restore = manage("restore", str(club / "site.tar.gz"))
        assert "people in the database. With --replace" in run(tmp_path, *restore, **told).stderr
        assert python(tmp_path, *restore, "--replace", **told).startswith("Restored what ")
        before, after = python(club, "-c", TELL), python(tmp_path, "-c", TELL, **told)
        for here, there in zip(before.splitlines(), after.splitlines(), strict=True):
            assert json.loads(there) == json.loads(here)
        assert before.count("[[") > 40  # tables with rows
        assert (tmp_path / "secret-key").read_text() == (club / "secret-key").read_text()
        checked = python(tmp_path, "-c", CHECK, **told)
        assert all(said in checked for said in ("are as their actions say", "All ratings are right", "No changes"))
        _goes_on(club, url)


def _goes_on(club: Path, url: str) -> None:
    """Numbers go on after the last that was given, also to what is deleted; locks and foreign keys hold."""
    with closing(sqlite3.connect(club / "tessera.sqlite3")) as site, psycopg.connect(url, autocommit=True) as moved:
        for table, last in site.execute(
            "SELECT name, seq FROM sqlite_sequence WHERE name NOT IN ('django_migrations', 'play_watch')"
        ):
            (given,) = moved.execute("SELECT nextval(pg_get_serial_sequence(%s, 'id'))", [f'"{table}"']).fetchone() or (
                0,
            )
            assert given == last + 1, table
        assert (moved.execute("SELECT count(*) FROM moderation_deed").fetchone() or (0,))[0] > 0
        with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="log of moderators"):
            moved.execute("DELETE FROM moderation_deed")
        with pytest.raises(psycopg.errors.ForeignKeyViolation):
            moved.execute("UPDATE play_seat SET match_id = 999999999 WHERE id = (SELECT min(id) FROM play_seat)")


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_what_postgresql_does_not_take_is_refused_and_its_database_stays(club: Path, tmp_path: Path) -> None:
    bad = [
        ("UPDATE play_match SET slug = slug || printf('%.*c', 500, 'x')", "too long"),
        (
            "PRAGMA foreign_keys=OFF; UPDATE play_seat SET match_id = 99999 WHERE id = (SELECT min(id) FROM play_seat)",
            "violates foreign key",
        ),
    ]
    with database("refusing") as url:
        with psycopg.connect(url, autocommit=True) as there:
            there.execute("INSERT INTO play_setback VALUES (7, 'here', 1, 0, null, '')")
        for change, said in bad:
            held = unpacked(club, tmp_path / said)
            (held / archive.SECRET).write_text("another secret")
            with closing(sqlite3.connect(held / archive.DATABASE)) as copy:
                copy.executescript(change)
            target = held / "altered.tar.gz"
            archive.pack(target, archive.About(archive.FORMAT, "", "sqlite"), held, [])
            done = run(tmp_path, *manage("restore", str(target)), DATABASE_URL=url)
            assert done.returncode == 1
            assert "PostgreSQL does not take what is in the backup" in done.stderr
            assert said in done.stderr
            with psycopg.connect(url) as there:
                assert there.execute("SELECT job FROM play_setback").fetchall() == [("here",)]
                assert there.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'tessera%'").fetchall() == []
        assert (tmp_path / "secret-key").read_text() != "another secret"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the same archives are refused by any database")
def test_an_archive_of_a_newer_tessera_is_refused(club: Path, tmp_path: Path) -> None:
    held = unpacked(club, tmp_path / "held")
    about = archive.About(archive.FORMAT, "", "sqlite", {"chat": ["0099_of_tomorrow"]})
    archive.pack(tmp_path / "told.tar.gz", about, held, [])
    with closing(sqlite3.connect(held / archive.DATABASE)) as copy:
        copy.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('later', '0001_of_tomorrow', '')")
        copy.commit()
    archive.pack(tmp_path / "held.tar.gz", archive.About("tessera-backup-1", "", "sqlite"), held, [])
    machine = Path(shutil.copytree(club, tmp_path / "machine"))
    before = (machine / "tessera.sqlite3").read_bytes()
    for name, migration in (("told", "chat.0099_of_tomorrow"), ("held", "later.0001_of_tomorrow")):
        done = run(machine, *manage("restore", "--replace", str(tmp_path / f"{name}.tar.gz")))
        assert done.returncode == 1
        assert "The backup is of a newer Tessera: 1 migrations of its database are not known here" in done.stderr
        assert f"({migration}). Upgrade first, then restore." in done.stderr
    assert (machine / "tessera.sqlite3").read_bytes() == before


@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite is brought up to date before anything is replaced")
def test_an_older_archive_is_brought_up_to_date_and_if_that_fails_everything_stays(club: Path, tmp_path: Path) -> None:
    older, held, odd = tmp_path / "older", unpacked(club, tmp_path / "held"), unpacked(club, tmp_path / "odd")
    older.mkdir()
    (held / archive.DATABASE).rename(older / "tessera.sqlite3")
    python(older, *manage("migrate", "puzzles", "zero"))
    (older / "tessera.sqlite3").rename(held / archive.DATABASE)
    archive.pack(tmp_path / "older.tar.gz", archive.About("tessera-backup-1", "", "sqlite"), held, [])
    machine = tmp_path / "machine"
    machine.mkdir()
    python(machine, *manage("restore", str(tmp_path / "older.tar.gz")))
    assert "are as their actions say" in python(machine, *manage("verify_matches"))
    with closing(sqlite3.connect(odd / archive.DATABASE)) as copy:  # what it says it has not had, it has
        copy.execute("DELETE FROM django_migrations WHERE app = 'puzzles'")
        copy.commit()
    archive.pack(tmp_path / "odd.tar.gz", archive.About("tessera-backup-1", "", "sqlite"), odd, [])
    before = (machine / "tessera.sqlite3").read_bytes()
    done = run(machine, *manage("restore", "--replace", str(tmp_path / "odd.tar.gz")))
    assert done.returncode == 1
    assert "cannot be brought up to date" in done.stderr
    assert (machine / "tessera.sqlite3").read_bytes() == before
