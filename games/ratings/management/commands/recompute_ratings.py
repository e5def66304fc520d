"""`manage.py recompute_ratings [--check]`"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.ratings import services


class Command(BaseCommand):
    help = (
        "Recompute all ratings from the stored finished matches. With --check nothing is written: the first "
        "difference is printed and the exit code is 1. Without it the stored ratings are replaced."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="compare only; exit 1 at the first difference")

    def handle(self, *_: Any, **options: Any) -> None:
        difference = services.first_difference()
        if difference is None:
            matches, changes = services.count_changes()
            self.stdout.write(f"All ratings are right: {changes} changes from {matches} matches.")
        elif options["check"]:
            raise CommandError(difference)
        else:
            self.stdout.write(difference)
            self.stdout.write(f"All ratings were recomputed from {services.recompute()} matches.")
