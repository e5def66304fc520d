from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.ops import archive, backup
from games.privacy import deletions


class Command(BaseCommand):
    help = "Put back what `manage.py backup` has written. Stop the site first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", type=Path, help="the archive")
        parser.add_argument("--replace", action="store_true", help="even if there are people in the database, who go")

    def handle(self, *args: Any, source: Path, replace: bool, **options: Any) -> None:  # Django's signature
        try:
            about = backup.restore(source, replace=replace)
        except archive.Refused as reason:
            raise CommandError(str(reason)) from reason
        self.stdout.write(f"Restored what {source} holds, as it was at {about.made_at}.")
        if returned := sum(1 for _each in deletions.returned_accounts([Path(settings.DELETIONS_DIR)])):
            self.stdout.write(
                f"{returned} accounts in it ended, or were to end, after it was made. Before you start the site, "
                "`manage.py deleted_accounts` lists them, and with --end they end again."
            )
        kept = settings.DATA_DIR / archive.SECRET
        if os.environ.get("SECRET_KEY") not in {None, "", kept.read_text()}:
            self.stdout.write(f"SECRET_KEY is set to another one than the backup's, which is in {kept}.")
