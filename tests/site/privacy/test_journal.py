"""Whoever deleted their account after a backup was made is deleted again when it is restored."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from games.privacy import deletions
from games.privacy.jobs import Deletions, OldGuests
from games.privacy.models import Deletion
from tests.people import person, running_match
from tests.unit.config.environment import run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DELETIONS_DIR = tmp_path / "deletions"
    return tmp_path / "deletions"


def said_by(*words: str) -> str:
    said = io.StringIO()
    call_command(*words, stdout=said)
    return said.getvalue()


def ended(user: User) -> None:
    """Let an account end as its owner asked, a week later."""
    deletion = deletions.confirm(deletions.ask(user))
    assert deletion.due_at is not None
    with time_machine.travel(deletion.due_at, tick=False):
        assert Deletions().run_due(timezone.now()) == 1


def guest() -> User:
    return User.objects.create_user("Guest-7", guest=True, last_login=timezone.now())


AFTERWARDS = """
import io
import django; django.setup()
from django.core.management import call_command
from django.utils import timezone
from accounts.models import User
from games.privacy import deletions
from games.privacy.jobs import Deletions
from games.privacy.models import Deletion

def said_by(*words):
    said = io.StringIO()
    call_command(*words, stdout=said)
    return said.getvalue()

assert User.objects.filter(username="ann", is_active=True).exists()
print(said_by("deleted_accounts"))
assert said_by("deleted_accounts", "--end").endswith("The worker ends them again.\\n")
back = User.objects.get(username="ann")
assert not back.is_active
assert not deletions.take_back(back)
assert sum(iter(lambda: Deletions().run_due(timezone.now()), 0)) == 2  # a slow machine stops after the first
assert set(User.objects.values_list("username", flat=True)) == {"bob", "eve", "fay", "gus"}
print(Deletion.objects.get().due_at.isoformat())
assert "No account" in said_by("deleted_accounts", "--end")
assert deletions.take_back(User.objects.get(username="bob"))
assert "No account" in said_by("deleted_accounts")
"""
"""On the restored site: what is listed, and when whoever may still come back ends, is printed."""


@pytest.mark.skipif(connection.vendor != "sqlite", reason="another file restores PostgreSQL")
def test_after_a_restore_the_accounts_that_ended_since_the_backup_are_listed_and_end_again(
    tmp_path: Path, folder: Path
) -> None:
    ann, bob, eve, fay, gus = (person(name) for name in ("ann", "bob", "eve", "fay", "gus"))
    visitor = guest()
    running_match([bob, eve])
    said_by("backup", str(tmp_path / "site.tar.gz"))
    ended(ann)
    deletions.confirm(deletions.ask(visitor))
    Deletions().run_due(timezone.now())
    deletions.confirm(deletions.ask(bob))  # is to end in a week
    deletions.confirm(deletions.ask(fay))
    assert deletions.take_back(fay)
    deletions.ask(gus)  # has not used the link
    due = Deletion.objects.get(user=bob).due_at
    assert due is not None
    assert said_by("deleted_accounts") == "No account is here that had ended.\n"
    elsewhere, journals = tmp_path / "elsewhere", {"DELETIONS_DIR": str(folder)}
    restored = run(elsewhere, "manage.py", "restore", str(tmp_path / "site.tar.gz"), **journals)
    assert "3 accounts in it ended, or were to end, after it was made." in restored.stdout, restored.stderr
    told = run(elsewhere, "-c", AFTERWARDS, **journals)
    assert not told.returncode, told.stderr
    lines = told.stdout.splitlines()
    assert [line.split(":")[0] for line in lines if ": " in line] == [
        f"{ann.pk} ann",
        f"{visitor.pk} Guest-7",
        f"{bob.pk} bob",
    ]
    assert "bob: was to end" in told.stdout
    assert due.isoformat() in lines  # as long as before, to come back


def test_a_number_that_is_given_again_is_another_account(tmp_path: Path) -> None:
    ann = person("ann")
    number = ann.pk
    ended(ann)
    person("somebody-else", pk=number)
    assert "No account" in said_by("deleted_accounts")


def test_journals_of_other_machines_are_read_too(tmp_path: Path, folder: Path, settings: Settings) -> None:
    ann = person("ann")
    number, joined = ann.pk, ann.date_joined
    ended(ann)
    person("ann", pk=number, date_joined=joined)  # as a restored backup has them
    folder.rename(tmp_path / "elsewhere")
    assert "No account" in said_by("deleted_accounts")
    assert said_by("deleted_accounts", str(tmp_path / "elsewhere")).startswith(f"{number} ann: ended ")
    with pytest.raises(CommandError, match="There is no folder"):
        said_by("deleted_accounts", str(tmp_path / "none"))


def test_the_journal_names_nobody_and_only_the_site_can_read_it(folder: Path) -> None:
    ended(person("ann"))
    for path in folder.iterdir():
        assert "ann" not in path.read_text()
        assert "example.org" not in path.read_text()
        assert path.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def test_it_is_gone_after_its_period_and_kept_for_a_year(folder: Path) -> None:
    """Whole months go, the first of them when its first day is as old as the table of what is kept says."""
    with time_machine.travel(datetime(2025, 1, 1, tzinfo=UTC)):
        deletions.write_journal("kept", person("ann"))
    OldGuests().run_due(datetime(2026, 1, 31, tzinfo=UTC))
    assert len(list(folder.iterdir())) == 1
    OldGuests().run_due(datetime(2025, 1, 1, tzinfo=UTC) + deletions.JOURNAL_KEPT)
    assert list(folder.iterdir()) == []


def test_lines_that_are_no_lines_are_passed_over(folder: Path) -> None:
    ann = person("ann")
    folder.mkdir()
    (folder / f"{timezone.now():%Y-%m}.jsonl").write_bytes(b'{"what": "ended", "at": "20' + b"\xff" * 5000)
    deletions.write_journal("ended", ann)
    assert [each.user for each in deletions.returned_accounts([folder])] == [ann]


def test_a_disk_that_takes_nothing_keeps_nobody_from_going(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder.write_text("in the way")
    ended(person("ann"))
    assert not User.objects.filter(username="ann").exists()
    assert "cannot be written to the journal of deletions" in caplog.text
    folder.unlink()


def test_an_end_that_fails_half_way_is_not_taken_for_an_account_that_came_back(folder: Path) -> None:
    ann = person("ann")
    deletion = deletions.confirm(deletions.ask(ann))
    assert deletion.due_at is not None
    with time_machine.travel(deletion.due_at, tick=False), transaction.atomic():
        deletions.end(deletion.pk)
        transaction.set_rollback(True)
    assert "ended" in "".join(path.read_text() for path in folder.iterdir())
    assert Deletion.objects.get(user=ann).begun_at is None
    assert "No account" in said_by("deleted_accounts")
