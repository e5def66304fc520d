"""`manage.py verify_record`: replay records and say where they differ from the replay."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.titles import verification


class Command(BaseCommand):
    """Exits with 0 if all files are as recorded, else with 1 and the first difference in each file that is not."""

    help = verification.HELP
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        verification.add_arguments(parser)

    def handle(self, **arguments: Any) -> None:
        verdict = verification.verdict_on(arguments["files"])
        for line in verdict.told:
            self.stdout.write(line)
        if verdict.problems:
            raise CommandError("\n".join(verdict.problems))
