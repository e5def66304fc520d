from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.matchmaking.services import close_stale_tables


class Command(BaseCommand):
    help = "Close open tables nobody filled in time: live ones after 24 hours, those over days after 14 days."

    def handle(self, *args: Any, **options: Any) -> None:  # Django's signature
        self.stdout.write(f"closed {close_stale_tables()}")
