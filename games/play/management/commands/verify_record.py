"""`manage.py verify_record`: replay records and say where they differ from what happens."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.record import RecordError, read, verify
from games.titles import games


class Command(BaseCommand):
    """Answers 0 when all files are as recorded, else 1 with the first difference of each file that is not."""

    help = "Replay records (tessera-record-1) and check every draw, action and outcome."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle(self, **arguments: Any) -> None:
        problems = []
        for path in arguments["files"]:
            if (problem := _problem(path)) is None:
                self.stdout.write(f"{path}: everything is as recorded")
            else:
                problems.append(f"{path}: {problem}")
        if problems:
            raise CommandError("\n".join(problems))


def _problem(path: Path) -> str | None:
    """Return what is wrong with a file, None when its match happened as recorded."""
    try:
        record = read(path.read_bytes())
        if record.game not in games():
            return f"the game “{record.game}” is not known here"
        difference = verify(record, games()[record.game])
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    except RecordError as error:
        return str(error)
    return None if difference is None else str(difference)
