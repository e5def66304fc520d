"""`manage.py verify_record`: replay records and say where they differ from the replay."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.record import LARGEST, UNPROVABLE, RecordError, checks_of, read, verify
from games.titles import games, rules_of


class Command(BaseCommand):
    """Exits with 0 if all files are as recorded, else with 1 and the first difference in each file that is not."""

    help = "Replay records (tessera-record-1); say what was checked, and what no file can prove."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle(self, **arguments: Any) -> None:
        problems, checked = [], False
        for path in arguments["files"]:
            try:
                checks = _checked(path)
            except RecordError as error:
                problems.append(f"{path}: {error}")
                continue
            self._tell(f"{path}: everything is as recorded", checks)
            checked = True
        if checked:
            self._tell("No file can prove", UNPROVABLE)
        if problems:
            raise CommandError("\n".join(problems))

    def _tell(self, heading: str, lines: Iterable[str]) -> None:
        self.stdout.write("\n".join([heading, *(f"  - {line}" for line in lines)]))


def _checked(path: Path) -> tuple[str, ...]:
    """Return what was checked in a file whose match happened as recorded.

    Raises:
        RecordError: it did not, or the file cannot be read or checked.
    """
    try:
        with path.open("rb") as file:
            record = read(file.read(LARGEST + 1))
    except OSError as error:
        raise RecordError(f"cannot be read: {error.strerror}") from error
    if record.game not in games():
        raise RecordError(f"the game “{record.game}” is not known here")
    difference = verify(record, rules_of(record.game, record.rules_version))
    if difference is not None:
        raise RecordError(str(difference))
    return checks_of(record)
