"""Write the document of the API, which a test compares with what the site serves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.api.v1.api import document


class Command(BaseCommand):
    help = "Write the OpenAPI document of version 1 of the API to a file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        file.write_bytes(document())
