from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from config.ops import archive, backup

KEEP = 14


class Command(BaseCommand):
    help = "Write the database, the secret key and the legal pages into one archive. The site may run meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("target", type=Path, help="a new file, or a folder, where it is named after the time")
        parser.add_argument(
            "--keep", type=int, default=KEEP, help=f"how many backups stay in the folder (default: {KEEP})"
        )

    def handle(self, *args: Any, target: Path, keep: int, **options: Any) -> None:  # Django's signature
        if keep < 1:
            raise CommandError("At least one backup must stay.")
        folder = target if target.is_dir() else None
        path = backup.dated(folder, timezone.now()) if folder else target
        try:
            size = backup.backup(path)
        except archive.Refused as reason:
            raise CommandError(str(reason)) from reason
        self.stdout.write(f"{path}: {size / 1_000_000:.1f} MB")
        for old in backup.tidied(folder, keep) if folder else ():
            self.stdout.write(f"deleted {old}")
