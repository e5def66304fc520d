from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.privacy import deletions


class Command(BaseCommand):
    help = "After a backup was restored: list the accounts that had ended since it was made, and end them again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "folders",
            nargs="*",
            type=Path,
            metavar="FOLDER",
            help="further journals, of other machines (DELETIONS_DIR)",
        )
        parser.add_argument("--end", action="store_true", help="let them end again: the worker does it")

    def handle(self, *args: Any, folders: list[Path], end: bool, **options: Any) -> None:  # Django's signature
        for folder in folders:
            if not folder.is_dir():
                raise CommandError(f"There is no folder {folder}.")
        found = list(deletions.returned_accounts([Path(settings.DELETIONS_DIR), *folders]))
        for each in found:
            when = each.entry.due if each.entry.what == "confirmed" and each.entry.due else each.entry.at
            ended = "was to end" if each.entry.what == "confirmed" else "ended"
            self.stdout.write(f"{each.user.pk} {each.user.username}: {ended} {when:%Y-%m-%d %H:%M}")
            if end:
                deletions.end_again(each)
        if not found:
            self.stdout.write("No account is here that had ended.")
        elif end:
            self.stdout.write("The worker ends them again.")
