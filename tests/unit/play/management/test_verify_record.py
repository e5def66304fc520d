"""`verify_record` exits with 0 for a true record, and with 1 and the first difference for any other."""

from __future__ import annotations

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

SEED = bytes(range(32)).hex()


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "match.json"
    call_command("simulate", "shifting-stones", "--seats", "2", "--seed", SEED, "--out", str(path), stdout=StringIO())
    return path


def altered(path: Path, **changed: Any) -> Path:
    """Return a second file with fields of the first one changed."""
    other = path.with_name("altered.json")
    other.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | changed), encoding="utf-8")
    return other


def verify(*paths: Path) -> str:
    out = StringIO()
    call_command("verify_record", *map(str, paths), stdout=out)
    return out.getvalue()


def test_a_match_as_played_is_as_recorded(record: Path) -> None:
    told = verify(record)
    assert told.startswith(f"{record}: everything is as recorded\n")
    assert verify(record, record).count("everything is as recorded") == 2


def test_what_was_checked_is_told_and_what_no_file_can_prove(record: Path) -> None:
    told = verify(record)
    assert "the seed belongs to the commitment" in told
    assert told.count("No file can prove") == 1
    assert "who the players were" in told


def test_the_first_difference_names_the_action_and_both_sides(record: Path) -> None:
    actions = json.loads(record.read_text(encoding="utf-8"))["actions"]
    actions[2]["text"] = "score 73"
    with pytest.raises(CommandError, match=r"action 3, text: the record says seat \d “score 73”, the replay: .+"):
        verify(altered(record, actions=actions))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"game": "chess"}, "“chess” is not known"),
        ({"rules_version": 999}, "rules_version: the record says 999"),
        ({"commit": "0" * 64}, "commit: "),
        ({"server_seed": None, "outcome": None}, "not over"),
        ({"speed": "fast"}, r"\$\.speed"),
    ],
)
def test_what_is_wrong_is_said_clearly(record: Path, changed: dict[str, Any], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        verify(altered(record, **changed))


def test_a_file_without_end_is_refused_and_not_read_to_it(record: Path) -> None:
    endless = record.with_name("endless.json")
    with endless.open("wb") as file:
        file.truncate(10**12)  # takes no room on the disk
    for path in (endless, Path("/dev/zero")):
        with pytest.raises(CommandError, match=r"No match is longer than 8,000,000 bytes"):
            verify(path)


def test_a_record_of_far_too_many_seats_is_refused(record: Path) -> None:
    many = altered(record, seats=[{"name": ""}] * 100_000, nonces=[""] * 100_000, outcome=None)
    with pytest.raises(CommandError, match="No game has 100000 seats"):
        verify(many)


def test_every_file_is_checked(record: Path, tmp_path: Path) -> None:
    out = StringIO()
    bad, missing = altered(record, commit="0" * 64), tmp_path / "missing.json"
    with pytest.raises(CommandError) as caught:
        call_command("verify_record", str(bad), str(missing), str(record), stdout=out)
    assert [line.split(": ")[0] for line in str(caught.value).splitlines()] == [str(bad), str(missing)]
    assert out.getvalue().startswith(f"{record}: everything is as recorded\n")


def test_the_exit_code_tells(record: Path) -> None:
    """That of a command which raises nothing is 0."""
    command = [sys.executable, "manage.py", "verify_record", str(altered(record, commit="0" * 64))]
    assert subprocess.run(command, cwd=settings.BASE_DIR, check=False, capture_output=True).returncode == 1
