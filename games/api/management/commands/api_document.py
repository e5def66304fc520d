"""Write the document of the API, which a test compares with what the site serves.

It is refused where something would go that programs rely on.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games.api.v1 import growth
from games.api.v1.api import document


class Command(BaseCommand):
    help = "Write the OpenAPI document of version 1 of the API to a file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        new = document()
        if file.exists():
            released, told = (msgspec.json.decode(text) for text in (file.read_bytes(), new))
            if found := growth.broken(released, told, timezone.now().date()):
                raise CommandError("Programs rely on what would go (see games/api/v1/leaving.py):\n" + "\n".join(found))
        file.write_bytes(new)
