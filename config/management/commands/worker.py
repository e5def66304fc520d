from __future__ import annotations

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand

from config.background import work
from games.play.management import ENDS_WITHIN, end_within


class Command(BaseCommand):
    requires_system_checks = ["tessera"]
    help = "Handle timeouts, notices and everything else that is due, until SIGTERM or Ctrl+C. Run as many as you like."

    def handle(self, *args: Any, **options: Any) -> None:  # Django's signature
        ended = threading.Event()

        def end(*_: object) -> None:
            end_within(ENDS_WITHIN)
            ended.set()

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, end)
        self.stdout.write("The worker is running.")
        self.stdout.flush()
        work(ended.is_set)
